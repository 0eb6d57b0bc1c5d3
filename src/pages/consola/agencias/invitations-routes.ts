import { findApp, listApps } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import {
  ESTADOS_INVITACION,
  listInvitaciones,
  resendInvitacion,
  revokeInvitacion,
} from '../../../resources/agencias/invitations.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type Asking, choiceParam, numberedCursorParam, textParam, wantsCsv } from '../../params.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { inWords } from '../refuse.ts'
import type { ById } from './access.ts'
import { type InvitacionesFilters, invitacionColumns, invitacionesPage } from './invitations-page.tsx'
import { INVITACIONES } from './parts.tsx'

const NO_SUCH = 'No hay una invitación abierta así.'

/** /consola/agencias/invitaciones: whom apps invited. */
export function invitacionesRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  app.get<Asking>('/agencias/invitaciones', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    const filters: InvitacionesFilters = {
      mail: textParam(query, 'mail'),
      app: textParam(query, 'app'),
      estado: choiceParam(query, 'estado', ESTADOS_INVITACION),
    }
    const { mail, estado } = filters
    const appId = filters.app ? ((await findApp(store, filters.app))?.id ?? 0) : undefined
    const csv = wantsCsv(query)
    const turn = csv ? { limit: MOST_CSV_ROWS } : numberedCursorParam(query)
    const found = await listInvitaciones(store, { mail, appId, estado }, turn)
    // Without the address: the log is no second place for it.
    const noted = { estado, porCorreo: mail !== undefined, invitaciones: found.rows.length }
    await ctx.audit('invitaciones.listar', '', noted)
    if (csv) return sendCsv(reply, 'invitaciones', invitacionColumns(ctx), found.rows)
    return page(reply, invitacionesPage({ ctx, filters, apps: await listApps(store), found }))
  })

  app.post<ById>('/agencias/invitaciones/:id/revocar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const id = numberOf(request.params.id)
    if (!(await revokeInvitacion(deps, id))) throw notFound(NO_SUCH)
    await ctx.audit('invitacion.revocar', String(id))
    return done(reply, 'invitacion-revocada', backOf(formOf(request)))
  })

  app.post<ById>('/agencias/invitaciones/:id/reenviar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const id = numberOf(request.params.id)
    const sent = await resendInvitacion(deps, id).catch((error: unknown) => {
      throw inWords(error)
    })
    if (!sent) throw notFound(NO_SUCH)
    await ctx.audit('invitacion.reenviar', String(id))
    return done(reply, 'invitacion-reenviada', backOf(formOf(request)))
  })
}

function numberOf(id: string): number {
  if (!/^\d{1,9}$/.test(id)) throw notFound(NO_SUCH)
  return Number(id)
}

/** The page that the act was done from: the list, or one agency. */
function backOf(form: URLSearchParams): string {
  const back = line(form, 'Volver')
  return /^\/consola\/agencias\/\d{1,9}$/.test(back) ? `${back}#invitaciones` : INVITACIONES
}
