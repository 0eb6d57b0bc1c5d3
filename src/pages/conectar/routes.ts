import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findApp } from '../../apps/store.ts'
import { notFound } from '../../http/problems.ts'
import { connect } from '../../resources/agencias/associations.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { agenciaOfAccount, asociacionesOf } from '../../resources/agencias/read.ts'
import { CONFIRMATION, formOf } from '../form.ts'
import { HIDDEN, page } from '../page.ts'
import { permissionsIn } from '../permissions.tsx'
import { type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { cannotConnectPage, connectPage, connectSignInPage } from './page.tsx'

type ByApp = { Params: { appKey: string } }

/** /conectar/{AppKey}: a registered agency lets an app in. */
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
