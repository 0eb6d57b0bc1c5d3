import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { findApp } from '../../apps/store.ts'
import { notFound } from '../../http/problems.ts'
import type { Support } from '../../mail/content.ts'
import type { Agencia, Permisos } from '../../resources/agencias/agencia.ts'
import { connect } from '../../resources/agencias/associations.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { agenciaOfAccount, asociacionesOf } from '../../resources/agencias/read.ts'
import { SignInForm } from '../entrar/routes.tsx'
import { CONFIRMATION, formOf } from '../form.ts'
import { Layout } from '../layout.tsx'
import { HIDDEN, page } from '../page.ts'
import { ButtonLink, SecondaryLink } from '../parts.tsx'
import { ALWAYS, PermissionTicks, permissionsIn } from '../permissions.tsx'
import { type PageDeps, redirectWithNotice } from '../signed-in.ts'

type ByApp = { Params: { appKey: string } }

/** /conectar/{AppKey}: a registered agency associates an app. */
export function connectRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions, config } = deps
  const support = supportOf(config)

  /** The app and the agency that the person may associate; otherwise it shows why not. */
  async function open(request: FastifyRequest<ByApp>, reply: FastifyReply) {
    const found = await findApp(store, request.params.appKey)
    const account = await sessions.signedIn(request)
    if (!found || found.disabled || (account && account.modo !== found.modo)) throw notFound()
    if (!account) return void page(reply, connectSignInPage({ app: found, support }))
    const agencia = await agenciaOfAccount(store, account)
    if (agencia?.rol === 'administrador') return { app: found, account, agencia }
    return void page(reply, cannotConnectPage({ app: found, account, agencia, support }), 403)
  }

  app.get<ByApp>('/conectar/:appKey', HIDDEN, async (request, reply) => {
    const found = await open(request, reply)
    if (!found) return reply
    const { app: partner, account, agencia } = found
    const present = (await asociacionesOf(store, agencia.id)).find((each) => each.app.id === partner.id)
    return page(reply, connectPage({ app: partner, account, agencia, present, support }))
  })

  app.post<ByApp>('/conectar/:appKey', CONFIRMATION, async (request, reply) => {
    const found = await open(request, reply)
    if (!found) return reply
    await connect(deps, found.app, found.agencia, permissionsIn(formOf(request)))
    return redirectWithNotice(reply, 'asociada')
  })
}

interface ConnectionProps {
  app: App
  support: Support
}

/** A person who follows an app's link signs in first. */
const connectSignInPage = ({ app, support }: ConnectionProps) => (
  <Layout title={`Asociar ${app.nombre}`} visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>Asociar {app.nombre} a su agencia</h1>
        <p>Entre con la cuenta que administra la agencia. Después verá qué pide la app, y decide.</p>
      </header>
      <SignInForm volver={`/conectar/${app.appKey}`} modo={app.modo} />
    </div>
  </Layout>
)

interface ConnectProps extends ConnectionProps {
  account: Account
  agencia: Agencia
  /** The permissions today, if the app is already associated. */
  present: Permisos | undefined
}

const NOTHING: Permisos = { editar: false, consultasDeCatalogo: false, consultasDeOtros: false }

/** The permissions that the app asks for; none is preselected. */
const connectPage = ({ app, account, agencia, present, support }: ConnectProps) => (
  <Layout title={`Asociar ${app.nombre}`} visitor={account} support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>
          {app.nombre} quiere trabajar con {agencia.nombre}
        </h1>
        <p>
          {present
            ? 'Ya está asociada a su agencia. Aquí puede cambiar lo que le permite.'
            : 'Al aceptar queda asociada a su agencia. Desde su cuenta puede cambiarlo o terminarlo cuando quiera.'}
        </p>
      </header>
      <section>
        <h2>Siempre verá</h2>
        <ul class="checks">
          {ALWAYS.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </section>
      <form method="post" action={`/conectar/${app.appKey}`} class="sheet">
        <fieldset>
          <legend>Además pide permiso para</legend>
          <PermissionTicks permisos={present ?? NOTHING} />
        </fieldset>
        <div class="row">
          <button type="submit">{present ? 'Guardar' : 'Aceptar y asociar'}</button>
          <SecondaryLink href="/cuenta">Ahora no</SecondaryLink>
        </div>
      </form>
    </div>
  </Layout>
)

interface CannotProps extends ConnectionProps {
  account: Account
  /** The agency where the person works without administering it. */
  agencia: Agencia | undefined
}

/** Only an agency's administrator decides which apps see it. */
const cannotConnectPage = ({ app, account, agencia, support }: CannotProps) => (
  <Layout title="Lo decide quien administra la agencia" visitor={account} support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>Lo decide quien administra la agencia</h1>
        {agencia ? (
          <p>
            A {agencia.nombre} la administra <strong>{agencia.adminMail}</strong>: reenvíele el enlace de {app.nombre}{' '}
            para que la asocie.
          </p>
        ) : (
          <p>
            Su cuenta no administra ninguna agencia. Entre con la que lo hace, o pida a {app.nombre} que le invite a
            registrar la suya.
          </p>
        )}
      </header>
      <p>
        <ButtonLink href="/cuenta">Ir a mi cuenta</ButtonLink>
      </p>
    </div>
  </Layout>
)
