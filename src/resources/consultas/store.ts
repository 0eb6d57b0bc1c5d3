import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { unseen } from '../../store/unseen.ts'
import type { Consulta } from './consulta.ts'
import { type Chosen, type Page, pageOf, pageParts, rowsOf, shapeOf, valuesOf } from './page.ts'
import { type Sight, within } from './sight.ts'

export const CONSULTA = sql`
  c.sid, c.modo, c.agencia_id as "agenciaId", c.fuente, c.tipo_anuncio as "tipoAnuncio", c.origen_lead as "origenLead",
  c.auto, c.interesado, c.operador, c.estado, c.repite`

/** Which of an agency's inquiries somebody sees: an app what it may, a collaborator what he is responsible for. */
export interface Scope {
  agenciaId: number
  /** `all`: for the agency's own people. */
  sight: Sight | 'all'
  /** Only those that this person is responsible for. */
  operador?: string | undefined
}

export type Wanted = Scope & Chosen

/**
 * One page, newest first, and how many there are in all; in one statement, so that they agree whatever comes meanwhile.
 * The counters name the sources in sight; of each, the newest sids are read from its index and merged, and only those
 * of the page are fetched. So it costs the same whatever the agency has and whatever part of it is in sight.
 */
export async function listConsultas(db: Db, wanted: Wanted): Promise<Page> {
  const where = { agenciaId: sql`${wanted.agenciaId}`, sight: wanted.sight }
  const rows = await db.query<Consulta & { total: number }>(
    sql`
    with ${pageParts(where, shapeOf(wanted), valuesOf(wanted))}
    select (select n from total) as total, c.*
    from (select) as one left join (${rowsOf(CONSULTA, valuesOf(wanted))}) c on true order by c.sid desc`,
    'keep-plan',
  )
  return pageOf(rows)
}

/** The inquiry of that sid, if it is in sight; as long as it is kept. */
export const findConsulta = (db: Db, scope: Scope, sid: string): Promise<Consulta | undefined> =>
  find(db, scope, sid, empty)

/** The same, held as it is until the transaction ends. */
export const lockConsulta = (tx: Db, scope: Scope, sid: string): Promise<Consulta | undefined> =>
  find(tx, scope, sid, sql`for no key update of c`)

async function find(
  db: Db,
  { agenciaId, sight, operador }: Scope,
  sid: string,
  lock: Sql,
): Promise<Consulta | undefined> {
  const [row] = await db.query<Consulta>(
    sql`
    select ${CONSULTA} from consultas c
    where c.sid = ${unseen(sid)} and c.agencia_id = ${agenciaId} and ${within(sight, sql`c.fuente`)}
      ${operador === undefined ? empty : sql`and c.operador = ${operador}`} ${lock}`,
    'keep-plan',
  )
  return row
}

/** Where the dealership's work on it stands, from now on. */
export const writeEstado = (tx: Db, { sid, estado }: Pick<Consulta, 'sid' | 'estado'>): Promise<unknown> =>
  tx.query(sql`update consultas set estado = ${estado}, estado_at = now() where sid = ${sid}`)
