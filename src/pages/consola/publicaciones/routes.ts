import { notFound } from '../../../http/problems.ts'
import { type ModerationTarget, reactivate, suspend } from '../../../resources/publicaciones/moderate.ts'
import { findPublicacionForStaff, type ListedPublicacion } from '../../../resources/publicaciones/staff.ts'
import { normalizeLine } from '../../../text.ts'
import { CONFIRMATION, formOf, formRoute } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { AVISOS_LIST, avisoHref } from './list.tsx'
import { avisoPage, MAX_REASON } from './one-page.tsx'

type ById = { Params: { id: string } }

/** /consola/publicaciones: what is on offer, and the marketplace's say in it. */
export function publicacionesConsoleRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/publicaciones', deps, AVISOS_LIST)

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
    return redirectWithNotice(reply, 'aviso-suspendido', avisoHref(aviso))
  })

  app.post<ById>('/publicaciones/:id/reactivar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const aviso = await find(request.params.id)
    const { estado } = await reactivate(deps, which(aviso))
    await ctx.audit('aviso.reactivar', String(aviso.id))
    return redirectWithNotice(reply, estado === 'Activa' ? 'aviso-reactivado' : 'aviso-en-espera', avisoHref(aviso))
  })
}

const which = ({ id, modo }: ListedPublicacion): ModerationTarget => ({ aviso: id, modo, by: 'mercado' })
