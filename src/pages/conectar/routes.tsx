import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { findApp } from '../../apps/store.ts'
import { notFound } from '../../http/problems.ts'
import type { Agencia, Permisos } from '../../resources/agencias/agencia.ts'
import { connect } from '../../resources/agencias/associations.ts'
import { agenciaOfAccount, asociacionesOf } from '../../resources/agencias/read.ts'
import { SignInForm } from '../entrar/routes.tsx'
import { CONFIRMATION_FORM } from '../form.ts'
import { NarrowPage } from '../layout.tsx'
import { HIDDEN, page } from '../page.ts'
import { ButtonLink, SecondaryLink, Section } from '../parts.tsx'
import { AlwaysSeen, PermissionTicks, permissionsIn } from '../permissions.tsx'
import { type ByAppKey, type PageDeps, redirectWithNotice } from '../signed-in.ts'

/** /conectar/{AppKey}: a registered agency associates an app. */
export function connectRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions } = deps

  /** The app and the agency that the person may associate; otherwise it shows why not. */
  async function open(request: FastifyRequest<ByAppKey>, reply: FastifyReply) {
    const found = await findApp(store, request.params.appKey)
    const account = await sessions.signedIn(request)
    if (!found || found.disabled || (account && account.modo !== found.modo)) throw notFound()
    if (!account) return void page(reply, connectSignInPage({ app: found }))
    const agencia = await agenciaOfAccount(store, account)
    if (agencia?.rol === 'administrador') return { app: found, account, agencia }
    return void page(reply, cannotConnectPage({ app: found, account, agencia }), 403)
  }

  app.get<ByAppKey>('/conectar/:appKey', HIDDEN, async (request, reply) => {
    const found = await open(request, reply)
    if (!found) return reply
    const { app: partner, account, agencia } = found
    const present = (await asociacionesOf(store, agencia.id)).find((each) => each.app.id === partner.id)
    return page(reply, connectPage({ app: partner, account, agencia, present }))
  })

  app.post<ByAppKey>('/conectar/:appKey', CONFIRMATION_FORM, async (request, reply) => {
    const found = await open(request, reply)
    if (!found) return reply
    await connect(deps, found.app, found.agencia, permissionsIn(request.form))
    return redirectWithNotice(reply, 'asociada')
  })
}

/** A person who follows an app's link signs in first. */
const connectSignInPage = ({ app }: { app: App }) => (
  <NarrowPage
    title={`Asociar ${app.nombre}`}
    heading={`Asociar ${app.nombre} a su agencia`}
    lead="Entre con la cuenta que administra la agencia. Después verá qué pide la app, y decide."
  >
    <SignInForm volver={`/conectar/${app.appKey}`} modo={app.modo} />
  </NarrowPage>
)

interface ConnectProps {
  app: App
  account: Account
  agencia: Agencia
  /** The permissions today, if the app is already associated. */
  present: Permisos | undefined
}

/** The permissions that the app asks for; none is preselected. */
const connectPage = ({ app, account, agencia, present }: ConnectProps) => (
  <NarrowPage
    title={`Asociar ${app.nombre}`}
    heading={`${app.nombre} quiere trabajar con ${agencia.nombre}`}
    visitor={account}
    lead={
      present
        ? 'Ya está asociada a su agencia. Aquí puede cambiar lo que le permite.'
        : 'Al aceptar queda asociada a su agencia. Desde su cuenta puede cambiarlo o terminarlo cuando quiera.'
    }
  >
    <Section title="Siempre verá">
      <AlwaysSeen />
    </Section>
    <form method="post" action={`/conectar/${app.appKey}`} class="sheet">
      <fieldset>
        <legend>Además pide permiso para</legend>
        <PermissionTicks permisos={present} />
      </fieldset>
      <div class="row">
        <button type="submit">{present ? 'Guardar' : 'Aceptar y asociar'}</button>
        <SecondaryLink href="/cuenta">Ahora no</SecondaryLink>
      </div>
    </form>
  </NarrowPage>
)

/** Only an agency's administrator decides which apps see it; `agencia` is where the person works, if anywhere. */
const cannotConnectPage = ({
  app,
  account,
  agencia,
}: Pick<ConnectProps, 'app' | 'account'> & { agencia?: Agencia | undefined }) => (
  <NarrowPage
    title="Lo decide quien administra la agencia"
    visitor={account}
    lead={
      agencia
        ? `A ${agencia.nombre} la administra ${agencia.adminMail}: reenvíele el enlace de ${app.nombre} para que la asocie.`
        : `Su cuenta no administra ninguna agencia. Entre con la que lo hace, o pida a ${app.nombre} que le invite a registrar la suya.`
    }
  >
    <p>
      <ButtonLink href="/cuenta">Ir a mi cuenta</ButtonLink>
    </p>
  </NarrowPage>
)
