import { written } from '../../../http/markup.ts'
import type { Errors } from '../../../http/problems.ts'
import type { SitiosFilters } from '../../../sitios/staff.ts'
import type { ListedSitio } from '../../../sitios/store.ts'
import type { ResultPage } from '../../../store/keyset.ts'
import { FaultList, Field, Select } from '../../fields.tsx'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { Moment, type When } from '../../moment.tsx'
import { pageLinks } from '../../params.ts'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { MODOS, ModoBadge } from '../modo.tsx'

export const SITIOS = '/consola/sitios'

interface Props {
  ctx: ConsoleContext
  filters: SitiosFilters
  found: ResultPage<ListedSitio>
  /** The number of the last one that was made: of a form that is sent twice, the second finds it passed. */
  newest: number
  /** What was filled in, where it was refused. */
  given?: { nombre: string; modo: string } | undefined
  errors?: Errors | undefined
}

/** The marketplace's own sites, whose keys hand in inquiries and read what is on offer. */
export function sitiosPage({ ctx, filters, found, newest, given, errors }: Props) {
  return (
    <ConsolePage
      ctx={ctx}
      title="Sitios"
      current={SITIOS}
      lead={<p>Los sitios propios del mercado. Con su clave entregan consultas y leen avisos.</p>}
    >
      <Search action={SITIOS}>
        <FilterField name="q" label="Sitio" value={filters.q} more={{ type: 'search' }} />
        <FilterSelect name="modo" label="Modo" value={filters.modo} all="Todos" choices={MODOS} />
        <FilterSelect name="estado" label="Clave" value={filters.estado} all="Todas" choices={CLAVES} />
      </Search>
      <section>
        <Table
          caption="Sitios"
          columns={columns(ctx)}
          rows={found.rows}
          keyOf={({ id }) => id}
          empty={
            Object.values(filters).some(Boolean) ? (
              <p>
                No hay sitios así. <a href={SITIOS}>Ver todos</a>
              </p>
            ) : (
              <p>Todavía no hay sitios. Cree uno para que el sitio del mercado pueda entregar consultas.</p>
            )
          }
        />
        <Pager {...pageLinks(SITIOS, { ...filters }, found, ({ id }) => id)} />
      </section>
      <section>
        <h2>Crear un sitio</h2>
        <form method="post" action={SITIOS} class="sheet limited" novalidate>
          <input type="hidden" name="ultimo" value={newest} />
          {errors ? <Fields given={given} errors={errors} /> : EMPTY_FIELDS}
          <button type="submit">Crear y ver la clave</button>
        </form>
      </section>
    </ConsolePage>
  )
}

export const CLAVES = [
  ['vigentes', 'Vigentes'],
  ['revocadas', 'Revocadas'],
] as const

const Fields = ({ given, errors }: Pick<Props, 'given' | 'errors'>) => (
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

const EMPTY_FIELDS = written(<Fields />)

const columns = (when: When): Column<ListedSitio>[] => [
  { head: 'Sitio', cell: ({ nombre }) => <strong>{nombre}</strong>, text: ({ nombre }) => nombre },
  { head: 'Modo', cell: ({ modo }) => <ModoBadge modo={modo} />, text: ({ modo }) => modo },
  { head: 'Creado', cell: ({ creado }) => <Moment at={creado} when={when} />, text: ({ creado }) => creado },
  {
    head: 'Clave',
    cell: ({ id, nombre, revocado }) =>
      revocado ? (
        <span>
          <span class="badge status-5">revocada</span> <Moment at={revocado} when={when} />
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
]

/** What a spreadsheet is told besides. */
export const sitioCsv = (when: When): Column<ListedSitio>[] => [
  { head: 'Número', cell: () => null, text: ({ id }) => id },
  ...columns(when),
  { head: 'Revocada', cell: () => null, text: ({ revocado }) => revocado },
]
