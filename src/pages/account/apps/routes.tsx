import type { FastifyInstance } from 'fastify'
import { findApp } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { connect } from '../../../resources/agencias/connect.ts'
import { detach } from '../../../resources/agencias/detach.ts'
import { readsOf } from '../../../resources/agencias/reads.ts'
import { asociacionesOf } from '../../../resources/agencias/store.ts'
import { CONFIRMATION, formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { confirmPage } from '../confirm.tsx'
import { permissionsIn } from '../permissions.tsx'
import { administers, visitOf } from '../visit.tsx'
import { appsPage } from './list-page.tsx'
import { lately } from './reads.tsx'

type ByApp = { Params: { appKey: string } }
const LIST = '/cuenta/apps'

/** /cuenta/apps, …/{AppKey}: what apps may do with the agency and have read, changed or ended by its administrator. */
export function accountAppsRoutes(app: FastifyInstance, people: People): void {
  const { store } = people

  app.get(LIST, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const { id } = visit.agencia
    const [asociaciones, reads] = [await asociacionesOf(store, id), await readsOf(store, id, lately(visit))]
    return page(reply, appsPage({ visit, asociaciones, reads }))
  })

  /** An app that is associated with the agency today; any other is not there. */
  async function associated(agenciaId: number, appKey: string) {
    const found = (await asociacionesOf(store, agenciaId)).find((each) => each.app.appKey === appKey)
    if (!found) throw notFound()
    return found
  }

  app.post<ByApp>(`${LIST}/:appKey`, CONFIRMATION, async (request, reply) => {
    const who = await administers(people, request, reply)
    if (!who) return reply
    const { appKey } = request.params
    await associated(who.agencia.id, appKey)
    const full = await findApp(store, appKey)
    if (!full) throw notFound()
    await connect(people, full, who.agencia, permissionsIn(formOf(request)))
    return done(reply, 'permisos', LIST)
  })

  app.get<ByApp>(`${LIST}/:appKey/terminar`, HIDDEN, async (request, reply) => {
    const visit = await administers(people, request, reply)
    if (!visit) return reply
    const { appKey } = request.params
    const { nombre } = (await associated(visit.agencia.id, appKey)).app
    return page(
      reply,
      confirmPage({
        visit,
        section: LIST,
        title: `¿Terminar la asociación con ${nombre}?`,
        action: `${LIST}/${appKey}/terminar`,
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

  app.post<ByApp>(`${LIST}/:appKey/terminar`, CONFIRMATION, async (request, reply) => {
    const who = await administers(people, request, reply)
    if (!who) return reply
    const { app: detached } = await associated(who.agencia.id, request.params.appKey)
    await store.transaction((tx) => detach(tx, people, { app: detached, agencia: who.agencia, by: 'agencia' }))
    return done(reply, 'terminada', LIST)
  })
}
