import { dayOf } from '../../../http/dates.ts'
import { notFound } from '../../../http/problems.ts'
import { end, type Moderated, reactivate, suspend } from '../../../resources/publicaciones/moderate.ts'
import { listOwn } from '../../../resources/publicaciones/own.ts'
import { findAviso } from '../../../resources/publicaciones/store.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION } from '../../form.ts'
import { page } from '../../page.ts'
import type { PageRequest } from '../../page-app.ts'
import { type Asking, choiceParam, numberParam, type Query, textParam, wantsCsv } from '../../params.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { confirmPage } from '../confirm.tsx'
import { type AccountContext, type AccountPages, asAdministrator, atAgency } from '../context.tsx'
import { CSV_COLUMNS } from './columns.ts'
import { type Filters, listingsPage } from './list-page.tsx'

type ById = { Params: { id: string } }
const LIST = '/cuenta/publicaciones'
const MOST_PAGES = 10_000

/** /cuenta/publicaciones: what apps offer in the agency's name, and whether it is shown. Each app is told. */
export function listingsRoutes(app: AccountPages, deps: PageDeps): void {
  const { store } = deps

  app.get<Asking>('/publicaciones', async (request, reply) => {
    const ctx = atAgency(request.ctx)
    const { agencia, account } = ctx
    const filters = parseFilters(request.query)
    const operador = agencia.rol === 'administrador' ? undefined : account.email
    const wanted = { agenciaId: agencia.id, operador, estado: filters.estado, text: filters.q }
    if (wantsCsv(request.query)) {
      const { rows } = await listOwn(store, { ...wanted, page: 1, most: MOST_CSV_ROWS })
      return sendCsv(reply, `avisos-${dayOf(ctx.now, ctx.timeZone)}`, CSV_COLUMNS, rows)
    }
    return page(reply, listingsPage({ ctx, filters, ...(await listOwn(store, { ...wanted, page: filters.pagina })) }))
  })

  /** The administrator, and which of the agency's listings is meant. */
  function decided(request: PageRequest<AccountContext, ById>) {
    const who = asAdministrator(request.ctx)
    const { agencia, account } = who
    const which: Moderated = {
      ...{ aviso: numberParam(request.params, 'id') ?? 0, modo: account.modo, agenciaId: agencia.id, by: 'agencia' },
    }
    return { ...who, which }
  }

  app.post<ById>('/publicaciones/:id/ocultar', CONFIRMATION, async (request, reply) => {
    const who = decided(request)
    await suspend(deps, who.which, null)
    return done(reply, 'oculto', LIST)
  })

  app.post<ById>('/publicaciones/:id/mostrar', CONFIRMATION, async (request, reply) => {
    const who = decided(request)
    const { estado } = await reactivate(deps, who.which)
    return done(reply, estado === 'Activa' ? 'mostrado' : 'espera', LIST)
  })

  app.get<ById>('/publicaciones/:id/terminar', async (request, reply) => {
    const who = decided(request)
    const aviso = await findAviso(store, who.which.aviso)
    if (aviso?.agenciaId !== who.agencia.id || aviso.estado === 'Archivada') throw notFound('No existe ese aviso.')
    return page(
      reply,
      confirmPage({
        ctx: who,
        section: LIST,
        title: `¿Terminar el aviso de ${aviso.marca} ${aviso.modelo}?`,
        action: `${LIST}/${aviso.id}/terminar`,
        button: 'Sí, terminar',
        children: (
          <ul>
            <li>El auto deja de mostrarse, y no puede volver a mostrarse con este aviso.</li>
            <li>Queda libre su lugar en el paquete, y la app que lo publicó se entera.</li>
            <li>Sus consultas siguen donde están.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<ById>('/publicaciones/:id/terminar', CONFIRMATION, async (request, reply) => {
    const who = decided(request)
    await end(deps, who.which)
    return done(reply, 'archivado', LIST)
  })
}

/** What was asked for in the address; what makes no sense there is as if it had not been said. */
const parseFilters = (query: Query): Filters => ({
  q: textParam(query, 'q'),
  estado: choiceParam(query, 'estado', ['Activa', 'Suspendida'] as const),
  pagina: Math.min(Math.max(1, numberParam(query, 'pagina') ?? 1), MOST_PAGES),
})
