import { type Consulta, ESTADOS, type EstadoConsulta } from '../../../resources/consultas/consulta.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { inFigures } from '../../figures.ts'
import { FilterDay, FilterField, FilterSelect } from '../../filter.tsx'
import { Moment } from '../../moment.tsx'
import { Search } from '../../table.tsx'
import { pathAt } from '../place.tsx'
import { AgencyPage, type Visit } from '../visit.tsx'
import { InquiryCards } from './card.tsx'
import { ESTADO_WORDS } from './words.ts'

export interface Looked {
  estado: EstadoConsulta | undefined
  q: string | undefined
  /** Days of TIME_ZONE, both included. */
  desde: string | undefined
  hasta: string | undefined
  /** A search that goes on looks at those before this one. */
  antes: string | undefined
  pagina: number
}

interface Props {
  visit: Visit
  looked: Looked
  rows: Consulta[]
  /** How many there are; not known where something was looked for. */
  total: number | undefined
  more: boolean
  /** Where the search stopped without having seen all. */
  searchedTo?: string
}

const LIST = '/cuenta/consultas'

/** The inquiries of an agency, for those who answer them: cards that fit a telephone, the newest first. */
export function inquiriesPage({ visit, looked, rows, total, more, searchedTo }: Props) {
  const all = visit.agencia.rol === 'administrador'
  return (
    <AgencyPage
      visit={visit}
      section={LIST}
      title="Consultas"
      lead={
        <p class="facts">
          {total !== undefined && <span>{total === 1 ? '1 consulta' : `${inFigures(total)} consultas`}</span>}
          {!all && <span>Las que están a su cargo</span>}
        </p>
      }
    >
      <Filter visit={visit} looked={looked} />
      {rows.length > 0 && <InquiryCards rows={rows} visit={visit} />}
      {rows.length === 0 && !searchedTo && <Nothing visit={visit} looked={looked} />}
      {searchedTo && <SearchedTo visit={visit} looked={looked} sid={searchedTo} any={rows.length > 0} />}
      <Pages visit={visit} looked={looked} more={more} any={rows.length > 0} />
    </AgencyPage>
  )
}

function Filter({ visit, looked: { estado, q, desde, hasta } }: Pick<Props, 'visit' | 'looked'>) {
  const { agencia, all } = visit
  const named = agencia.id === all[0]?.id ? undefined : String(agencia.id)
  const choices = ESTADOS.map((each) => [each, ESTADO_WORDS[each]] as const)
  return (
    <Search action={LIST} hidden={{ agencia: named }}>
      <FilterField
        name="q"
        label="Buscar"
        value={q}
        more={{ type: 'search', placeholder: 'Nombre, teléfono, auto…' }}
      />
      <FilterSelect name="estado" label="Estado" value={estado} all="Todos" choices={choices} />
      <details open={Boolean(desde || hasta)}>
        <summary>Por fechas</summary>
        <div>
          <FilterDay name="desde" label="Desde el" value={desde} />
          <FilterDay name="hasta" label="Hasta el" value={hasta} />
        </div>
      </details>
    </Search>
  )
}

const Nothing = ({ visit, looked: { estado, q, desde, hasta, pagina } }: Pick<Props, 'visit' | 'looked'>) =>
  estado || q || desde || hasta || pagina > 1 ? (
    <p class="empty">
      No hay consultas así. <a href={pathAt(visit, LIST)}>Ver todas</a>
    </p>
  ) : (
    <p class="empty">Todavía no llegó ninguna consulta. Cuando llegue, le avisamos por correo y la verá aquí.</p>
  )

type SearchedProps = Pick<Props, 'visit' | 'looked'> & { sid: string; any: boolean }

/** How far the search came, and the way on: an agency may have very many. */
const SearchedTo = ({ visit, looked, sid, any }: SearchedProps) => (
  <p class={any ? 'hint' : 'empty'}>
    {!any && 'Todavía nada. '}Buscamos hasta <Moment at={momentOf(sid)} when={visit} />.{' '}
    <a href={pathAt(visit, LIST, { ...looked, antes: sid, pagina: undefined })}>Seguir buscando</a>
  </p>
)

function Pages({ visit, looked, more, any }: Pick<Props, 'visit' | 'looked' | 'more'> & { any: boolean }) {
  const { pagina, antes, ...same } = looked
  const at = (number: number) => pathAt(visit, LIST, { ...same, antes, pagina: number > 1 ? number : undefined })
  if (pagina === 1 && !antes && !any) return null
  return (
    <nav aria-label="Páginas" class="row pager">
      {antes && pagina === 1 && (
        <a class="button secondary" href={pathAt(visit, LIST, same)}>
          ← Al principio
        </a>
      )}
      {pagina > 1 && (
        <a class="button secondary" href={at(pagina - 1)}>
          ← Más nuevas
        </a>
      )}
      {more && (
        <a class="button secondary" href={at(pagina + 1)}>
          Más antiguas →
        </a>
      )}
      {any && (
        <a class="beside-end" href={pathAt(visit, LIST, { ...same, formato: 'csv' })} download>
          Bajar para una planilla (CSV)
        </a>
      )}
    </nav>
  )
}
