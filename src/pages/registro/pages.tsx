import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import type { Agencia, Invitacion } from '../../resources/agencias/agencia.ts'
import type { ReadInvitation } from '../../resources/agencias/register.ts'
import { SignInForm } from '../entrar/routes.tsx'
import { formatDay } from '../format.tsx'
import { Layout, NarrowPage, TestMode } from '../layout.tsx'
import { BrandName } from '../page.ts'
import { ButtonLink, SecondaryLink } from '../parts.tsx'
import { AlwaysSeen } from '../permissions.tsx'
import { RegistrationForm, type RegistrationFormProps } from './form.tsx'

interface Invited {
  token: string
  invitacion: Invitacion
  app: App
}

export function registrationPage({
  invitacion,
  app,
  timeZone,
  ...form
}: Invited & { timeZone: string } & Omit<RegistrationFormProps, 'adminMail'>) {
  const title = `${app.nombre} le invita a registrar su agencia`
  return (
    <Layout title={form.errors ? `Error: ${title}` : title} visitor={form.account ?? 'unknown'} script>
      <header class="lead">
        <TestMode modo={app.modo} />
        <h1>{title}</h1>
        <p>
          {app.nombre} se conecta con <BrandName />, el mercado de vehículos, y quiere trabajar con su agencia.
          Registrarla toma un minuto y no tiene costo. La invitación vence el {formatDay(invitacion.vence, timeZone)}.
        </p>
        <p class="beside">
          <a href="#significa">Qué podrá ver y hacer {app.nombre}</a>
        </p>
      </header>
      <div class="with-side">
        <RegistrationForm adminMail={invitacion.adminMail} {...form} />
        <div>
          <Meaning app={app.nombre} message={invitacion.mensaje} />
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
export function invitedSignInPage({ token, invitacion, app }: Invited) {
  const title = `${app.nombre} le invita a asociar su agencia`
  return (
    <Layout title={title} visitor="signed-out">
      <header class="lead">
        <TestMode modo={app.modo} />
        <h1>{title}</h1>
        <p>
          Usted ya tiene una cuenta en <BrandName />. Entre con su clave para ver qué pide {app.nombre} y aceptarlo.
        </p>
      </header>
      <div class="with-side">
        <SignInForm email={invitacion.adminMail} volver={`/registro/${token}`} modo={invitacion.modo} fixed />
        <div>
          <Meaning app={app.nombre} message={invitacion.mensaje} />
        </div>
      </div>
    </Layout>
  )
}

/** The owner of a registered agency decides on a second app. */
export const acceptPage = ({
  token,
  invitacion,
  app,
  account,
  agencia,
}: Invited & { account: Account; agencia: Agencia }) => (
  <NarrowPage
    title={`Asociar ${app.nombre}`}
    heading={`${app.nombre} quiere trabajar con ${agencia.nombre}`}
    overline={<TestMode modo={app.modo} />}
    visitor={account}
    lead="Al aceptar, la app queda asociada a su agencia. Sus otras apps siguen como están."
  >
    <Meaning app={app.nombre} message={invitacion.mensaje} />
    <form method="post" action={`/registro/${token}`} class="row">
      <button type="submit">Aceptar</button>
      <SecondaryLink href="/cuenta">Ahora no</SecondaryLink>
    </form>
  </NarrowPage>
)

/** What the app may do once it is associated, after its message, as text without links. */
const Meaning = ({ app, message }: { app: string; message: string | null }) => (
  <>
    {message && (
      <figure class="message">
        <figcaption>Mensaje de {app}</figcaption>
        <blockquote>{message}</blockquote>
      </figure>
    )}
    <section class="meaning" aria-labelledby="significa">
      <h2 id="significa">Qué significa</h2>
      <p>{app} podrá ver:</p>
      <AlwaysSeen />
      <p>Y podrá:</p>
      <ul class="checks">
        <li>Editar los datos de la agencia. Le avisamos por correo de cada cambio.</li>
      </ul>
      <p>No verá su clave ni las consultas de otros avisos, salvo que usted lo permita.</p>
      <p>
        <strong>Usted decide.</strong> Desde su cuenta puede cambiar lo que la app ve, o terminar la asociación, cuando
        quiera.
      </p>
    </section>
  </>
)

type Dead = Extract<ReadInvitation, { kind: 'used' | 'expired' | 'unknown' }>

export function deadInvitationPage(read: Dead) {
  if (read.kind === 'used')
    return (
      <NarrowPage
        title="Esta invitación ya se usó"
        lead="La agencia está registrada. Para verla, entre con el correo al que llegó la invitación y la clave que eligió."
      >
        <p class="row">
          <ButtonLink href="/entrar">Entrar</ButtonLink>
          <SecondaryLink href="/clave">Olvidé mi clave</SecondaryLink>
        </p>
      </NarrowPage>
    )
  if (read.kind === 'unknown')
    return (
      <NarrowPage
        title="No reconocemos este enlace"
        lead="Puede que el correo lo haya cortado, o que haya llegado después otra invitación, que reemplaza a esta."
      >
        <ul>
          <li>Abra el enlace desde el correo más reciente, o cópielo entero en la barra de direcciones.</li>
          <li>Si no lo encuentra, pida a quien le invitó que le envíe otra invitación.</li>
          <li>
            Si ya registró la agencia, <a href="/entrar">entre a su cuenta</a>.
          </li>
        </ul>
      </NarrowPage>
    )
  const { nombre } = read.app
  return read.estado === 'vencida' ? (
    <NarrowPage
      title="Esta invitación venció"
      lead={`Las invitaciones valen 14 días. Pida a ${nombre} que le envíe otra: llega en un momento y reemplaza a esta.`}
    />
  ) : (
    <NarrowPage
      title="Esta invitación ya no vale"
      lead={`${nombre} la retiró. Si cree que es un error, pídale que le envíe otra.`}
    />
  )
}
