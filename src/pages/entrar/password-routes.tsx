import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Account, isMailAddress } from '../../accounts/account.ts'
import { readLink } from '../../accounts/links.ts'
import { MIN_PASSWORD, passwordFault } from '../../accounts/password.ts'
import { findAccountById } from '../../accounts/store.ts'
import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/content.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { EMAIL_INPUT, FaultList, Field, NewPassword } from '../fields.tsx'
import { formOf, line, SIGN_IN_FORM, secret } from '../form.ts'
import { Layout } from '../layout.tsx'
import { HIDDEN, page } from '../page.ts'
import { ButtonLink, SecondaryLink } from '../parts.tsx'
import { type ByToken, homeOf, type PageDeps, seeOther } from '../signed-in.ts'
import { requestReset, resetPassword } from './reset.ts'

/** Every response takes at least this long, so that its time does not disclose accounts. */
const LEAST_MS = 250

/** /clave and /clave/{token} */
export function passwordRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { sessions, attempts, store, config } = deps
  const support = supportOf(config)

  app.get('/clave', HIDDEN, (_request, reply) => page(reply, resetRequestPage({ support })))

  app.post('/clave', SIGN_IN_FORM, async (request, reply) => {
    const email = line(formOf(request), 'Email')
    if (!isMailAddress(email.toLowerCase())) {
      const errors = { Email: ['Escriba el correo de su cuenta, por ejemplo nombre@agencia.com.'] }
      return page(reply, resetRequestPage({ email, errors, support }), 400)
    }
    attempts.take({ ip: request.ip, subject: `clave ${email}` })
    await Promise.all([requestReset(deps, email), pause(LEAST_MS)])
    return page(reply, resetSentPage({ email, support }))
  })

  /** The account of an open link. Reading does not use it up, because mail scanners open links. */
  async function accountOf(token: string) {
    const link = await readLink(store, token, 'clave')
    return link?.state === 'open' ? findAccountById(store, link.accountId) : undefined
  }

  app.get<ByToken>('/clave/:token', HIDDEN, async ({ params: { token } }, reply) => {
    const account = await accountOf(token)
    if (!account) return page(reply, deadResetPage({ support }), 404)
    return page(reply, choosePage({ token, account, support }))
  })

  app.post<ByToken>('/clave/:token', SIGN_IN_FORM, async (request, reply) => {
    const { token } = request.params
    const attempt = attempts.take({ ip: request.ip })
    const account = await accountOf(token)
    if (!account) return page(reply, deadResetPage({ support }), 404)
    const password = secret(formOf(request))
    const fault = passwordFault(password, account.email)
    if (fault) return page(reply, choosePage({ token, account, errors: { Clave: [fault] }, support }), 400)
    const changed = await resetPassword(deps, token, password)
    if (!changed) return page(reply, deadResetPage({ support }), 404)
    attempt.giveBack()
    sessions.open(reply, changed)
    return seeOther(reply, homeOf(changed))
  })
}

/** Asks for the e-mail address of the account. */
function resetRequestPage({ email = '', errors, support }: { email?: string; errors?: Errors; support: Support }) {
  return (
    <Layout title={errors ? 'Error: Olvidé mi clave' : 'Olvidé mi clave'} visitor="nobody" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>Olvidé mi clave</h1>
          <p>Le enviamos un enlace para elegir otra.</p>
        </header>
        <form method="post" action="/clave" class="sheet" novalidate>
          <FaultList errors={errors} />
          <Field
            name="Email"
            label="Correo de su cuenta"
            value={email}
            errors={errors}
            more={{ ...EMAIL_INPUT, autocomplete: 'username' }}
          />
          <button type="submit">Enviar el enlace</button>
        </form>
      </div>
    </Layout>
  )
}

/** The same whether or not there is such an account. */
function resetSentPage({ email, support }: { email: string; support: Support }) {
  return (
    <Layout title="Revise su correo" visitor="nobody" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>Revise su correo</h1>
          <p>
            Si <strong>{email}</strong> tiene una cuenta, en unos minutos le llega un enlace para elegir una clave
            nueva. Vale durante dos horas.
          </p>
        </header>
        <ul>
          <li>Mire también en la carpeta de correo no deseado.</li>
          <li>Si no llega, quizá la cuenta esté a nombre de otro correo.</li>
        </ul>
        <p>
          <a href="/clave">Probar con otro correo</a>
        </p>
      </div>
    </Layout>
  )
}

interface ChooseProps {
  token: string
  account: Account
  errors?: Errors
  support: Support
}

function choosePage({ token, account, errors, support }: ChooseProps) {
  return (
    <Layout title={errors ? 'Error: Elegir una clave' : 'Elegir una clave'} visitor="nobody" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>Elegir una clave</h1>
          <p>
            Para la cuenta{account.modo === 'prueba' && ' de prueba'} <strong>{account.email}</strong>. Al guardarla se
            cierran las sesiones abiertas en otros dispositivos.
          </p>
        </header>
        <form method="post" action={`/clave/${token}`} class="sheet" novalidate>
          <FaultList errors={errors} />
          <input type="hidden" name="Email" value={account.email} autocomplete="username" />
          <NewPassword label="Clave nueva" errors={errors} minlength={MIN_PASSWORD} />
          <button type="submit">Guardar y entrar</button>
        </form>
      </div>
    </Layout>
  )
}

/** For a link that was used, has expired or never existed. */
function deadResetPage({ support }: { support: Support }) {
  return (
    <Layout title="El enlace ya no sirve" visitor="nobody" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>El enlace ya no sirve</h1>
          <p>
            Los enlaces para elegir una clave valen una sola vez, durante dos horas. Pida otro, que llega en un momento.
          </p>
        </header>
        <p class="row">
          <ButtonLink href="/clave">Pedir otro enlace</ButtonLink>
          <SecondaryLink href="/entrar">Entrar</SecondaryLink>
        </p>
      </div>
    </Layout>
  )
}
