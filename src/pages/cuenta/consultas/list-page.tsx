import { type Consulta, ESTADOS, type EstadoConsulta } from '../../../resources/consultas/consulta.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { inFigures } from '../../figures.ts'
import { FilterDay, FilterField, FilterSelect } from '../../filter.tsx'
import { ESTADO_LABELS } from '../../labels.tsx'
import { Moment } from '../../moment.tsx'
import { Search } from '../../table.tsx'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { pathAt } from '../nav.tsx'
import { InquiryCards } from './card.tsx'

export interface Filters {
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
  ctx: AgencyContext
  filters: Filters
  rows: Consulta[]
  /** How many there are; not known where something was looked for. */
  total: number | undefined
  more: boolean
  /** Where the search stopped without having seen all. */
  searchedTo?: string
}

const LIST = '/cuenta/consultas'

/** The inquiries of an agency, for those who answer them: cards that fit a telephone, the newest first. */
export function inquiriesPage({ ctx, filters, rows, total, more, searchedTo }: Props) {
  const all = ctx.agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      section={LIST}
      title="Consultas"
      lead={
        <p class="facts">
          {total !== undefined && <span>{total === 1 ? '1 consulta' : `${inFigures(total)} consultas`}</span>}
          {!all && <span>Las que están a su cargo</span>}
        </p>
      }
    >
      <Filter ctx={ctx} filters={filters} />
      {rows.length > 0 && <InquiryCards rows={rows} ctx={ctx} />}
      {rows.length === 0 && !searchedTo && <Nothing ctx={ctx} filters={filters} />}
      {searchedTo && <SearchedTo ctx={ctx} filters={filters} sid={searchedTo} any={rows.length > 0} />}
      <Pages ctx={ctx} filters={filters} more={more} any={rows.length > 0} />
    </AgencyPage>
  )
}

function Filter({ ctx, filters: { estado, q, desde, hasta } }: Pick<Props, 'ctx' | 'filters'>) {
  const { agencia, all } = ctx
  const named = agencia.id === all[0]?.id ? undefined : String(agencia.id)
  const choices = ESTADOS.map((each) => [each, ESTADO_LABELS[each]] as const)
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

const Nothing = ({ ctx, filters: { estado, q, desde, hasta, pagina } }: Pick<Props, 'ctx' | 'filters'>) =>
  estado || q || desde || hasta || pagina > 1 ? (
    <p class="empty">
      No hay consultas así. <a href={pathAt(ctx, LIST)}>Ver todas</a>
    </p>
  ) : (
    <p class="empty">Todavía no llegó ninguna consulta. Cuando llegue, le avisamos por correo y la verá aquí.</p>
  )

type SearchedProps = Pick<Props, 'ctx' | 'filters'> & { sid: string; any: boolean }

/** How far the search came, and the way on: an agency may have very many. */
const SearchedTo = ({ ctx, filters, sid, any }: SearchedProps) => (
  <p class={any ? 'hint' : 'empty'}>
    {!any && 'Todavía nada. '}Buscamos hasta <Moment at={momentOf(sid)} when={ctx} />.{' '}
    <a href={pathAt(ctx, LIST, { ...filters, antes: sid, pagina: undefined })}>Seguir buscando</a>
  </p>
)

function Pages({ ctx, filters, more, any }: Pick<Props, 'ctx' | 'filters' | 'more'> & { any: boolean }) {
  const { pagina, antes, ...same } = filters
  const at = (number: number) => pathAt(ctx, LIST, { ...same, antes, pagina: number > 1 ? number : undefined })
  if (pagina === 1 && !antes && !any) return null
  return (
    <nav aria-label="Páginas" class="row pager">
      {antes && pagina === 1 && (
        <a class="button secondary" href={pathAt(ctx, LIST, same)}>
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
        <a class="beside-end" href={pathAt(ctx, LIST, { ...same, formato: 'csv' })} download>
          Bajar para una planilla (CSV)
        </a>
      )}
    </nav>
  )
}
