import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encode } from 'uqr'
import type { Account } from '../../accounts/account.ts'
import { audit } from '../../accounts/audit.ts'
import {
  offerSetup,
  type SecondFactor,
  type Setup,
  secondFactorOf,
  setUp,
  showCode,
  useRecoveryCode,
} from '../../accounts/second-factor.ts'
import { CODE_ATTEMPTS, createAttemptLimiter } from '../../auth/attempt-limiter.ts'
import { withQuery } from '../../http/links.ts'
import type { Errors } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'
import { Field, Form, Hidden } from '../fields.tsx'
import { SIGN_IN_FORM, textField } from '../form.ts'
import { NarrowPage } from '../layout.tsx'
import { HIDDEN, page } from '../page.ts'
import { ButtonLink, PostButton } from '../parts.tsx'
import { homeOf, type PageDeps, redirectWithNotice, safeReturn, seeOther } from '../signed-in.ts'
import { notifyOwner, wrongCode } from './access.ts'

const WRONG = 'El código no es correcto, o ya se usó. Espere a que su app muestre el siguiente y escriba ese.'
const WRONG_SETUP =
  'El código no coincide. Revise que la hora del teléfono sea automática, y escriba el que muestra ahora.'

/** /entrar/codigo: the second factor of the staff, shown or set up. */
export function codeRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { sessions, devices, store, seal, clock } = deps
  const attempts = createAttemptLimiter(deps.nowMs, CODE_ATTEMPTS)

  /** A person who gave the password and still needs the second factor; others are redirected. */
  async function expected(request: FastifyRequest, reply: FastifyReply, volver: string | undefined) {
    const pending = await sessions.passwordOnly(request)
    const factor = pending && (await secondFactorOf(store, pending.account.id))
    if (factor) return { ...pending, factor }
    const inside = await sessions.signedIn(request)
    seeOther(reply, inside ? (volver ?? homeOf(inside)) : withQuery('/entrar', { volver }))
    return undefined
  }

  const auditAccount = (db: Db, { id }: Account, act: string) =>
    audit(db, { accountId: id, via: 'consola', act, subject: `cuenta ${id}` })

  /** Sets it up and notifies the owner by email: somebody else may have used the password first. */
  const secure = (account: Account, session: string, code: string) =>
    store.transaction(async (tx) => {
      const codes = await setUp(tx, seal, { ...account, session }, code, clock())
      if (!codes) return undefined
      await auditAccount(tx, account, 'segundo-paso.configurar')
      await notifyOwner(tx, deps, account, { hecho: 'configurado' })
      return codes
    })

  /** Takes a recovery code and notifies the owner, because the codes may be stolen too. */
  const recover = (account: Account, code: string) =>
    store.transaction(async (tx) => {
      if (!(await useRecoveryCode(tx, seal, account.id, code))) return false
      await auditAccount(tx, account, 'codigo-de-recuperacion.usar')
      await notifyOwner(tx, deps, account, { hecho: 'recuperacion' })
      return true
    })

  function show(
    reply: FastifyReply,
    { account, session, factor }: { account: Account; session: string; factor: SecondFactor },
    volver: string | undefined,
    wrong = false,
  ): FastifyReply {
    const errors = wrong ? { Codigo: [factor.secured ? WRONG : WRONG_SETUP] } : undefined
    const shown = factor.secured
      ? codePage({ account, volver, errors })
      : setUpPage({ account, volver, errors, setup: offerSetup(seal, { ...account, session }) })
    return page(reply, shown, wrong ? 400 : 200)
  }

  app.get<{ Querystring: { volver?: string } }>('/entrar/codigo', HIDDEN, async (request, reply) => {
    const volver = safeReturn(String(request.query.volver ?? ''))
    const signingIn = await expected(request, reply, volver)
    return signingIn ? show(reply, signingIn, volver) : reply
  })

  app.post('/entrar/codigo', SIGN_IN_FORM, async (request, reply) => {
    const form = request.form
    const volver = safeReturn(form.get('volver'))
    const signingIn = await expected(request, reply, volver)
    if (!signingIn) return reply
    const { account, session, factor } = signingIn
    const device = devices.idFor(request, account)
    const attempt = attempts.take({ ip: request.ip, subject: `codigo ${account.id}`, device })
    const code = textField(form, 'Codigo')
    const enter = () => {
      attempt.refund()
      sessions.open(reply, account, true)
    }

    if (!factor.secured) {
      const codes = await secure(account, session, code)
      if (!codes) return show(reply, signingIn, volver, true)
      enter()
      return page(reply, recoveryPage({ account, codes, next: volver ?? homeOf(account) }))
    }
    if (await showCode(store, seal, account.id, code, clock())) {
      await auditAccount(store, account, 'sesion.abrir')
      enter()
      return seeOther(reply, volver ?? homeOf(account))
    }
    if (await recover(account, code)) {
      enter()
      return redirectWithNotice(reply, 'recuperacion', '/consola/personal/acceso')
    }
    await wrongCode(deps, account, attempt.left)
    return show(reply, signingIn, volver, true)
  })
}

interface CodeProps {
  account: Account
  volver?: string | undefined
  errors?: Errors | undefined
}

const codePage = ({ account, volver, errors }: CodeProps) => (
  <NarrowPage
    title="Segundo paso"
    faulty={Boolean(errors)}
    lead={
      <>
        Abra la app de códigos de su teléfono y escriba el que muestra para <strong>{account.email}</strong>.
      </>
    }
  >
    <Form action="/entrar/codigo" class="sheet" button="Entrar" errors={errors}>
      <Hidden values={{ volver }} />
      <Field
        name="Codigo"
        label="Código"
        errors={errors}
        hint="Seis cifras, que cambian cada medio minuto. Si no tiene su teléfono, escriba uno de sus códigos de recuperación."
        more={{
          autocomplete: 'one-time-code',
          autocapitalize: 'none',
          spellcheck: false,
          maxlength: 40,
          autofocus: true,
        }}
      />
    </Form>
    <p class="hint after">
      ¿Perdió el teléfono y los códigos de recuperación? Pida a otra persona del personal que reinicie su segundo paso.
    </p>
    <Leave />
  </NarrowPage>
)

const setUpPage = ({ account, volver, errors, setup }: CodeProps & { setup: Setup }) => (
  <NarrowPage
    title="Proteja su cuenta"
    faulty={Boolean(errors)}
    lead="Desde la consola se ve todo el mercado, así que la clave sola no alcanza. Lleva un minuto, y se hace una sola vez."
  >
    <ol class="first-steps">
      <li>
        <h2>Tenga a mano una app de códigos</h2>
        <p>En su teléfono: Google Authenticator, Microsoft Authenticator, FreeOTP, o el gestor de claves que ya usa.</p>
      </li>
      <li>
        <h2>Escanee este dibujo con la app</h2>
        <Qr text={setup.uri} label="Código QR para la app de códigos" />
        <details>
          <summary>No puedo escanearlo</summary>
          <p>
            Si está en el teléfono, <a href={setup.uri}>abra su app de códigos desde aquí</a>. O agregue una cuenta a
            mano, por tiempo, con esta clave:
          </p>
          <p>
            <code class="secret">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
        </details>
      </li>
      <li>
        <h2>Escriba el código que muestra</h2>
        <Form action="/entrar/codigo" class="sheet" button="Confirmar" errors={errors}>
          <Hidden values={{ volver }} />
          <Field
            name="Codigo"
            label={`Código para ${account.email}`}
            errors={errors}
            hint="Seis cifras, que cambian cada medio minuto."
            more={{ inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 12 }}
          />
        </Form>
      </li>
    </ol>
    <Leave />
  </NarrowPage>
)

const Leave = () => (
  <PostButton action="/salir" class="plain">
    Entrar con otra cuenta
  </PostButton>
)

/** The recovery codes, shown once; `next` is the page after them. */
export const recoveryPage = ({ account, codes, next }: { account: Account; codes: string[]; next: string }) => (
  <NarrowPage
    title="Guarde sus códigos de recuperación"
    visitor={account}
    lead={
      <>
        Si un día no tiene su teléfono, uno de estos códigos lo reemplaza. Cada uno vale una sola vez. Guárdelos en su
        gestor de claves o imprímalos: <strong>no se vuelven a mostrar</strong>.
      </>
    }
  >
    <ul class="recovery" aria-label="Códigos de recuperación">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <p>
      <ButtonLink href={next}>Ya los guardé, continuar</ButtonLink>
    </p>
  </NarrowPage>
)

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
