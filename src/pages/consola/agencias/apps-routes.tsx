import { findApp } from '../../../apps/store.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { connect, detach } from '../../../resources/agencias/associations.ts'
import { asociacionesOf } from '../../../resources/agencias/read.ts'
import { appsToAssociate } from '../../../resources/agencias/staff.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { permissionsIn } from '../../permissions.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsolePages } from '../context.tsx'
import { type ById, openAgencias } from './access.ts'
import { AGENCIAS, agenciaHref } from './parts.tsx'

const NOT_TO_ASSOCIATE = 'Elija una app habilitada, del modo de la agencia, que no trabaje ya con ella.'

type ByApp = { Params: { id: string; appKey: string } }

/** /consola/agencias/{id}/apps: who may work with the agency, decided by the marketplace. */
export function agenciaAppsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps
  const agencias = openAgencias(deps)

  /** An app that is associated with the agency today; 404 for any other. */
  async function associated(agenciaId: number, appKey: string) {
    const found = (await asociacionesOf(store, agenciaId)).find((each) => each.app.appKey === appKey)
    if (!found) throw notFound('Esa app no trabaja con la agencia.')
    return found.app
  }

  app.post<ById>('/agencias/:id/apps', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    const form = formOf(request)
    const appKey = line(form, 'App')
    const known = (await appsToAssociate(store, agencia)).some((each) => each.appKey === appKey)
    const chosen = known ? await findApp(store, appKey) : undefined
    if (!chosen) throw conflict({ App: [NOT_TO_ASSOCIATE] }, NOT_TO_ASSOCIATE)
    const permisos = permissionsIn(form)
    await connect(deps, chosen, agencia, permisos)
    await ctx.audit('agencia.asociar', agencia.adminMail, { app: appKey, ...permisos })
    return redirectWithNotice(reply, 'agencia-asociada', `${agenciaHref(agencia)}#apps`)
  })

  app.post<ByApp>('/agencias/:id/apps/:appKey', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    const { appKey } = await associated(agencia.id, request.params.appKey)
    const full = await findApp(store, appKey)
    if (!full) throw notFound()
    const permisos = permissionsIn(formOf(request))
    await connect(deps, full, agencia, permisos)
    await ctx.audit('agencia.permisos', agencia.adminMail, { app: appKey, ...permisos })
    return redirectWithNotice(reply, 'agencia-permisos', `${agenciaHref(agencia)}#apps`)
  })

  serveConfirmation(app, '/agencias/:id/apps/:appKey/terminar', {
    audience: CONSOLE,
    section: AGENCIAS,
    load: async ({ id, appKey }: ByApp['Params']) => {
      const agencia = await agencias.find(id)
      return { agencia, app: await associated(agencia.id, appKey) }
    },
    above: ({ agencia }) => ({ href: agenciaHref(agencia), label: agencia.nombre }),
    question: ({ app: { nombre } }) => ({
      title: `¿Terminar la asociación con ${nombre}?`,
      button: 'Sí, terminar',
      consequences: (
        <ul>
          <li>{nombre} deja de ver los datos y las consultas de la agencia, y recibe agencia.desasociada.</li>
          <li>Los avisos que publicó allí quedan suspendidos; los eventos de la agencia desaparecen para la app.</li>
          <li>La agencia, sus datos y sus otras apps siguen como están.</li>
        </ul>
      ),
    }),
    act: async ({ agencia, app: detached }, ctx) => {
      await store.transaction((tx) => detach(tx, deps, { app: detached, agencia, by: 'mercado' }))
      await ctx.audit('agencia.desasociar', agencia.adminMail, { app: detached.appKey })
    },
    notice: 'agencia-desasociada',
    next: ({ agencia }) => `${agenciaHref(agencia)}#apps`,
  })
}
