import type { FastifyInstance } from 'fastify'
import { findApp } from '../../apps/store.ts'
import { notFound } from '../../http/problems.ts'
import { connect } from '../../resources/agencias/connect.ts'
import { detach } from '../../resources/agencias/detach.ts'
import { asociacionesOf } from '../../resources/agencias/store.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import { formOf } from '../form.ts'
import { page } from '../page.ts'
import { done, HIDDEN, type People } from '../people.ts'
import { administers } from './administers.ts'
import { confirmPage } from './confirm.tsx'
import { permissionsIn } from './permissions.tsx'

type ByApp = { Params: { appKey: string } }

/** /cuenta/apps/{AppKey}: what an app may do with the agency, changed or ended by its administrator. */
export function accountAppsRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people

  /** An app that is associated with the agency today; any other is not there. */
  async function associated(agenciaId: number, appKey: string) {
    const found = (await asociacionesOf(store, agenciaId)).find((each) => each.app.appKey === appKey)
    if (!found) throw notFound()
    return found
  }

  app.post<ByApp>('/cuenta/apps/:appKey', HIDDEN, async (request, reply) => {
    const who = await administers(people, request, reply)
    if (!who) return reply
    const { appKey } = request.params
    await associated(who.agencia.id, appKey)
    const full = await findApp(store, appKey)
    if (!full) throw notFound()
    await connect(people, full, who.agencia, permissionsIn(formOf(request)))
    return done(reply, 'permisos')
  })

  app.get<ByApp>('/cuenta/apps/:appKey/terminar', HIDDEN, async (request, reply) => {
    const { appKey } = request.params
    const who = await administers(people, request, reply, `/cuenta/apps/${appKey}/terminar`)
    if (!who) return reply
    const { account, agencia } = who
    const { nombre } = (await associated(agencia.id, appKey)).app
    return page(
      reply,
      confirmPage({
        account,
        support: supportOf(config),
        title: `¿Terminar la asociación con ${nombre}?`,
        action: `/cuenta/apps/${appKey}/terminar`,
        button: 'Sí, terminar',
        children: (
          <ul>
            <li>{nombre} deja de ver los datos y las consultas de la agencia.</li>
            <li>Los avisos que publicó por usted quedan suspendidos.</li>
            <li>Su cuenta y sus otras apps siguen como están. Puede volver a asociarla cuando quiera.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<ByApp>('/cuenta/apps/:appKey/terminar', HIDDEN, async (request, reply) => {
    const who = await administers(people, request, reply)
    if (!who) return reply
    const { app: detached } = await associated(who.agencia.id, request.params.appKey)
    await store.transaction((tx) => detach(tx, people, { app: detached, agencia: who.agencia, by: 'agencia' }))
    return done(reply, 'terminada')
  })
}
