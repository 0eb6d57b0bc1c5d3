import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Modo } from '../../../apps/app.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { listSitiosForStaff, newestSitio } from '../../../sitios/staff.ts'
import { createSitioOnce, type ListedSitio, listSitios, revokeSitio } from '../../../sitios/store.ts'
import { type Asking, choiceAsked, numberedTurnAsked, type Query, textAsked, wantsCsv } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION, formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { allowScript } from '../../security.ts'
import { confirmPage } from '../confirm.tsx'
import { MODO_NAMES } from '../modo.tsx'
import { type Visit, visitBy } from '../visit.tsx'
import { CLAVES, SITIOS, sitioCsv, sitiosPage } from './list-page.tsx'
import { sitioMadePage } from './made-page.tsx'

type ById = { Params: { id: string } }
/** What was filled in, and what is wrong with it. */
type Refused = { given: { nombre: string; modo: string }; errors: Errors }
const MAX_NAME = 120

/** /consola/sitios: the marketplace's own sites and their keys. */
export function sitiosRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people

  async function show(reply: FastifyReply, visit: Visit, query: Query, refused?: Refused): Promise<FastifyReply> {
    const looked = lookedIn(query)
    const [found, newest] = await Promise.all([
      listSitiosForStaff(store, looked, numberedTurnAsked(query)),
      newestSitio(store),
    ])
    return page(reply, sitiosPage({ visit, looked, found, newest, ...refused }), refused ? 400 : 200)
  }

  app.get<Asking>(SITIOS, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { query } = request
    if (!wantsCsv(query)) return show(reply, visit, query)
    const { rows } = await listSitiosForStaff(store, lookedIn(query), { limit: MOST_CSV_ROWS })
    return sendCsv(reply, 'sitios', sitioCsv(visit), rows)
  })

  app.post(SITIOS, formRoute(MAX_NAME), async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const form = formOf(request)
    const given = { nombre: line(form, 'Nombre'), modo: line(form, 'Modo') }
    const errors = faults(given)
    if (Object.keys(errors).length > 0) return show(reply, visit, {}, { given, errors })
    const newest = Number(/^\d{1,9}$/.exec(line(form, 'ultimo'))?.[0] ?? 0)
    const made = await createSitioOnce(store, { nombre: given.nombre, modo: given.modo as Modo }, newest)
    if (!made) return done(reply, 'sitio-ya-creado', SITIOS)
    await visit.note('sitio.crear', String(made.sitio.id), { nombre: given.nombre, modo: given.modo })
    return page(allowScript(reply), sitioMadePage({ visit, ...made, publicUrl: config.publicUrl }), 201)
  })

  app.get<ById>(`${SITIOS}/:id/revocar`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { id, nombre } = await live(request.params.id)
    return page(
      reply,
      confirmPage({
        visit,
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

  app.post<ById>(`${SITIOS}/:id/revocar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { id } = await live(request.params.id)
    await revokeSitio(store, id)
    await visit.note('sitio.revocar', String(id))
    return done(reply, 'sitio-revocado', SITIOS)
  })

  /** A site whose key is good; any other is not there to be revoked. */
  async function live(id: string): Promise<ListedSitio> {
    const found = (await listSitios(store)).find((sitio) => String(sitio.id) === id && sitio.revocado === null)
    if (!found) throw notFound('No hay un sitio así con una clave vigente.')
    return found
  }
}

const lookedIn = (query: Query) => ({
  q: textAsked(query, 'q'),
  modo: choiceAsked(query, 'modo', MODO_NAMES),
  estado: choiceAsked(
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
