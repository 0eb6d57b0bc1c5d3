import type { Account } from '../../../accounts/account.ts'
import type { Rol } from '../../../accounts/links.ts'
import { withQuery } from '../../../http/links.ts'
import { PER_PAGE } from '../../../http/paging.ts'
import type { Support } from '../../../mail/support.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { money } from '../../../resources/consultas/words.ts'
import type { OwnListing } from '../../../resources/publicaciones/own.ts'
import type { Suspension } from '../../../resources/publicaciones/publicacion.ts'
import { carOf } from '../../../resources/publicaciones/represent.ts'
import { Layout } from '../../layout.tsx'
import { Notice } from '../../parts.tsx'

interface Props {
  account: Account
  support: Support
  agencia: Agencia & { rol: Rol }
  /** Of several agencies, the one that was asked for. */
  asked: number | undefined
  rows: OwnListing[]
  total: number
  pagina: number
  notice: string | undefined
}

/** What apps offer in the agency's name; its administrator decides what is shown. */
export function listingsPage({ account, support, agencia, asked, rows, total, pagina, notice }: Props) {
  const decides = agencia.rol === 'administrador'
  return (
    <Layout title="Avisos" visitor={account} support={support}>
      {notice && (
        <Notice>
          <p>{notice}</p>
        </Notice>
      )}
      <header class="lead">
        <p class="overline">
          <a href="/cuenta">Mi cuenta</a>
        </p>
        <h1>Avisos</h1>
        <p class="facts">
          <span>{agencia.nombre}</span>
          <span>{total === 1 ? '1 aviso' : `${total.toLocaleString('es-AR')} avisos`}</span>
          {!decides && <span>Los que están a su cargo</span>}
        </p>
      </header>
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
      <Pages {...{ asked, pagina, total }} />
    </Layout>
  )
}

const REASONS: Record<Suspension, string> = {
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
  const path = `/cuenta/publicaciones/${row.id}`
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

function Pages({ asked, pagina, total }: Pick<Props, 'asked' | 'pagina' | 'total'>) {
  const at = (number: number) =>
    withQuery('/cuenta/publicaciones', { agencia: asked, pagina: number > 1 ? number : undefined })
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
