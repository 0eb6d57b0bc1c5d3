import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { encode } from 'uqr'
import { addPasskey, auditAccount, recover, securePhone, wrongCode } from '../../access/credentials.ts'
import type { Account } from '../../accounts/account.ts'
import { type Ceremony, PASSKEY_NAME_CHARACTERS } from '../../accounts/passkeys.ts'
import { offerSetup, type SecondFactor, type Setup, secondFactorOf, showCode } from '../../accounts/second-factor.ts'
import { findAccountById } from '../../accounts/store.ts'
import { CODE_ATTEMPTS, createAttemptLimiter } from '../../auth/attempt-limiter.ts'
import { withQuery } from '../../http/links.ts'
import type { Errors } from '../../http/problems.ts'
import { rich, t } from '../../i18n/messages.tsx'
import { CODE_INPUT, Field, Form, Hidden } from '../fields.tsx'
import { PASSKEY_FORM, SIGN_IN_FORM, textField } from '../form.ts'
import { homeOf } from '../home-link.tsx'
import { Icon } from '../icon.tsx'
import { NarrowPage } from '../layout.tsx'
import { BrandName, HIDDEN, page } from '../page.ts'
import { ButtonLink, Copy, PostButton, Print } from '../parts.tsx'
import { allowPasskeys, PasskeyButton, passkeyAnswer, passkeyScript } from '../passkey.tsx'
import { allowScript } from '../security.ts'
import { type PageDeps, redirectWithNotice, safeReturn, seeOther } from '../signed-in.ts'

export const wrongPasskey = () => t('entrar.code.wrongPasskey')

/** A person who entered the password and still needs the second factor. */
interface SigningIn {
  account: Account
  session: string
  oidc: boolean | undefined
  factor: SecondFactor
}

/** /entrar/codigo: the second factor, shown or, by staff who have none, set up. */
export function codeRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { sessions, devices, passkeys, store, seal, clock, config } = deps
  const attempts = createAttemptLimiter(deps.nowMs, CODE_ATTEMPTS)

  /** Others than those who still need the second factor are redirected. */
  async function expected(
    request: FastifyRequest,
    reply: FastifyReply,
    volver: string | undefined,
  ): Promise<SigningIn | undefined> {
    const pending = await sessions.passwordOnly(request)
    if (pending) return { ...pending, factor: await secondFactorOf(store, pending.account.id) }
    const inside = await sessions.signedIn(request)
    seeOther(reply, inside ? (volver ?? homeOf(inside)) : withQuery('/entrar', { volver }))
    return undefined
  }

  async function show(reply: FastifyReply, signingIn: SigningIn, volver: string | undefined, errors?: Errors) {
    const { account, session, factor } = signingIn
    const status = errors ? 400 : 200
    if (account.secured) {
      const ceremony = factor.passkeys > 0 ? await passkeys.offerSignIn(store, account.id) : undefined
      return page(allowPasskeys(reply, ceremony), codePage({ account, factor, volver, errors, ceremony }), status)
    }
    const setup = offerSetup(seal, { ...account, session }, config.brand.current().nombre)
    const ceremony = passkeys.available ? await passkeys.offerRegistration(store, account) : undefined
    return page(allowPasskeys(reply, ceremony), setUpPage({ account, volver, errors, setup, ceremony }), status)
  }

  app.get<{ Querystring: { volver?: string } }>('/entrar/codigo', HIDDEN, async (request, reply) => {
    const volver = safeReturn(String(request.query.volver ?? ''))
    const signingIn = await expected(request, reply, volver)
    return signingIn ? show(reply, signingIn, volver) : reply
  })

  const takeAttempt = (request: FastifyRequest, account: Account) =>
    attempts.take({ ip: request.ip, subject: `codigo ${account.id}`, device: devices.idFor(request, account) })

  app.post('/entrar/codigo', SIGN_IN_FORM, async (request, reply) => {
    const form = request.form
    const volver = safeReturn(form.get('volver'))
    const signingIn = await expected(request, reply, volver)
    if (!signingIn) return reply
    const { account, session, oidc } = signingIn
    const attempt = takeAttempt(request, account)
    const code = textField(form, 'Codigo')

    if (!account.secured) {
      const secured = await securePhone(deps, account, session, code)
      if (!secured) return show(reply, signingIn, volver, { Codigo: [t('entrar.code.wrongSetup')] })
      attempt.refund()
      sessions.open(reply, secured.account, { secondFactor: true, oidc })
      return page(allowScript(reply), recoveryPage({ ...secured, next: volver ?? homeOf(account) }))
    }
    if (await showCode(store, seal, account.id, code, clock())) {
      await auditAccount(store, account, 'sesion.abrir')
      attempt.refund()
      sessions.open(reply, account, { secondFactor: true, oidc })
      return seeOther(reply, volver ?? homeOf(account))
    }
    if (await recover(deps, account, code)) {
      attempt.refund()
      sessions.open(reply, account, { secondFactor: true, oidc })
      return redirectWithNotice(reply, 'recuperacion', '/cuenta/acceso')
    }
    await wrongCode(deps, account, attempt.left)
    return show(reply, signingIn, volver, { Codigo: [t('entrar.code.wrong')] })
  })

  /** Staff without a second factor may set up a passkey instead of a phone. */
  app.post('/entrar/codigo/llave', PASSKEY_FORM, async (request, reply) => {
    const { form } = request
    const volver = safeReturn(form.get('volver'))
    const signingIn = await expected(request, reply, volver)
    if (!signingIn) return reply
    const { account } = signingIn
    if (account.secured) return seeOther(reply, withQuery('/entrar/codigo', { volver }))
    const attempt = takeAttempt(request, account)
    const added = await addPasskey(deps, account, passkeyAnswer(form), passkeyName(form))
    if (!added) return show(reply, signingIn, volver, { _: [wrongPasskey()] })
    attempt.refund()
    sessions.open(reply, { ...account, secured: true }, { secondFactor: true, oidc: signingIn.oidc })
    const next = volver ?? homeOf(account)
    if (!added.codes) return seeOther(reply, next)
    return page(allowScript(reply), recoveryPage({ account, codes: added.codes, next }))
  })

  /** Signs in with a passkey, without a password or after it: it is possession and a PIN or a finger. */
  app.post('/entrar/llave', PASSKEY_FORM, async (request, reply) => {
    const volver = safeReturn(request.form.get('volver'))
    const attempt = attempts.take({ ip: request.ip })
    const owner = await passkeys.check(store, passkeyAnswer(request.form))
    const account = owner === undefined ? undefined : await findAccountById(store, owner)
    const pending = await sessions.passwordOnly(request)
    const oidc = pending?.account.id === account?.id && pending?.oidc
    if (!account) return seeOther(reply, withQuery('/entrar', { volver, llave: 'no' }))
    if (account.viaOidc && !oidc) return seeOther(reply, withQuery('/entrar', { volver, empresa: 'si' }))
    attempt.refund()
    await auditAccount(store, account, 'sesion.abrir')
    sessions.open(reply, account, { secondFactor: true, oidc })
    return seeOther(reply, volver ?? homeOf(account))
  })
}

export const passkeyName = (form: URLSearchParams): string =>
  textField(form, 'Nombre').slice(0, PASSKEY_NAME_CHARACTERS) || t('entrar.passkey.name')

interface CodeProps {
  account: Account
  volver?: string | undefined
  errors?: Errors | undefined
  ceremony?: Ceremony | undefined
}

const codePage = ({ account, factor, volver, errors, ceremony }: CodeProps & { factor: SecondFactor }) => (
  <NarrowPage
    title={t('entrar.code.title')}
    script={passkeyScript(ceremony)}
    lead={rich(factor.totp ? 'entrar.code.lead' : 'entrar.code.leadPasskey', { email: account.email })}
  >
    {ceremony && (
      <form method="post" action="/entrar/llave" class="sheet">
        <Hidden values={{ volver }} />
        <PasskeyButton mode="get" ceremony={ceremony} label={t('comun.proof.passkey')} primary />
      </form>
    )}
    <Form
      action="/entrar/codigo"
      class="sheet"
      button={t('entrar.signIn')}
      {...(!factor.totp && { buttonClass: 'secondary' })}
      errors={errors}
    >
      <Hidden values={{ volver }} />
      <Field
        name="Codigo"
        label={t(factor.totp ? 'entrar.code.label' : 'entrar.code.recoveryLabel')}
        hint={t(factor.totp ? 'entrar.code.hint' : 'entrar.code.recoveryHint')}
        more={{ ...CODE_INPUT, autofocus: factor.totp }}
      />
    </Form>
    <p class="hint after">{t('entrar.code.lost', { staff: account.staff })}</p>
    <Leave />
  </NarrowPage>
)

const setUpPage = ({ account, volver, errors, setup, ceremony }: CodeProps & { setup: Setup }) => (
  <NarrowPage
    title={t('entrar.setup.title')}
    script={passkeyScript(ceremony)}
    lead={t('entrar.setup.lead', { viaOidc: account.viaOidc })}
  >
    <PhoneSetup account={account} setup={setup} action="/entrar/codigo" errors={errors}>
      <Hidden values={{ volver }} />
    </PhoneSetup>
    {ceremony && (
      <>
        <h2>{t('entrar.setup.orPasskey')}</h2>
        <PasskeySetup action="/entrar/codigo/llave" ceremony={ceremony}>
          <Hidden values={{ volver }} />
        </PasskeySetup>
      </>
    )}
    <Leave />
  </NarrowPage>
)

interface PhoneSetupProps {
  account: Account
  setup: Setup
  action: string
  errors: Errors | undefined
  /** Further fields of the form. */
  children?: ComponentChildren
}

/** The three steps that set up codes of an app on a phone. */
export const PhoneSetup = ({ account, setup, action, errors, children }: PhoneSetupProps) => (
  <ol class="first-steps">
    <li>
      <h2>{t('entrar.setup.app')}</h2>
      <p>{t('entrar.setup.apps')}</p>
    </li>
    <li>
      <h2>{t('entrar.setup.scan')}</h2>
      <Qr text={setup.uri} label={t('entrar.setup.qr')} />
      <details>
        <summary>{t('entrar.setup.cannotScan')}</summary>
        <p>{rich('entrar.setup.byHand', { link: (text) => <a href={setup.uri}>{text}</a> })}</p>
        <p>
          <code class="secret">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
      </details>
    </li>
    <li>
      <h2>{t('entrar.setup.enter')}</h2>
      <Form action={action} class="sheet" button={t('entrar.setup.confirm')} errors={errors}>
        {children}
        <Field
          name="Codigo"
          label={t('entrar.setup.codeFor', { email: account.email })}
          hint={t('entrar.setup.codeHint')}
          more={{ inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 12 }}
        />
      </Form>
    </li>
  </ol>
)

interface PasskeySetupProps {
  action: string
  ceremony: Ceremony
  /** True if it is the only way to continue. */
  primary?: boolean
  children?: ComponentChildren
}

export const PasskeySetup = ({ action, ceremony, primary = false, children }: PasskeySetupProps) => (
  <form method="post" action={action} class="sheet">
    {children}
    <p>{t('entrar.passkey.lead')}</p>
    <Field
      name="Nombre"
      label={t('entrar.passkey.nameLabel')}
      hint={t('entrar.passkey.nameHint')}
      optional
      more={{ maxlength: PASSKEY_NAME_CHARACTERS, autocomplete: 'off' }}
    />
    <noscript>
      <p class="empty">{t('entrar.passkey.needsScript')}</p>
    </noscript>
    <PasskeyButton mode="create" ceremony={ceremony} label={t('entrar.passkey.create')} primary={primary} />
  </form>
)

const Leave = () => (
  <PostButton action="/salir" class="plain flush">
    {t('entrar.code.otherAccount')}
  </PostButton>
)

/** The recovery codes, shown once; `next` is the page after them. */
export const recoveryPage = ({ account, codes, next }: { account: Account; codes: string[]; next: string }) => (
  <NarrowPage title={t('entrar.recovery.title')} visitor={account} lead={rich('entrar.recovery.lead')} script>
    {/* A printed page must say what the codes open. */}
    <p>{rich('entrar.recovery.of', { email: account.email, marca: <BrandName /> })}</p>
    <ul id="codigos" class="recovery" aria-label={t('entrar.recovery.list')}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <p class="row">
      <Copy of="codigos" what={t('entrar.recovery.list')} />
      <Print />
      <DownloadCodes account={account} codes={codes} />
    </p>
    <p>
      <ButtonLink href={next}>{t('entrar.recovery.saved')}</ButtonLink>
    </p>
  </NarrowPage>
)

/** The file is in the page itself, because the codes are stored nowhere that they could be read from again. */
function DownloadCodes({ account: { email }, codes }: { account: Account; codes: readonly string[] }) {
  const lines = [t('entrar.recovery.of', { email, marca: BrandName() }), '', ...codes, '']
  return (
    <a
      class="button secondary small"
      href={`data:text/plain;charset=utf-8,${encodeURIComponent(lines.join('\r\n'))}`}
      download={t('entrar.recovery.fileName')}
    >
      <Icon name="download" />
      {t('entrar.recovery.download')}
    </a>
  )
}

/** A QR code as one path. It is dark on light in dark mode too, or cameras would not read it. */
function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path class="paper" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="ink" d={dots.join('')} />
    </svg>
  )
}
