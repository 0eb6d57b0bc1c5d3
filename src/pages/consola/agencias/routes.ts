import { findApp } from '../../../apps/store.ts'
import { listAgenciasForStaff } from '../../../resources/agencias/staff.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { page } from '../../page.ts'
import { type Asking, choiceParam, numberedCursorParam, textParam, wantsCsv } from '../../params.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { MODO_NAMES } from '../modo.tsx'
import { type ById, openAgencias } from './access.ts'
import { agenciaAppsRoutes } from './apps-routes.tsx'
import { invitacionesRoutes } from './invitations-routes.ts'
import { agenciaCsv, agenciasPage, type Filters } from './list-page.tsx'
import { agenciaPage } from './one-page.tsx'
import { packageRoutes } from './package-routes.ts'
import { PAQUETES } from './parts.tsx'
import { agenciaPeopleRoutes } from './people-routes.tsx'

/** /consola/agencias: the dealerships, whatever app brought them. */
export function agenciasRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps
  const agencias = openAgencias(deps)

  app.get<Asking>('/agencias', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    const paquetes = PAQUETES.map(([name]) => name)
    const filters: Filters = {
      q: textParam(query, 'q'),
      modo: choiceParam(query, 'modo', MODO_NAMES),
      paquete: choiceParam(query, 'paquete', paquetes),
      app: textParam(query, 'app'),
    }
    const ofApp = filters.app ? await findApp(store, filters.app) : undefined
    const { q, modo, paquete } = filters
    const wanted = { q, modo, paquete, appId: filters.app ? (ofApp?.id ?? 0) : undefined }
    const csv = wantsCsv(query)
    const turn = csv ? { limit: MOST_CSV_ROWS } : numberedCursorParam(query)
    const found = await listAgenciasForStaff(store, wanted, config.timeZone, turn)
    // Without the words: whoever looks for a person would write them into the log as well.
    await ctx.audit('agencias.listar', '', { modo, paquete, porTexto: q !== undefined, agencias: found.rows.length })
    if (csv) return sendCsv(reply, 'agencias', agenciaCsv(ctx), found.rows)
    return page(reply, agenciasPage({ ctx, filters, ofApp, found }))
  })

  app.get<ById>('/agencias/:id', async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    await ctx.audit('agencia.leer', agencia.adminMail)
    return page(reply, agenciaPage({ ctx, ...(await agencias.view(agencia)) }))
  })

  packageRoutes(app, deps)
  agenciaAppsRoutes(app, deps)
  agenciaPeopleRoutes(app, deps)
  invitacionesRoutes(app, deps)
}
