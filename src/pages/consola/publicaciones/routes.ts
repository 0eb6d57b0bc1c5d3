import { findApp, listApps } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { agenciasWithMail } from '../../../resources/agencias/staff.ts'
import { type Moderated, reactivate, suspend } from '../../../resources/publicaciones/moderate.ts'
import {
  ESTADO_FILTERS,
  findPublicacionForStaff,
  type ListedPublicacion,
  listPublicacionesForStaff,
  listPublicacionesOn,
  type PublicacionesFilters,
} from '../../../resources/publicaciones/staff.ts'
import { normalizeLine } from '../../../text.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION, formOf, formRoute } from '../../form.ts'
import { page } from '../../page.ts'
import { type Asking, choiceParam, numberedCursorParam, numberParam, textParam, wantsCsv } from '../../params.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { type AvisosFilters, avisoCsv, avisosPage } from './list-page.tsx'
import { avisoPage, MAX_REASON } from './one-page.tsx'
import { avisoHref } from './parts.tsx'

type ById = { Params: { id: string } }
const MAX_EXTERNAL_ID = 255

/** /consola/publicaciones: what is on offer, and the marketplace's say in it. */
export function publicacionesConsoleRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  app.get<Asking>('/publicaciones', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    const filters: AvisosFilters = {
      aviso: numberParam(query, 'aviso'),
      externalId: textParam(query, 'externalId', MAX_EXTERNAL_ID),
      agencia: textParam(query, 'agencia'),
      app: textParam(query, 'app'),
      estado: choiceParam(query, 'estado', ESTADO_FILTERS),
    }
    const csv = wantsCsv(query)
    const wanted = await wantedOf(filters)
    const found = csv
      ? await listPublicacionesOn(store, wanted, MOST_CSV_ROWS)
      : await listPublicacionesForStaff(store, wanted, numberedCursorParam(query))
    if (csv) return sendCsv(reply, 'avisos', avisoCsv(ctx), found.rows)
    return page(reply, avisosPage({ ctx, filters, apps: await listApps(store), found }))
  })

  const wantedOf = async ({ agencia, app: appKey, ...rest }: AvisosFilters): Promise<PublicacionesFilters> => ({
    ...rest,
    agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
    appId: appKey === undefined ? undefined : ((await findApp(store, appKey))?.id ?? 0),
  })

  async function find(id: string): Promise<ListedPublicacion> {
    const found = /^\d{1,9}$/.test(id) ? await findPublicacionForStaff(store, Number(id)) : undefined
    if (!found) throw notFound('No hay un aviso así.')
    return found
  }

  app.get<ById>('/publicaciones/:id', async (request, reply) => {
    const { ctx } = request
    return page(reply, avisoPage({ ctx, aviso: await find(request.params.id) }))
  })

  app.post<ById>('/publicaciones/:id/suspender', formRoute(MAX_REASON), async (request, reply) => {
    const { ctx } = request
    const aviso = await find(request.params.id)
    const motivo = normalizeLine(formOf(request).get('Motivo') ?? '')
    const fault =
      motivo === '' ? 'Falta el motivo.' : motivo.length > MAX_REASON && `Puede tener hasta ${MAX_REASON} caracteres.`
    if (fault) return page(reply, avisoPage({ ctx, aviso, refused: { motivo, errors: { Motivo: [fault] } } }), 400)
    await suspend(deps, which(aviso), motivo)
    await ctx.audit('aviso.suspender', String(aviso.id), { motivo })
    return done(reply, 'aviso-suspendido', avisoHref(aviso))
  })

  app.post<ById>('/publicaciones/:id/reactivar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const aviso = await find(request.params.id)
    const { estado } = await reactivate(deps, which(aviso))
    await ctx.audit('aviso.reactivar', String(aviso.id))
    return done(reply, estado === 'Activa' ? 'aviso-reactivado' : 'aviso-en-espera', avisoHref(aviso))
  })
}

const which = ({ id, modo }: ListedPublicacion): Moderated => ({ aviso: id, modo, by: 'mercado' })
