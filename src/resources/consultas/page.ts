import sql, { empty, type Sql } from 'sql-template-tag'
import type { Slots } from '../../store/prepared.ts'
import type { Consulta, Shown } from './consulta.ts'
import { countedBySource, type Ends, endsOf } from './counts.ts'
import type { Period } from './period.ts'
import { type Sight, within } from './sight.ts'

export const PER_PAGE = 25

/** What of an agency's inquiries is asked for. */
export interface Chosen {
  operador?: string | undefined
  period: Period
  /** Of a listing, without case. */
  externalKey?: string | undefined
  page: number
}

export interface Page<Row = Consulta> {
  /** Of all pages. */
  total: number
  rows: Row[]
}

/** Where the parts of a statement find the agency, and what of its inquiries is in sight. */
export interface Within {
  agenciaId: Sql
  sight: Slots<Sight> | 'all'
}

/** Without any there is still one row, which tells the total. */
export const pageOf = <Row extends Shown & { total: number }>(rows: Row[]): Page<Row> => ({
  total: rows[0]?.total ?? 0,
  rows: rows[0]?.sid === null ? [] : rows,
})

/** In which of a few ways a page is asked for. */
export interface Shape {
  byOperator: boolean
  byListing: boolean
}

export const shapeOf = ({ operador, externalKey }: Chosen): Shape => ({
  byOperator: operador !== undefined,
  byListing: externalKey !== undefined,
})

/** What it is asked for by. */
export interface PageValues extends Ends, Pick<Period, 'fromSid' | 'untilSid'> {
  operador: string | undefined
  externalKey: string | undefined
  offset: number
  /** Those before the page, and the page. */
  upTo: number
}

export function valuesOf({ operador, period, externalKey, page }: Chosen): PageValues {
  const { fromSid, untilSid } = period
  const offset = (page - 1) * PER_PAGE
  return { fromSid, untilSid, operador, externalKey, offset, upTo: offset + PER_PAGE, ...endsOf(period) }
}

/** `seen`: the sources in sight; `page`: the sids of the page; `total`: how many there are. */
export function pageParts({ agenciaId, sight }: Within, shape: Shape, values: Slots<PageValues>): Sql {
  const { byOperator, byListing } = shape
  const ofOperator = (column: Sql) => (byOperator ? sql`and ${column} = ${values.operador}` : empty)
  // A listing has fewer than a person: with `|| ''` only the listing's index will do, whatever the planner believes.
  const chosen = sql`
    c.agencia_id = ${agenciaId} and c.fuente = seen.fuente
    ${ofOperator(byListing ? sql`c.operador || ''` : sql`c.operador`)}
    ${byListing ? sql`and c.external_key = ${values.externalKey}` : empty}
    and ${inPeriod(values)}`
  const counted = sql`
    n.agencia_id = ${agenciaId} and ${within(sight, sql`n.fuente`)} ${ofOperator(sql`n.operador`)}`
  const each = byListing ? sql`(select count(*) from consultas c where ${chosen})` : sql`n`
  return sql`
    seen as materialized (${countedBySource(values, counted)}
    ), page as materialized (
      select newest.sid
      from seen cross join lateral (
        select c.sid from consultas c where ${chosen} order by c.sid desc limit ${values.upTo}
      ) newest
      order by newest.sid desc limit ${PER_PAGE} offset ${values.offset}
    ), total as (
      select coalesce(sum(${each}), 0)::int as n from seen
    )`
}

/** The inquiries of the part `page`. */
export const rowsOf = (columns: Sql, values: Slots<PageValues>): Sql => sql`
  select ${columns} from page join consultas c on c.sid = page.sid where ${inPeriod(values)}`

/** What a part of the table is found by. */
const inPeriod = ({ fromSid, untilSid }: Slots<Pick<Period, 'fromSid' | 'untilSid'>>): Sql =>
  sql`c.sid >= ${fromSid} and c.sid < ${untilSid}`
