import { PER_PAGE } from '../../../http/paging.ts'
import { money } from '../../../resources/consultas/labels.ts'
import type { OwnListing } from '../../../resources/publicaciones/own.ts'
import { carOf } from '../../../resources/publicaciones/represent.ts'
import { inFigures } from '../../figures.ts'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { SUSPENSION_LABELS } from '../../labels.tsx'
import { Search } from '../../table.tsx'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { pathAt } from '../nav.tsx'

/** What the list is narrowed by. */
export interface Filters {
  q: string | undefined
  estado: 'Activa' | 'Suspendida' | undefined
  pagina: number
}

interface Props {
  ctx: AgencyContext
  filters: Filters
  rows: OwnListing[]
  total: number
}

const ESTADOS = [
  ['Activa', 'Se muestran'],
  ['Suspendida', 'No se muestran'],
] as const

const LIST = '/cuenta/publicaciones'

/** What apps offer in the agency's name; its administrator decides what is shown. */
export function listingsPage({ ctx, filters, rows, total }: Props) {
  const decides = ctx.agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      section={LIST}
      title="Avisos"
      lead={
        <p class="facts">
          <span>{total === 1 ? '1 aviso' : `${inFigures(total)} avisos`}</span>
          {!decides && <span>Los que están a su cargo</span>}
        </p>
      }
    >
      <Filter ctx={ctx} filters={filters} />
      {rows.length === 0 ? (
        <Nothing ctx={ctx} filters={filters} />
      ) : (
        <ul class="cards">
          {rows.map((row) => (
            <li key={row.id} class="card">
              <Card row={row} decides={decides} />
            </li>
          ))}
        </ul>
      )}
      <Pages {...{ ctx, filters, total }} />
    </AgencyPage>
  )
}

function Filter({ ctx, filters: { q, estado } }: Pick<Props, 'ctx' | 'filters'>) {
  const { agencia, all } = ctx
  const named = agencia.id === all[0]?.id ? undefined : String(agencia.id)
  return (
    <Search action={LIST} hidden={{ agencia: named }}>
      <FilterField name="q" label="Buscar" value={q} more={{ type: 'search', placeholder: 'Auto, aviso, stock…' }} />
      <FilterSelect name="estado" label="Estado" value={estado} all="Todos" choices={ESTADOS} />
    </Search>
  )
}

const Nothing = ({ ctx, filters: { q, estado, pagina } }: Pick<Props, 'ctx' | 'filters'>) =>
  q || estado || pagina > 1 ? (
    <p class="empty">
      No hay avisos así. <a href={pathAt(ctx, LIST)}>Ver todos</a>
    </p>
  ) : (
    <p class="empty">No hay avisos aquí. Los publica el sistema con el que trabaja, y aparecen en esta lista.</p>
  )

function Card({ row, decides }: { row: OwnListing; decides: boolean }) {
  const { Precio } = carOf(row)
  const shown = row.estado === 'Activa'
  const name = [row.marca, row.modelo, row.version, row.versionYear].filter(Boolean).join(' ')
  return (
    <>
      <h2>{shown ? <a href={`/aviso/${row.id}`}>{name}</a> : name}</h2>
      <p class="hint facts">
        <span class={shown ? 'badge status-2' : 'badge warning'}>{shown ? 'Se muestra' : 'No se muestra'}</span>
        {Precio && <span>{money(Precio)}</span>}
        <span>Publicado por {row.app}</span>
        <span>{row.externalId}</span>
      </p>
      {row.suspensiones.map((reason) => (
        <p key={reason}>
          {SUSPENSION_LABELS[reason]}
          {reason === 'mercado' && row.motivo ? `: ${row.motivo}` : '.'}
        </p>
      ))}
      {decides && <Acts row={row} name={name} />}
    </>
  )
}

function Acts({ row, name }: { row: OwnListing; name: string }) {
  const path = `${LIST}/${row.id}`
  const hidden = row.suspensiones.includes('agencia')
  return (
    <div class="row">
      <form method="post" action={`${path}/${hidden ? 'mostrar' : 'ocultar'}`}>
        <button type="submit" class="secondary">
          {hidden ? 'Volver a mostrar' : row.estado === 'Activa' ? 'Dejar de mostrar' : 'Que no se muestre'}
          <span class="visually-hidden"> {name}</span>
        </button>
      </form>
      <a class="danger" href={`${path}/terminar`}>
        Terminar<span class="visually-hidden"> {name}</span>
      </a>
    </div>
  )
}

function Pages({ ctx, filters, total }: Pick<Props, 'ctx' | 'filters' | 'total'>) {
  const { pagina, ...same } = filters
  const at = (number: number) => pathAt(ctx, LIST, { ...same, pagina: number > 1 ? number : undefined })
  if (total === 0) return null
  return (
    <nav aria-label="Páginas" class="row pager">
      {pagina > 1 && (
        <a class="button secondary" href={at(pagina - 1)}>
          ← Más nuevos
        </a>
      )}
      {pagina * PER_PAGE < total && (
        <a class="button secondary" href={at(pagina + 1)}>
          Más antiguos →
        </a>
      )}
      <a class="beside-end" href={pathAt(ctx, LIST, { ...same, formato: 'csv' })} download>
        Bajar para una planilla (CSV)
      </a>
    </nav>
  )
}
