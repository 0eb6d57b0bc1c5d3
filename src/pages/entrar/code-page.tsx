import type { Account } from '../../accounts/account.ts'
import type { Setup } from '../../accounts/second-factor.ts'
import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/content.ts'
import { FaultList, Field } from '../fields.tsx'
import { Layout } from '../layout.tsx'
import { Qr } from './qr.tsx'

interface CodeProps {
  account: Account
  volver?: string | undefined
  errors?: Errors | undefined
  support: Support
}

/** The second step of signing in, for accounts that have set it up. */
export const codePage = ({ account, volver, errors, support }: CodeProps) => (
  <Layout title={errors ? 'Error: Segundo paso' : 'Segundo paso'} visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>Segundo paso</h1>
        <p>
          Abra la app de códigos de su teléfono y escriba el que muestra para <strong>{account.email}</strong>.
        </p>
      </header>
      <form method="post" action="/entrar/codigo" class="sheet" novalidate>
        <FaultList errors={errors} />
        {volver && <input type="hidden" name="volver" value={volver} />}
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
        <button type="submit">Entrar</button>
      </form>
      <p class="hint after">
        ¿Perdió el teléfono y los códigos de recuperación? Pida a otra persona del personal que reinicie su segundo
        paso.
      </p>
      <Leave />
    </div>
  </Layout>
)

/** The first time: a telephone gets to know the account. */
export const setUpPage = ({ account, volver, errors, support, setup }: CodeProps & { setup: Setup }) => (
  <Layout title={errors ? 'Error: Proteja su cuenta' : 'Proteja su cuenta'} visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>Proteja su cuenta</h1>
        <p>
          Desde la consola se ve todo el mercado, así que la clave sola no alcanza. Lleva un minuto, y se hace una sola
          vez.
        </p>
      </header>
      <ol class="first-steps">
        <li>
          <h2>Tenga a mano una app de códigos</h2>
          <p>
            En su teléfono: Google Authenticator, Microsoft Authenticator, FreeOTP, o el gestor de claves que ya usa.
          </p>
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
          <form method="post" action="/entrar/codigo" class="sheet" novalidate>
            <FaultList errors={errors} />
            {volver && <input type="hidden" name="volver" value={volver} />}
            <Field
              name="Codigo"
              label={`Código para ${account.email}`}
              errors={errors}
              hint="Seis cifras, que cambian cada medio minuto."
              more={{ inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 12 }}
            />
            <button type="submit">Confirmar</button>
          </form>
        </li>
      </ol>
      <Leave />
    </div>
  </Layout>
)

const Leave = () => (
  <form method="post" action="/salir">
    <button type="submit" class="plain">
      Entrar con otra cuenta
    </button>
  </form>
)

interface RecoveryProps {
  account: Account
  codes: string[]
  /** Where to go on. */
  next: string
  support: Support
}

/** What opens the account when the telephone is lost: shown once, and kept by nobody but the person. */
export const recoveryPage = ({ account, codes, next, support }: RecoveryProps) => (
  <Layout title="Guarde sus códigos de recuperación" visitor={account} support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>Guarde sus códigos de recuperación</h1>
        <p>
          Si un día no tiene su teléfono, uno de estos códigos lo reemplaza. Cada uno vale una sola vez. Guárdelos en su
          gestor de claves o imprímalos: <strong>no se vuelven a mostrar</strong>.
        </p>
      </header>
      <ul class="recovery" aria-label="Códigos de recuperación">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a class="button" href={next}>
          Ya los guardé, continuar
        </a>
      </p>
    </div>
  </Layout>
)
