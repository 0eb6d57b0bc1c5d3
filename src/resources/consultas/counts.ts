import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import { addDays, dayOf, daysBetween, startOfDay } from '../../http/dates.ts'
import type { Db } from '../../store/db.ts'
import { firstUlid, momentOf } from '../../ulid.ts'
import type { Consulta } from './consulta.ts'

const DAYS = 31 // per row of a month

/** Of rows that have `dom`, the day of the month. */
const COUNT_OF_DAY = Array.from({ length: DAYS }, (_, at) => sql`count(*) filter (where dom = ${at + 1})`)

const SUM_OF_DAY = COUNT_OF_DAY.map((_, at) => sql`coalesce(sum(n) filter (where dom = ${at + 1}), 0)`)

export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`
export const dayOfMonth = (day: string): number => Number(day.slice(8))

/** Counts the inquiries in the expression `stored`. Rows are locked in one order, which prevents deadlocks. */
export function countSql(day: string): Sql {
  const dom = dayOfMonth(day)
  return sql`
    insert into consulta_counts (agencia_id, mes, fuente, operador, dias)
    select agencia_id, ${monthOf(day)}::date, fuente, operador,
           array_fill(0, array[${dom - 1}::int]) || count(*)::int || array_fill(0, array[${DAYS - dom}::int])
    from stored group by agencia_id, fuente, operador order by agencia_id, fuente, operador
    on conflict (agencia_id, mes, fuente, operador)
      do update set dias[${dom}::int] = consulta_counts.dias[${dom}::int] + excluded.dias[${dom}::int]`
}

type Counted = Pick<Consulta, 'sid' | 'agenciaId' | 'fuente' | 'operador'>

/** Counts inquiries of any days. */
export async function addCounts(tx: Db, consultas: readonly Counted[], timeZone: string): Promise<void> {
  await changeCounts(
    tx,
    consultas.map((consulta) => ({ ...consulta, n: 1 })),
    timeZone,
  )
}

/** Counts inquiries for another operador. */
export async function moveCounts(
  tx: Db,
  consultas: readonly Counted[],
  operador: string,
  timeZone: string,
): Promise<void> {
  const changes = consultas.flatMap((consulta) => [
    { ...consulta, n: -1 },
    { ...consulta, operador, n: 1 },
  ])
  await changeCounts(tx, changes, timeZone)
}

/** In one statement: rows are locked in one order. */
async function changeCounts(tx: Db, changes: readonly (Counted & { n: number })[], timeZone: string): Promise<void> {
  const days = changes.map(({ sid }) => dayOf(momentOf(sid), timeZone))
  await tx.query(sql`
    insert into consulta_counts (agencia_id, mes, fuente, operador, dias)
    select agencia_id, mes, fuente, operador, array[${join(SUM_OF_DAY)}]::int[]
    from unnest(${changes.map(({ agenciaId }) => agenciaId)}::int[], ${days.map(monthOf)}::date[],
                ${changes.map(({ fuente }) => fuente)}::int[], ${changes.map(({ operador }) => operador)}::text[],
                ${days.map(dayOfMonth)}::int[], ${changes.map(({ n }) => n)}::int[])
      as given (agencia_id, mes, fuente, operador, dom, n)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (agencia_id, mes, fuente, operador) do update
      set dias = array(select before + more from unnest(consulta_counts.dias, excluded.dias) with ordinality
                         as added (before, more, dom) order by dom)`)
}

interface Days {
  desde: string
  hasta: string
}

/** The rows `n` of consulta_counts that a period touches. */
export const touchedBy = ({ desde, hasta }: Days): Sql =>
  sql`n.mes between ${monthOf(desde)}::date and ${monthOf(hasta)}::date`

/** The sum of days `lo` to `hi` of the array `dias`, without a row for each day. */
const SUM_OF_DAYS = raw(
  Array.from({ length: DAYS }, (_, at) => `case when ${at + 1} between lo and hi then dias[${at + 1}] else 0 end`).join(
    ' + ',
  ),
)

/** The counts of a period by source, in the rows `n` that fulfil a condition. */
export const countedBySource = ({ desde, hasta }: Days, where: Sql): Sql => sql`
  select fuente, sum(${SUM_OF_DAYS}) as n
  from (
    select n.fuente, n.dias,
      case when n.mes = ${monthOf(desde)}::date then ${dayOfMonth(desde)}::int else 1 end as lo,
      case when n.mes = ${monthOf(hasta)}::date then ${dayOfMonth(hasta)}::int else ${DAYS}::int end as hi
    from consulta_counts n where ${touchedBy({ desde, hasta })} and ${where}
    offset 0 -- or both ends would be worked out for each day anew
  ) as counted
  group by fuente`

/** New inquiries wait until the transaction ends; readers see the old counters until then. */
export async function rebuildCounts(tx: Db, timeZone: string): Promise<void> {
  await tx.query(sql`lock table consulta_counts in share row exclusive mode`)
  await tx.query(sql`delete from consulta_counts`)
  const [ends] = await tx.query<{ first: string | null; last: string | null }>(
    sql`select min(sid) as first, max(sid) as last from consultas`,
  )
  if (!ends?.first || !ends.last) return
  const lastDay = dayOf(momentOf(ends.last), timeZone)
  let month = monthOf(dayOf(momentOf(ends.first), timeZone))
  // Month by month, so that no statement takes long.
  for (; month <= lastDay; month = monthOf(addDays(month, DAYS))) await countMonth(tx, month, timeZone)
}

async function countMonth(tx: Db, month: string, timeZone: string): Promise<void> {
  const next = monthOf(addDays(month, DAYS))
  const starts = daysBetween(month, addDays(next, -1)).map((day) => firstUlid(startOfDay(day, timeZone)))
  const end = firstUlid(startOfDay(next, timeZone))
  await tx.query(sql`
    insert into consulta_counts (agencia_id, mes, fuente, operador, dias)
    select agencia_id, ${month}::date, fuente, operador, array[${join(COUNT_OF_DAY)}]::int[]
    from (select agencia_id, fuente, operador, width_bucket(sid, ${starts}::text[] collate "C") as dom
          from consultas where sid >= ${starts[0]} and sid < ${end}) of_month
    group by agencia_id, fuente, operador`)
}

/** Rebuilds the counters if TIME_ZONE changed; one node at a time. */
export async function rebuildCountsIfTimeZoneChanged(tx: Db, timeZone: string): Promise<void> {
  const inserted = await tx.query(sql`
    insert into settings (name, value) values ('time_zone', ${timeZone}) on conflict do nothing returning 1`)
  const [saved] = await tx.query<{ value: string }>(sql`select value from settings where name = 'time_zone' for update`)
  if (inserted.length === 0 && saved?.value === timeZone) return
  await rebuildCounts(tx, timeZone)
  await tx.query(sql`update settings set value = ${timeZone} where name = 'time_zone'`)
}

interface OfDays {
  agenciaId: number
  operadores: readonly string[] | undefined
  /** Days in TIME_ZONE, both included. */
  desde: string
  hasta: string
}

/** How many inquiries an agency has, from the counters alone. */
export async function countConsultas(db: Db, { agenciaId, operadores, ...days }: OfDays): Promise<number> {
  const counted = sql`
    n.agencia_id = ${agenciaId} ${operadores === undefined ? empty : sql`and n.operador = any (${operadores}::text[])`}`
  return db.count(sql`
    select coalesce(sum(n), 0)::int as count from (${countedBySource(days, counted)}) sources`)
}

/** An agency's inquiries per day, including days with none, from the counters alone. */
export async function dailyConsultasOfAgencia(
  db: Db,
  { agenciaId, operadores, desde, hasta }: OfDays,
): Promise<{ dia: string; cantidad: number }[]> {
  const rows = await db.query<{ dia: string; cantidad: number }>(sql`
    select (n.mes + (d.dom - 1)::int)::text as dia, sum(d.n)::int as cantidad
    from consulta_counts n cross join lateral unnest(n.dias) with ordinality as d(n, dom)
    where n.agencia_id = ${agenciaId} and ${touchedBy({ desde, hasta })} and d.n > 0
      ${operadores === undefined ? empty : sql`and n.operador = any (${operadores}::text[])`}
    group by 1`)
  const counted = new Map(rows.map(({ dia, cantidad }) => [dia, cantidad]))
  return daysBetween(desde, hasta).map((dia) => ({ dia, cantidad: counted.get(dia) ?? 0 }))
}

export async function dailyConsultasByModo(
  db: Db,
  modo: Modo,
  { desde, hasta }: { desde: string; hasta: string },
): Promise<{ dia: string; consultas: number }[]> {
  const sums = Array.from({ length: DAYS }, (_, at) => sql`coalesce(sum(n.dias[${at + 1}::int]), 0)`)
  const rows = await db.query<{ mes: string; dias: number[] }>(sql`
    select n.mes::text as mes, array[${join(sums)}]::float8[] as dias
    from consulta_counts n join agencias g on g.id = n.agencia_id
    where n.mes between ${monthOf(desde)}::date and ${monthOf(hasta)}::date and g.modo = ${modo}
    group by n.mes`)
  const months = new Map(rows.map(({ mes, dias }) => [mes, dias]))
  const consultasOf = (dia: string) => months.get(monthOf(dia))?.[dayOfMonth(dia) - 1] ?? 0
  return daysBetween(desde, hasta).map((dia) => ({ dia, consultas: consultasOf(dia) }))
}
