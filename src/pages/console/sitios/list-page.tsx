import { written } from '../../../http/markup.ts'
import type { Errors } from '../../../http/problems.ts'
import type { ListedSitio } from '../../../sitios/store.ts'
import { FaultList, Field, Select } from '../../fields.tsx'
import { Moment, type When } from '../../moment.tsx'
import { type Column, Table } from '../../table.tsx'
import { MODOS, ModoBadge } from '../modo.tsx'
import { ConsolePage, type Visit } from '../visit.tsx'

export const SITIOS = '/consola/sitios'

interface Props {
  visit: Visit
  sitios: ListedSitio[]
  /** What was filled in, where it was refused. */
  given?: { nombre: string; modo: string } | undefined
  errors?: Errors | undefined
}

/** The marketplace's own sites, whose keys hand in inquiries and read what is on offer. */
export function sitiosPage({ visit, sitios, given, errors }: Props) {
  return (
    <ConsolePage
      visit={visit}
      title="Sitios"
      current={SITIOS}
      lead={<p>Los sitios propios del mercado. Con su clave entregan consultas y leen avisos.</p>}
    >
      <Table
        caption="Sitios"
        columns={columns(visit)}
        rows={sitios}
        keyOf={({ id }) => id}
        empty={<p>Todavía no hay sitios. Cree uno para que el sitio del mercado pueda entregar consultas.</p>}
      />
      <section>
        <h2>Crear un sitio</h2>
        <form method="post" action={SITIOS} class="sheet limited" novalidate>
          <input type="hidden" name="ultimo" value={sitios[0]?.id ?? 0} />
          {errors ? <Fields given={given} errors={errors} /> : EMPTY_FIELDS}
          <button type="submit">Crear y ver la clave</button>
        </form>
      </section>
    </ConsolePage>
  )
}

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
  { head: 'Sitio', cell: ({ nombre }) => <strong>{nombre}</strong> },
  { head: 'Modo', cell: ({ modo }) => <ModoBadge modo={modo} /> },
  { head: 'Creado', cell: ({ creado }) => <Moment at={creado} when={when} /> },
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
  },
]
