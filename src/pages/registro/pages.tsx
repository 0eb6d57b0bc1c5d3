import type { ComponentChildren } from 'preact'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import type { Support } from '../../mail/content.ts'
import type { Agencia, Invitacion } from '../../resources/agencias/agencia.ts'
import type { ReadInvitation } from '../../resources/agencias/register.ts'
import { SignInForm } from '../entrar/routes.tsx'
import { formatDay } from '../format.tsx'
import { Layout } from '../layout.tsx'
import { ButtonLink, SecondaryLink } from '../parts.tsx'
import { ALWAYS } from '../permissions.tsx'
import { RegistrationForm, type RegistrationFormProps } from './form.tsx'

interface Invited {
  token: string
  invitacion: Invitacion
  app: App
  support: Support
}

/** The registration form, with who invites and what it means. */
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

/** For an address that has an account: its owner signs in and returns. */
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
          <SecondaryLink href="/cuenta">Ahora no</SecondaryLink>
        </form>
      </div>
    </Layout>
  )
}

/** For a person who is signed in with another account. */
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
          <SecondaryLink href="/cuenta">Ir a mi cuenta</SecondaryLink>
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

/** What the app may do once it is associated. */
const Meaning = ({ app, edits }: { app: string; edits: boolean }) => (
  <section class="meaning" aria-labelledby="significa">
    <h2 id="significa">Qué significa</h2>
    <p>{app} podrá ver:</p>
    <ul class="checks">
      {ALWAYS.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
    {edits && (
      <>
        <p>Y podrá:</p>
        <ul class="checks">
          <li>Editar los datos de la agencia. Le avisamos por correo de cada cambio.</li>
        </ul>
      </>
    )}
    <p>No verá su clave ni las consultas de otros avisos, salvo que usted lo permita.</p>
    <p>
      <strong>Usted decide.</strong> Desde su cuenta puede cambiar lo que la app ve, o terminar la asociación, cuando
      quiera.
    </p>
  </section>
)

/** The app's message, as text without links. */
const Message = ({ text, app }: { text: string | null; app: string }) =>
  text ? (
    <figure class="message">
      <figcaption>Mensaje de {app}</figcaption>
      <blockquote>{text}</blockquote>
    </figure>
  ) : null

type Dead = Extract<ReadInvitation, { kind: 'used' | 'expired' | 'unknown' }>

/** For an invitation that cannot be used. */
export function deadInvitationPage({ read, support }: { read: Dead; support: Support }) {
  const { title, text, act } = explain(read)
  return (
    <Layout title={title} visitor="unknown" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>{title}</h1>
          <p>{text}</p>
        </header>
        {act}
      </div>
    </Layout>
  )
}

const Enter = () => (
  <p class="row">
    <ButtonLink href="/entrar">Entrar</ButtonLink>
    <SecondaryLink href="/clave">Olvidé mi clave</SecondaryLink>
  </p>
)

function explain(read: Dead): { title: string; text: ComponentChildren; act: ComponentChildren } {
  if (read.kind === 'used')
    return {
      title: 'Esta invitación ya se usó',
      text: `La agencia está registrada. Para verla, entre con el correo al que llegó la invitación y la clave que eligió.`,
      act: <Enter />,
    }
  if (read.kind === 'unknown')
    return {
      title: 'No reconocemos este enlace',
      text: 'Puede que el correo lo haya cortado, o que haya llegado después otra invitación, que reemplaza a esta.',
      act: (
        <ul>
          <li>Abra el enlace desde el correo más reciente, o cópielo entero en la barra de direcciones.</li>
          <li>Si no lo encuentra, pida a quien le invitó que le envíe otra invitación.</li>
          <li>
            Si ya registró la agencia, <a href="/entrar">entre a su cuenta</a>.
          </li>
        </ul>
      ),
    }
  const { app, estado } = read
  if (estado === 'vencida')
    return {
      title: 'Esta invitación venció',
      text: `Las invitaciones valen 14 días. Pida a ${app.nombre} que le envíe otra: llega en un momento y reemplaza a esta.`,
      act: null,
    }
  return {
    title: 'Esta invitación ya no vale',
    text: `${app.nombre} la retiró. Si cree que es un error, pídale que le envíe otra.`,
    act: null,
  }
}
