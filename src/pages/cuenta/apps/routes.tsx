import { findApp } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { connect, detach } from '../../../resources/agencias/associations.ts'
import { readsOf } from '../../../resources/agencias/figures.ts'
import { asociacionesOf } from '../../../resources/agencias/read.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION, formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { permissionsIn } from '../../permissions.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type AccountPages, ADMINISTRATOR, asAdministrator, atAgency } from '../context.tsx'
import { appsPage } from './list-page.tsx'
import { lately } from './reads.tsx'

type ByApp = { Params: { appKey: string } }
const APPS = '/cuenta/apps'

/** /cuenta/apps, …/{AppKey}: what apps may do with the agency and have read, changed or ended by its administrator. */
export function accountAppsRoutes(app: AccountPages, deps: PageDeps): void {
  const { store } = deps

  app.get('/apps', async (request, reply) => {
    const ctx = atAgency(request.ctx)
    const { id } = ctx.agencia
    const [asociaciones, reads] = [await asociacionesOf(store, id), await readsOf(store, id, lately(ctx))]
    return page(reply, appsPage({ ctx, asociaciones, reads }))
  })

  /** An app that is associated with the agency today; 404 for any other. */
  async function associated(agenciaId: number, appKey: string) {
    const found = (await asociacionesOf(store, agenciaId)).find((each) => each.app.appKey === appKey)
    if (!found) throw notFound()
    return found
  }

  app.post<ByApp>('/apps/:appKey', CONFIRMATION, async (request, reply) => {
    const who = asAdministrator(request.ctx)
    const { appKey } = request.params
    await associated(who.agencia.id, appKey)
    const full = await findApp(store, appKey)
    if (!full) throw notFound()
    await connect(deps, full, who.agencia, permissionsIn(formOf(request)))
    return redirectWithNotice(reply, 'permisos', APPS)
  })

  serveConfirmation(app, '/apps/:appKey/terminar', {
    audience: ADMINISTRATOR,
    section: APPS,
    load: async ({ appKey }: ByApp['Params'], { agencia }) => (await associated(agencia.id, appKey)).app,
    question: ({ nombre }) => ({
      title: `¿Terminar la asociación con ${nombre}?`,
      button: 'Sí, terminar',
      consequences: (
        <ul>
          <li>{nombre} deja de ver los datos y las consultas de la agencia.</li>
          <li>Los avisos que publicó por usted quedan suspendidos.</li>
          <li>Su cuenta y sus otras apps siguen como están. Puede volver a asociarla cuando quiera.</li>
        </ul>
      ),
    }),
    act: (detached, { agencia }) =>
      store.transaction((tx) => detach(tx, deps, { app: detached, agencia, by: 'agencia' })),
    notice: 'terminada',
  })
}
