import { PER_PAGE } from '../../../http/paging.ts'
import { money } from '../../../resources/consultas/words.ts'
import type { OwnListing } from '../../../resources/publicaciones/own.ts'
import type { Suspension } from '../../../resources/publicaciones/publicacion.ts'
import { carOf } from '../../../resources/publicaciones/represent.ts'
import { pathAt } from '../place.tsx'
import { AgencyPage, type Visit } from '../visit.tsx'

interface Props {
  visit: Visit
  rows: OwnListing[]
  total: number
  pagina: number
}

const LIST = '/cuenta/publicaciones'

/** What apps offer in the agency's name; its administrator decides what is shown. */
export function listingsPage({ visit, rows, total, pagina }: Props) {
  const decides = visit.agencia.rol === 'administrador'
  return (
    <AgencyPage
      visit={visit}
      section={LIST}
      title="Avisos"
      lead={
        <p class="facts">
          <span>{total === 1 ? '1 aviso' : `${total.toLocaleString('es-AR')} avisos`}</span>
          {!decides && <span>Los que están a su cargo</span>}
        </p>
      }
    >
      {rows.length === 0 ? (
        <p class="empty">No hay avisos aquí. Los publica el sistema con el que trabaja, y aparecen en esta lista.</p>
      ) : (
        <ul class="cards">
          {rows.map((row) => (
            <li key={row.id} class="card">
              <Card row={row} decides={decides} />
            </li>
          ))}
        </ul>
      )}
      <Pages {...{ visit, pagina, total }} />
    </AgencyPage>
  )
}

/** Why one is not shown, in words for people. */
export const REASONS: Record<Suspension, string> = {
  mercado: 'Lo suspendió el mercado',
  agencia: 'Lo suspendió la agencia',
  desasociada: 'La app ya no trabaja con la agencia',
  paquete: 'El paquete no tiene lugar',
  app: 'La app lo suspendió',
}

function Card({ row, decides }: { row: OwnListing; decides: boolean }) {
  const { Precio } = carOf(row)
  const shown = row.estado === 'Activa'
  const name = [row.marca, row.modelo, row.version, row.versionYear].filter(Boolean).join(' ')
  return (
    <>
      <h3>{shown ? <a href={`/aviso/${row.id}`}>{name}</a> : name}</h3>
      <p class="hint facts">
        <span class={shown ? 'badge status-2' : 'badge warning'}>{shown ? 'Se muestra' : 'No se muestra'}</span>
        {Precio && <span>{money(Precio)}</span>}
        <span>Publicado por {row.app}</span>
        <span>{row.externalId}</span>
      </p>
      {row.suspensiones.map((reason) => (
        <p key={reason}>
          {REASONS[reason]}
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

function Pages({ visit, pagina, total }: Pick<Props, 'visit' | 'pagina' | 'total'>) {
  const at = (number: number) => pathAt(visit, LIST, { pagina: number > 1 ? number : undefined })
  return (
    <nav aria-label="Páginas" class="row">
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
    </nav>
  )
}
