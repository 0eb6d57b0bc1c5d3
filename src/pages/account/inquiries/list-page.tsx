import type { Account } from '../../../accounts/account.ts'
import type { Rol } from '../../../accounts/links.ts'
import { withQuery } from '../../../http/links.ts'
import type { Support } from '../../../mail/support.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import {
  autoOf,
  type Consulta,
  ESTADOS,
  type EstadoConsulta,
  interesadoOf,
} from '../../../resources/consultas/consulta.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { momentInWords } from '../../dates.ts'
import { Layout } from '../../layout.tsx'
import { EstadoBadge, personName } from './parts.tsx'
import { ESTADO_WORDS } from './words.ts'

export interface Looked {
  agencia: number | undefined
  estado: EstadoConsulta | undefined
  q: string | undefined
  pagina: number
}

interface Props {
  account: Account
  support: Support
  timeZone: string
  now: Date
  agencia: Agencia & { rol: Rol }
  /** The others that the person works at. */
  elsewhere: (Agencia & { rol: Rol })[]
  looked: Looked
  rows: Consulta[]
  /** How many there are; not known where something was looked for. */
  total: number | undefined
  more: boolean
}

/** The inquiries of an agency, for those who answer them: cards that fit a telephone, the newest first. */
export function inquiriesPage({ account, support, agencia, elsewhere, looked, rows, total, more, ...when }: Props) {
  const all = agencia.rol === 'administrador'
  return (
    <Layout title="Consultas" visitor={account} support={support}>
      <header class="lead">
        <p class="overline">
          <a href="/cuenta">Mi cuenta</a>
        </p>
        <h1>Consultas</h1>
        <p class="facts">
          <span>{agencia.nombre}</span>
          {total !== undefined && (
            <span>{total === 1 ? '1 consulta' : `${total.toLocaleString('es-AR')} consultas`}</span>
          )}
          {!all && <span>Las que están a su cargo</span>}
        </p>
        {elsewhere.length > 0 && (
          <p class="facts">
            {elsewhere.map(({ id, nombre }) => (
              <a key={id} href={withQuery('/cuenta/consultas', { agencia: id })}>
                Ver {nombre}
              </a>
            ))}
          </p>
        )}
      </header>
      <Filter looked={looked} />
      {rows.length === 0 ? (
        <Nothing looked={looked} />
      ) : (
        <ul class="cards inquiries">
          {rows.map((row) => (
            <li key={row.sid} class="card">
              <Card row={row} {...when} shownTo={account} all={all} />
            </li>
          ))}
        </ul>
      )}
      <Pages looked={looked} more={more} />
    </Layout>
  )
}

const Filter = ({ looked: { agencia, estado, q } }: { looked: Looked }) => (
  <search>
    <form method="get" action="/cuenta/consultas" class="filter">
      {agencia !== undefined && <input type="hidden" name="agencia" value={agencia} />}
      <div>
        <label for="campo-q">Buscar</label>
        <input
          id="campo-q"
          name="q"
          type="search"
          value={q ?? ''}
          placeholder="Nombre, teléfono, auto…"
          maxlength={100}
        />
      </div>
      <div>
        <label for="campo-estado">Estado</label>
        <select id="campo-estado" name="estado">
          <option value="">Todos</option>
          {ESTADOS.map((each) => (
            <option key={each} value={each} selected={each === estado}>
              {ESTADO_WORDS[each]}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="secondary">
        Ver
      </button>
    </form>
  </search>
)

interface CardProps {
  row: Consulta
  timeZone: string
  now: Date
  shownTo: Account
  all: boolean
}

function Card({ row, timeZone, now, shownTo, all }: CardProps) {
  const { Marca, Modelo, Version, VersionYear } = autoOf(row)
  const { Comentario } = interesadoOf(row)
  return (
    <a href={`/cuenta/consultas/${row.sid}`}>
      <span class="top">
        <strong>{personName(row)}</strong>
        <EstadoBadge estado={row.estado} />
      </span>
      <span>{[Marca, Modelo, Version, VersionYear].filter(Boolean).join(' ')}</span>
      {Comentario && <span class="hint one-line">{Comentario}</span>}
      <span class="hint facts">
        <time datetime={momentOf(row.sid).toISOString()}>{momentInWords(momentOf(row.sid), now, timeZone)}</time>
        {all && row.operador !== shownTo.email && <span>{row.operador}</span>}
      </span>
    </a>
  )
}

const Nothing = ({ looked: { estado, q, pagina } }: { looked: Looked }) =>
  estado || q || pagina > 1 ? (
    <p class="empty">
      No hay consultas así. <a href="/cuenta/consultas">Ver todas</a>
    </p>
  ) : (
    <p class="empty">Todavía no llegó ninguna consulta. Cuando llegue, le avisamos por correo y la verá aquí.</p>
  )

function Pages({ looked, more }: { looked: Looked; more: boolean }) {
  const at = (pagina: number) => withQuery('/cuenta/consultas', { ...looked, pagina: pagina > 1 ? pagina : undefined })
  if (looked.pagina === 1 && !more) return null
  return (
    <nav aria-label="Páginas" class="row">
      {looked.pagina > 1 && (
        <a class="button secondary" href={at(looked.pagina - 1)}>
          ← Más nuevas
        </a>
      )}
      {more && (
        <a class="button secondary" href={at(looked.pagina + 1)}>
          Más antiguas →
        </a>
      )}
    </nav>
  )
}
