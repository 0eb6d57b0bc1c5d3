import type { FastifyInstance } from 'fastify'
import type { Modo } from '../../../apps/app.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { createSitioOnce, type ListedSitio, listSitios, revokeSitio } from '../../../sitios/store.ts'
import { formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { allowScript } from '../../security.ts'
import { confirmPage } from '../confirm.tsx'
import { MODO_NAMES } from '../modo.tsx'
import { visitBy } from '../visit.tsx'
import { SITIOS, sitiosPage } from './list-page.tsx'
import { sitioMadePage } from './made-page.tsx'

type ById = { Params: { id: string } }
const MAX_NAME = 120

/** /consola/sitios: the marketplace's own sites and their keys. */
export function sitiosRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people

  app.get(SITIOS, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    return page(reply, sitiosPage({ visit, sitios: await newestFirst() }))
  })

  app.post(SITIOS, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const form = formOf(request)
    const given = { nombre: line(form, 'Nombre'), modo: line(form, 'Modo') }
    const errors = faults(given)
    if (Object.keys(errors).length > 0)
      return page(reply, sitiosPage({ visit, sitios: await newestFirst(), given, errors }), 400)
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

  app.post<ById>(`${SITIOS}/:id/revocar`, HIDDEN, async (request, reply) => {
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

  const newestFirst = async () => (await listSitios(store)).reverse()
}

function faults({ nombre, modo }: { nombre: string; modo: string }): Errors {
  return {
    ...(nombre === '' && { Nombre: ['Falta el nombre.'] }),
    ...(nombre.length > MAX_NAME && { Nombre: [`Puede tener hasta ${MAX_NAME} caracteres.`] }),
    ...(!MODO_NAMES.some((known) => known === modo) && { Modo: ['Elija producción o prueba.'] }),
  }
}
