import sql, { empty, type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import { fold } from '../../catalogue/text.ts'
import type { Db } from '../../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage, type SortKey } from '../../store/keyset.ts'
import type { Agencia } from './agencia.ts'
import { estadoOf, type PaqueteEstado, today } from './paquetes.ts'
import { containing } from './read.ts'

const MAX_WORDS = 6

interface ListedAgencia
  extends Pick<Agencia, 'id' | 'modo' | 'adminMail' | 'nombre' | 'idFiscal' | 'region' | 'ciudad'> {
  creada: Date
  paquete: PaqueteEstado
  apps: number
}

interface AgenciasFilters {
  /** Words of names, mail, CUIT or place; all must match. */
  q?: string | undefined
  modo?: Modo | undefined
  paquete?: PaqueteEstado | undefined
  appId?: number | undefined
  /** Sorts by name instead of age. */
  byName?: boolean
}

/** The index agencias_by_name has this order. */
const BY_NAME: SortKey<number> = {
  key: sql`lower(g.nombre)`,
  keyOf: (id) => sql`select lower(nombre) from agencias where id = ${id}`,
}

/** Agencies of both modes. There are thousands, so a word search may scan all. */
export async function listAgenciasForStaff(
  db: Db,
  { q = '', modo, paquete, appId, byName }: AgenciasFilters,
  timeZone: string,
  cursor: Cursor<number>,
): Promise<ResultPage<ListedAgencia>> {
  const { within, order, limit } = keysetBy(sql`g.id`, cursor, byName ? BY_NAME : undefined)
  const words = q.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  const rows = await db.query<ListedAgencia>(sql`
    select g.id, g.modo, g.admin_mail as "adminMail", g.nombre, g.id_fiscal as "idFiscal", g.region, g.ciudad,
      g.created_at as creada, ${estadoOf(timeZone)} as paquete,
      (select count(*) from asociaciones s where s.agencia_id = g.id and s.ended_at is null) as apps
    from agencias g left join paquetes p on p.agencia_id = g.id
    where ${within}
      ${modo ? sql`and g.modo = ${modo}` : empty}
      ${paquete ? sql`and ${contracted(paquete, timeZone)}` : empty}
      ${appId === undefined ? empty : sql`and exists (select from asociaciones s where s.agencia_id = g.id and s.app_id = ${appId} and s.ended_at is null)`}
      ${words.length === 0 ? empty : sql`and g.busqueda like all (${words.map(part)}::text[])`}
    order by ${order} limit ${limit}`)
  return resultPage(rows, cursor)
}

/** Agencies whose package is in that state, as a condition that an index can use. */
function contracted(paquete: PaqueteEstado, timeZone: string): Sql {
  if (paquete === 'vencido') return sql`p.hasta < ${today(timeZone)}`
  if (paquete === 'vigente') return sql`${today(timeZone)} between p.desde and p.hasta`
  return sql`(p.agencia_id is null or p.desde > ${today(timeZone)} and p.hasta >= ${today(timeZone)})`
}

/** A CUIT is found with and without its hyphens. */
const part = (word: string): string => containing(/^[\d-]+$/.test(word) ? word.replaceAll('-', '') : fold(word))

export interface AgenciaRecord {
  creada: Date
  modificada: Date
  /** Former addresses that are still valid. */
  antes: { adminMail: string; hasta: string }[]
}

export const agenciaRecord = (db: Db, agenciaId: number): Promise<AgenciaRecord | undefined> =>
  db.first<AgenciaRecord>(sql`
    select created_at as creada, updated_at as modificada,
      (select coalesce(json_agg(json_build_object('adminMail', l.admin_mail, 'hasta', l.expires_at)), '[]')
       from agencia_aliases l where l.agencia_id = g.id and l.expires_at > now()) as antes
    from agencias g where g.id = ${agenciaId}`)

/** The ids of the agencies with that mail, their own or a former one, in both modes; for list filters. */
export async function agenciasWithMail(db: Db, adminMail: string): Promise<number[]> {
  const mail = adminMail.toLowerCase()
  const rows = await db.query<{ id: number }>(sql`
    select id from agencias where modo in ('produccion', 'prueba') and admin_mail = ${mail}
    union
    select agencia_id from agencia_aliases
    where modo in ('produccion', 'prueba') and admin_mail = ${mail} and expires_at > now()`)
  return rows.map(({ id }) => id)
}

export const appsToAssociate = (db: Db, { id, modo }: { id: number; modo: Modo }) =>
  db.query<{ appKey: string; nombre: string }>(sql`
    select a.app_key as "appKey", a.nombre from apps a
    where a.modo = ${modo} and a.disabled_at is null and not exists (
      select from asociaciones s where s.app_id = a.id and s.agencia_id = ${id} and s.ended_at is null)
    order by lower(a.nombre), a.id`)
