import type { Errors } from '../../../http/problems.ts'
import { listSitiosForStaff, newestSitio } from '../../../sitios/store.ts'
import { FaultList, Field, Select } from '../../fields.tsx'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { Moment } from '../../format.tsx'
import { defineList, numberedPage } from '../../list.tsx'
import { CONSOLE } from '../context.tsx'
import { MODOS, ModoBadge } from '../modo.tsx'

export const SITIOS = '/consola/sitios'

/** A refused form: what was filled in, and what is wrong with it. */
export interface RefusedSitio {
  given: { nombre: string; modo: string }
  errors: Errors
}

/** The marketplace's own sites, whose keys hand in inquiries and read what is on offer. */
export const SITIOS_LIST = defineList({
  audience: CONSOLE,
  section: SITIOS,
  title: 'Sitios',
  lead: () => <p>Los sitios propios del mercado. Con su clave entregan consultas y leen avisos.</p>,
  filters: {
    q: searchFilter('Sitio'),
    modo: selectFilter('Modo', 'Todos', MODOS),
    estado: selectFilter('Clave', 'Todas', [
      ['vigentes', 'Vigentes'],
      ['revocadas', 'Revocadas'],
    ]),
  },
  load: async ({ store }, request) => {
    const [found, newest] = await Promise.all([
      numberedPage(request, (cursor) => listSitiosForStaff(store, request.filters, cursor)),
      newestSitio(store),
    ])
    return { ...found, newest }
  },
  idOf: ({ id }) => id,
  columns: (ctx) => [
    { head: 'Número', text: ({ id }) => id },
    { head: 'Sitio', cell: ({ nombre }) => <strong>{nombre}</strong>, text: ({ nombre }) => nombre },
    { head: 'Modo', cell: ({ modo }) => <ModoBadge modo={modo} />, text: ({ modo }) => modo },
    { head: 'Creado', cell: ({ creado }) => <Moment at={creado} when={ctx} />, text: ({ creado }) => creado },
    {
      head: 'Clave',
      cell: ({ id, nombre, revocado }) =>
        revocado ? (
          <span>
            <span class="badge status-5">revocada</span> <Moment at={revocado} when={ctx} />
          </span>
        ) : (
          <span class="row">
            <span class="badge status-2">vigente</span>
            <a class="danger" href={`${SITIOS}/${id}/revocar`}>
              Revocar<span class="visually-hidden"> la clave de {nombre}</span>
            </a>
          </span>
        ),
      text: ({ revocado }) => (revocado ? 'revocada' : 'vigente'),
    },
    { head: 'Revocada', text: ({ revocado }) => revocado },
  ],
  empty: {
    none: 'Todavía no hay sitios. Cree uno para que el sitio del mercado pueda entregar consultas.',
    noMatch: 'No hay sitios así.',
    all: 'Ver todos',
  },
  csvName: 'sitios',
  after: ({ found }, refused: RefusedSitio | undefined) => (
    <section>
      <h2>Crear un sitio</h2>
      <form method="post" action={SITIOS} class="sheet limited" novalidate>
        {/* A form that is sent twice names a number that is no longer the newest. */}
        <input type="hidden" name="ultimo" value={found.newest} />
        <Fields {...refused} />
        <button type="submit">Crear y ver la clave</button>
      </form>
    </section>
  ),
})

const Fields = ({ given, errors }: Partial<RefusedSitio>) => (
  <>
    <FaultList errors={errors} />
    <Field name="Nombre" label="Nombre" value={given?.nombre} errors={errors} more={{ maxlength: 120 }} />
    <Select
      name="Modo"
      label="Modo"
      value={given?.modo}
      errors={errors}
      choices={MODOS}
      hint="No se cambia después: producción y prueba no se ven entre sí."
    />
  </>
)
