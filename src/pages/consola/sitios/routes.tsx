import type { FastifyReply } from 'fastify'
import type { Modo } from '../../../apps/app.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { listSitiosForStaff, newestSitio } from '../../../sitios/staff.ts'
import { createSitioOnce, type ListedSitio, listSitios, revokeSitio } from '../../../sitios/store.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION, formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type Asking, choiceParam, numberedCursorParam, type Query, textParam, wantsCsv } from '../../params.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { confirmPage } from '../confirm.tsx'
import type { ConsoleContext, ConsolePages } from '../context.tsx'
import { MODO_NAMES } from '../modo.tsx'
import { CLAVES, SITIOS, sitioCsv, sitiosPage } from './list-page.tsx'
import { sitioMadePage } from './made-page.tsx'

type ById = { Params: { id: string } }
/** What was filled in, and what is wrong with it. */
type Refused = { given: { nombre: string; modo: string }; errors: Errors }
const MAX_NAME = 120

/** /consola/sitios: the marketplace's own sites and their keys. */
export function sitiosRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps

  async function show(
    reply: FastifyReply,
    ctx: ConsoleContext,
    query: Query,
    refused?: Refused,
  ): Promise<FastifyReply> {
    const filters = parseFilters(query)
    const [found, newest] = await Promise.all([
      listSitiosForStaff(store, filters, numberedCursorParam(query)),
      newestSitio(store),
    ])
    return page(reply, sitiosPage({ ctx, filters, found, newest, ...refused }), refused ? 400 : 200)
  }

  app.get<Asking>('/sitios', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    if (!wantsCsv(query)) return show(reply, ctx, query)
    const { rows } = await listSitiosForStaff(store, parseFilters(query), { limit: MOST_CSV_ROWS })
    return sendCsv(reply, 'sitios', sitioCsv(ctx), rows)
  })

  app.post('/sitios', formRoute(MAX_NAME), async (request, reply) => {
    const { ctx } = request
    const form = formOf(request)
    const given = { nombre: line(form, 'Nombre'), modo: line(form, 'Modo') }
    const errors = faults(given)
    if (Object.keys(errors).length > 0) return show(reply, ctx, {}, { given, errors })
    const newest = Number(/^\d{1,9}$/.exec(line(form, 'ultimo'))?.[0] ?? 0)
    const made = await createSitioOnce(store, { nombre: given.nombre, modo: given.modo as Modo }, newest)
    if (!made) return done(reply, 'sitio-ya-creado', SITIOS)
    await ctx.audit('sitio.crear', String(made.sitio.id), { nombre: given.nombre, modo: given.modo })
    return page(allowScript(reply), sitioMadePage({ ctx, ...made, publicUrl: config.publicUrl }), 201)
  })

  app.get<ById>('/sitios/:id/revocar', async (request, reply) => {
    const { ctx } = request
    const { id, nombre } = await live(request.params.id)
    return page(
      reply,
      confirmPage({
        ctx,
        current: SITIOS,
        above: { href: SITIOS, label: 'Sitios' },
        title: `¿Revocar la clave de ${nombre}?`,
        action: `${SITIOS}/${id}/revocar`,
        button: 'Sí, revocar',
        children: (
          <ul>
            <li>En un segundo deja de servir: el sitio ya no puede entregar consultas ni leer avisos.</li>
            <li>Lo que entregó queda como está.</li>
            <li>No se puede deshacer. Para volver, cree otro sitio y cambie la clave allí.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<ById>('/sitios/:id/revocar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { id } = await live(request.params.id)
    await revokeSitio(store, id)
    await ctx.audit('sitio.revocar', String(id))
    return done(reply, 'sitio-revocado', SITIOS)
  })

  /** A site whose key is good; any other is not there to be revoked. */
  async function live(id: string): Promise<ListedSitio> {
    const found = (await listSitios(store)).find((sitio) => String(sitio.id) === id && sitio.revocado === null)
    if (!found) throw notFound('No hay un sitio así con una clave vigente.')
    return found
  }
}

const parseFilters = (query: Query) => ({
  q: textParam(query, 'q'),
  modo: choiceParam(query, 'modo', MODO_NAMES),
  estado: choiceParam(
    query,
    'estado',
    CLAVES.map(([name]) => name),
  ),
})

function faults({ nombre, modo }: { nombre: string; modo: string }): Errors {
  return {
    ...(nombre === '' && { Nombre: ['Falta el nombre.'] }),
    ...(nombre.length > MAX_NAME && { Nombre: [`Puede tener hasta ${MAX_NAME} caracteres.`] }),
    ...(!MODO_NAMES.some((known) => known === modo) && { Modo: ['Elija producción o prueba.'] }),
  }
}
