import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Account, MAIL_CHARACTERS } from '../../accounts/account.ts'
import type { Ceremony } from '../../accounts/passkeys.ts'
import { checkPassword, isPasswordOf, isTooLongPassword, passwordTooLong } from '../../accounts/password.ts'
import { limitConcurrency } from '../../http/limit-concurrency.ts'
import { networkKey } from '../../http/limits.ts'
import { withQuery } from '../../http/links.ts'
import type { Errors } from '../../http/problems.ts'
import { message, rich, t } from '../../i18n/messages.tsx'
import { EMAIL_INPUT, Field, Form, Hidden } from '../fields.tsx'
import { CONFIRMATION_FORM, passwordField, SIGN_IN_FORM, textField } from '../form.ts'
import { homeOf } from '../home-link.tsx'
import { NarrowPage } from '../layout.tsx'
import { BrandName, HIDDEN, page } from '../page.ts'
import type { Query } from '../params.ts'
import { Notice, SecondaryLink } from '../parts.tsx'
import { allowPasskeys, PasskeyButton, passkeyScript } from '../passkey.tsx'
import { type PageDeps, safeReturn, seeOther } from '../signed-in.ts'
import { wrongPasskey } from './code-routes.tsx'

/** Refuses input that is too long before it counts as an attempt and is hashed. */
function tooLong(email: string, password: string): Errors | undefined {
  if (email.length > MAIL_CHARACTERS) return { Email: [t('entrar.emailTooLong', { max: MAIL_CHARACTERS })] }
  return isTooLongPassword(password) ? { Clave: [passwordTooLong()] } : undefined
}

/** A check keeps a thread busy: those of one network come one after the other, so that they hardly delay others. */
const limitByNetwork = limitConcurrency({ most: 2, mostOfKey: 1, refusal: message('problema.signIns') })

/** For staff of the provider, who have no other way in. */
const atProvider = (): string => t('entrar.atProvider', { button: t('entrar.withOidc') })

/** /entrar and /salir */
export function signInRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { sessions, devices, attempts, passkeys, oidc, store } = deps

  async function show(reply: FastifyReply, shown: SignInPageProps): Promise<FastifyReply> {
    const ceremony = passkeys.available ? await passkeys.offerSignIn(store) : undefined
    const refused = shown.errors && reply.request.method === 'POST'
    return page(
      allowPasskeys(reply, ceremony),
      signInPage({ ...shown, ceremony, withOidc: oidc !== undefined }),
      refused ? 400 : 200,
    )
  }

  app.get<{ Querystring: Query }>('/entrar', HIDDEN, async (request, reply) => {
    const { query } = request
    const volver = safeReturn(String(query.volver ?? ''))
    const account = await sessions.signedIn(request)
    if (account) return seeOther(reply, volver ?? homeOf(account))
    if (await sessions.passwordOnly(request)) return seeOther(reply, withQuery('/entrar/codigo', { volver }))
    const fault = query.empresa === 'si' ? atProvider() : query.llave === 'no' ? wrongPasskey() : undefined
    const errors = fault ? { _: [fault] } : undefined
    return show(reply, {
      volver,
      errors,
      notice: query.salio === 'si' ? t('entrar.left') : query.tarde === 'si' ? t('entrar.late') : undefined,
    })
  })

  /** The budget of a known device is for its own accounts, not for another that has the same email address. */
  async function firstWith(password: string, accounts: Account[] = []): Promise<Account | undefined> {
    for (const account of accounts) if (await isPasswordOf(store, account, password)) return account
    return undefined
  }

  app.post('/entrar', SIGN_IN_FORM, async (request, reply) => {
    const form = request.form
    const email = textField(form, 'Email')
    const volver = safeReturn(form.get('volver'))
    const modo = form.get('modo') ?? undefined
    const errors = tooLong(email, passwordField(form))
    if (errors) return show(reply, { email, volver, modo, errors })
    const device = await devices.find(request, email)
    const attempt = attempts.take({ ip: request.ip, subject: email, device: device?.id })
    const check = () =>
      attempt.byDevice
        ? firstWith(passwordField(form), device?.accounts)
        : checkPassword(store, email, passwordField(form), modo === 'prueba' ? 'prueba' : 'produccion')
    const account = await limitByNetwork(networkKey(request.ip), check).catch((error) => {
      attempt.refund() // the password was not checked
      throw error
    })
    if (!account) return show(reply, { email, volver, modo, errors: { _: [t('entrar.wrong')] } })
    if (account.viaOidc) return show(reply, { email, volver, modo, errors: { _: [atProvider()] } })
    attempt.refund()
    sessions.open(reply, account)
    if (account.staff || account.secured) return seeOther(reply, withQuery('/entrar/codigo', { volver }))
    return seeOther(reply, volver ?? homeOf(account))
  })

  app.post('/salir', CONFIRMATION_FORM, async (request, reply) => {
    await sessions.close(request, reply)
    return seeOther(reply, '/entrar?salio=si')
  })
}

interface SignInProps {
  email?: string
  volver?: string | undefined
  /** The mode, where test and production have an account with the same email address and password. */
  modo?: string | undefined
  errors?: Errors | undefined
}

interface SignInPageProps extends SignInProps {
  notice?: string | undefined
  ceremony?: Ceremony | undefined
  withOidc?: boolean
}

const signInPage = ({ notice, ceremony, withOidc, ...form }: SignInPageProps) => (
  <NarrowPage
    title={t('entrar.signIn')}
    script={passkeyScript(ceremony)}
    faulty={Boolean(form.errors)}
    lead={rich('entrar.lead', { marca: <BrandName /> })}
  >
    {notice && (
      <Notice>
        <p>{notice}</p>
      </Notice>
    )}
    <SignInForm {...form} />
    {ceremony && (
      <form method="post" action="/entrar/llave">
        <Hidden values={{ volver: form.volver }} />
        <PasskeyButton mode="get" ceremony={ceremony} label={t('entrar.withPasskey')} />
      </form>
    )}
    {withOidc && (
      <p>
        <SecondaryLink href={withQuery('/entrar/oidc', { volver: form.volver })}>{t('entrar.withOidc')}</SecondaryLink>
      </p>
    )}
    <p class="hint after">{t('entrar.noAccount')}</p>
  </NarrowPage>
)

export const SignInForm = ({ email = '', volver, modo, errors, fixed = false }: SignInProps & { fixed?: boolean }) => (
  <Form action="/entrar" class="sheet" button={t('entrar.signIn')} errors={errors}>
    <Hidden values={{ volver, modo }} />
    <Field
      name="Email"
      label={t('entrar.email')}
      value={email}
      more={{ ...EMAIL_INPUT, autocomplete: 'username', ...(fixed && { readonly: true }) }}
    />
    <Field
      name="Clave"
      label={t('entrar.password')}
      more={{ type: 'password', autocomplete: 'current-password', ...(email && { autofocus: true }) }}
    >
      <p class="beside">
        <a href="/clave">{t('entrar.forgot')}</a>
      </p>
    </Field>
  </Form>
)
