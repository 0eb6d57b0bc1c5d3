import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import type { Support } from '../../mail/content.ts'
import type { Agencia, Invitacion } from '../../resources/agencias/agencia.ts'
import { SignInForm } from '../entrar/page.tsx'
import { formatDay } from '../format.tsx'
import { Layout } from '../layout.tsx'
import { RegistrationForm, type RegistrationFormProps } from './form.tsx'
import { Meaning, Message } from './meaning.tsx'

interface Invited {
  token: string
  invitacion: Invitacion
  app: App
  support: Support
}

/** Who invites, what it means, and the form. */
export function registrationPage({
  invitacion,
  app,
  support,
  timeZone,
  ...form
}: Invited & { timeZone: string } & Omit<RegistrationFormProps, 'adminMail'>) {
  const title = `${app.nombre} le invita a registrar su agencia`
  return (
    <Layout
      title={form.errors ? `Error: ${title}` : title}
      visitor={form.account ?? 'unknown'}
      support={support}
      script
    >
      <header class="lead">
        <TestBadge app={app} />
        <h1>{title}</h1>
        <p>
          {app.nombre} se conecta con Rodado, el mercado de vehículos, y quiere trabajar con su agencia. Registrarla
          toma un minuto y no tiene costo. La invitación vence el {formatDay(invitacion.vence, timeZone)}.
        </p>
        <p class="beside">
          <a href="#significa">Qué podrá ver y hacer {app.nombre}</a>
        </p>
      </header>
      <div class="with-side">
        <RegistrationForm adminMail={invitacion.adminMail} {...form} />
        <div>
          <Message text={invitacion.mensaje} app={app.nombre} />
          <Meaning app={app.nombre} edits />
          <p class="hint">
            ¿No conoce a {app.nombre}? No hace falta que haga nada: sin su registro, la invitación vence y la app no ve
            nada.
          </p>
        </div>
      </div>
    </Layout>
  )
}

/** The address has an account: its owner signs in here and comes back. */
export function invitedSignInPage({ token, invitacion, app, support }: Invited) {
  return (
    <Layout title={`${app.nombre} le invita a asociar su agencia`} visitor="nobody" support={support}>
      <header class="lead">
        <TestBadge app={app} />
        <h1>{app.nombre} le invita a asociar su agencia</h1>
        <p>Usted ya tiene una cuenta en Rodado. Entre con su clave para ver qué pide {app.nombre} y aceptarlo.</p>
      </header>
      <div class="with-side">
        <SignInForm email={invitacion.adminMail} volver={`/registro/${token}`} modo={invitacion.modo} fixed />
        <div>
          <Message text={invitacion.mensaje} app={app.nombre} />
          <Meaning app={app.nombre} edits />
        </div>
      </div>
    </Layout>
  )
}

/** The owner of a registered agency decides on a second app. */
export function acceptPage({
  token,
  invitacion,
  app,
  support,
  account,
  agencia,
}: Invited & { account: Account; agencia: Agencia }) {
  return (
    <Layout title={`Asociar ${app.nombre}`} visitor={account} support={support}>
      <header class="lead">
        <TestBadge app={app} />
        <h1>
          {app.nombre} quiere trabajar con {agencia.nombre}
        </h1>
        <p>Al aceptar, la app queda asociada a su agencia. Sus otras apps siguen como están.</p>
      </header>
      <div class="narrow">
        <Message text={invitacion.mensaje} app={app.nombre} />
        <Meaning app={app.nombre} edits />
        <form method="post" action={`/registro/${token}`} class="row">
          <button type="submit">Aceptar</button>
          <a class="button secondary" href="/cuenta">
            Ahora no
          </a>
        </form>
      </div>
    </Layout>
  )
}

/** Somebody else is signed in than the one who was invited. */
export function otherAccountPage({
  invitacion,
  account,
  support,
}: Omit<Invited, 'token' | 'app'> & { account: Account }) {
  return (
    <Layout title="La invitación es para otra cuenta" visitor={account} support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>La invitación es para otra cuenta</h1>
          <p>
            Llegó a <strong>{invitacion.adminMail}</strong>, y usted entró como <strong>{account.email}</strong>. Salga,
            y abra otra vez el enlace del correo.
          </p>
        </header>
        <form method="post" action="/salir" class="row">
          <button type="submit">Salir</button>
          <a class="button secondary" href="/cuenta">
            Ir a mi cuenta
          </a>
        </form>
      </div>
    </Layout>
  )
}

const TestBadge = ({ app }: { app: App }) =>
  app.modo === 'prueba' ? (
    <p class="overline">
      <span class="badge warning">Modo de prueba</span>
    </p>
  ) : null
