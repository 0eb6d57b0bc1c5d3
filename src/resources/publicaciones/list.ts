import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { fold } from '../../catalogue/text.ts'
import { PER_PAGE } from '../../http/paging.ts'
import { invalid } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import type { Publicacion } from './publicacion.ts'
import type { PublicacionesQuery } from './schema.ts'
import { PUBLICACION } from './store.ts'

export interface Page {
  /** Of all pages. */
  total: number
  rows: Publicacion[]
}

/** One page of what the app published at an agency, newest first, and how many there are in all; in one statement. */
export async function listPublicaciones(
  db: Db,
  app: App,
  agencia: AgenciaOfApp,
  { operador, estado, q, pagina = 1 }: PublicacionesQuery,
): Promise<Page> {
  const chosen = sql`
    p.agencia_id = ${agencia.id} and p.app_id = ${app.id}
    and ${estado === undefined ? sql`p.estado <> 'Archivada'` : sql`p.estado = ${estado}`}
    ${answeredBy(agencia, operador)} ${holding(q)}`
  const rows = await db.query<Publicacion & { total: number }>(sql`
    select counted.total, p.*
    from (select count(*)::int as total from publicaciones p where ${chosen}) counted
    left join lateral (
      select ${PUBLICACION} from publicaciones p where ${chosen}
      order by p.id desc limit ${PER_PAGE} offset ${(pagina - 1) * PER_PAGE}
    ) p on true
    order by p.id desc`)
  // Without any there is still one row, which tells the total.
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) }
}

/** As in consultas: the administrator sees all, another those he answers for; who does not work there is refused. */
function answeredBy({ operadores }: AgenciaOfApp, asked: string | undefined): Sql {
  if (asked === undefined) return empty
  const operador = operadores.find(({ email }) => email === asked.toLowerCase())
  if (!operador) throw invalid({ operador: ['No colabora en la agencia.'] })
  return operador.rol === 'administrador' ? empty : sql`and p.operador = ${operador.email}`
}

/** Every word of it stands somewhere in what is looked through of the listing `p`. */
export function holding(q: string | undefined): Sql {
  const words = fold(q ?? '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0) return empty
  return sql`and ${join(
    words.map((word) => sql`position(${word} in p.busqueda) > 0`),
    ' and ',
  )}`
}
