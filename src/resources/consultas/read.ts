import sql, { empty, type Sql } from 'sql-template-tag'
import type { Period } from '../../http/dates.ts'
import type { Db } from '../../store/db.ts'
import { opaqueText } from '../../store/prepared.ts'
import { ulidRange } from '../../ulid.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { CONSULTA_SELECT, type Consulta } from './consulta.ts'
import { countedBySource } from './counts.ts'
import { type Scope, type SqlAppScope, visibleTo } from './scope.ts'

/** The inquiry with that sid, if it is within the scope. */
export const findConsulta = (db: Db, scope: Scope, sid: string): Promise<Consulta | undefined> =>
  find(db, scope, sid, empty)

/** `findConsulta`, locked until the transaction ends. */
export const lockConsulta = (tx: Db, scope: Scope, sid: string): Promise<Consulta | undefined> =>
  find(tx, scope, sid, sql`for no key update of c`)

const find = (db: Db, { agenciaId, app, operadores }: Scope, sid: string, lock: Sql): Promise<Consulta | undefined> =>
  db.first<Consulta>(
    sql`
    select ${CONSULTA_SELECT} from consultas c
    where c.sid = ${opaqueText(sid)} and c.agencia_id = ${agenciaId} and ${visibleTo(app, sql`c.fuente`)}
      ${operadores === undefined ? empty : sql`and c.operador = any (${operadores}::text[])`} ${lock}`,
    'keep-plan',
  )

export interface ConsultaWithAgencia {
  consulta: Consulta
  suprimida: boolean
  /** The version of the text that the person agreed to, in this server's own form. */
  consentimiento: string | null
  agencia: Pick<Agencia, 'adminMail' | 'nombre' | 'telefono' | 'direccion' | 'ciudad'>
}

/** The inquiry with that sid, without a check of who may see it: never for an app. */
export async function findBySid(db: Db, sid: string): Promise<ConsultaWithAgencia | undefined> {
  const [found] = await db.query<
    Consulta & ConsultaWithAgencia['agencia'] & Pick<ConsultaWithAgencia, 'suprimida' | 'consentimiento'>
  >(sql`
    select ${CONSULTA_SELECT}, c.suprimida_at is not null as suprimida, c.consentimiento, g.admin_mail as "adminMail", g.nombre, g.telefono,
      g.direccion, g.ciudad
    from consultas c join agencias g on g.id = c.agencia_id where c.sid = ${sid}`)
  if (!found) return undefined
  const { suprimida, consentimiento, adminMail, nombre, telefono, direccion, ciudad, ...consulta } = found
  return { consulta, suprimida, consentimiento, agencia: { adminMail, nombre, telefono, direccion, ciudad } }
}

export const PER_PAGE = 25

export interface ConsultasFilter {
  operadores?: readonly string[] | undefined
  period: Period
  /** A listing's id of the partner, in lower case. */
  externalKey?: string | undefined
  page: number
}

export interface Page {
  /** On all pages. */
  total: number
  rows: Consulta[]
}

/** An empty page is one row without an inquiry, which has the total. */
export const pageOf = (rows: (Consulta & { total: number })[]): Page => ({
  total: rows[0]?.total ?? 0,
  rows: rows[0]?.sid === null ? [] : rows,
})

/**
 * The common table expressions of a page: `sources`, those that are visible; `page`, its sids; `total`, how many there
 * are. The counters name the sources; of each, and of each operador, the newest sids are read from its index and merged,
 * so that the cost does not grow with the agency.
 */
export function pageExpressions(
  { agenciaId, app }: { agenciaId: Sql; app: SqlAppScope },
  { operadores, externalKey, period, page }: ConsultasFilter,
): Sql {
  const offset = (page - 1) * PER_PAGE
  const ofOperadores = (column: Sql) => (operadores ? sql`and ${column} = any (${operadores}::text[])` : empty)
  // A listing has fewer rows than an operador: `|| ''` keeps the planner from choosing the operador's index.
  const each = operadores && externalKey === undefined
  const chosen = sql`
    c.agencia_id = ${agenciaId} and c.fuente = sources.fuente
    ${each ? sql`and c.operador = responsible.operador` : ofOperadores(sql`c.operador || ''`)}
    ${externalKey === undefined ? empty : sql`and c.external_key = ${externalKey}`}
    and ${inPeriod(period)}`
  const counted = sql`
    n.agencia_id = ${agenciaId} and ${visibleTo(app, sql`n.fuente`)} ${ofOperadores(sql`n.operador`)}`
  const number = externalKey === undefined ? sql`n` : sql`(select count(*) from consultas c where ${chosen})`
  return sql`
    sources as materialized (${countedBySource(period, counted)}
    ), page as materialized (
      select newest.sid
      from sources ${each ? sql`cross join unnest(${operadores}::text[]) as responsible (operador)` : empty}
      cross join lateral (
        select c.sid from consultas c where ${chosen} order by c.sid desc limit ${offset + PER_PAGE}
      ) newest
      order by newest.sid desc limit ${PER_PAGE} offset ${offset}
    ), total as (
      select coalesce(sum(${number}), 0)::int as n from sources
    )`
}

export const rowsOfPage = (period: Period): Sql => sql`
  select ${CONSULTA_SELECT} from page join consultas c on c.sid = page.sid where ${inPeriod(period)}`

/** Lets PostgreSQL leave out the partitions of other months. */
function inPeriod(period: Period): Sql {
  const { fromSid, untilSid } = ulidRange(period)
  return sql`c.sid >= ${fromSid} and c.sid < ${untilSid}`
}
