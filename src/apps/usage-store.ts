import sql, { empty, join, raw } from 'sql-template-tag'
import { getOrInsert } from '../memoize.ts'
import type { Db } from '../store/db.ts'

/** What an app may have done at least once; its readiness for production is judged by these. */
export type Milestone =
  | 'firma'
  | 'token'
  | 'condicional'
  | 'bestmatch'
  | 'invitacion'
  | 'agencia'
  | 'publicacion'
  | 'consulta'
  | 'estado'
  | 'eventos'
  | 'entrega'
  | 'reintento'

const NO_COUNTS = {
  solicitudes: 0,
  sin_cambios: 0,
  errores: 0,
  limitadas: 0,
  fallas: 0,
  entregadas: 0,
  intentos_fallidos: 0,
  abandonadas: 0,
}

export type Counts = typeof NO_COUNTS
export const COUNTS = Object.keys(NO_COUNTS) as (keyof Counts)[]

/** How often an agency's data and inquiries were read. */
export interface Reads {
  datos: number
  consultas: number
}

/** What one app did since the last flush. */
export class UsageCounts {
  readonly counts = { ...NO_COUNTS }
  /** What it has done, and what of it is stored. */
  readonly milestones = new Set<Milestone>()
  readonly recorded = new Set<Milestone>()
  /** By the administrator's mail, as it stood in the request. */
  readonly reads = new Map<string, Reads>()

  answered(status: number): void {
    const { counts } = this
    counts.solicitudes++
    if (status === 304) counts.sin_cambios++
    else if (status >= 500) counts.fallas++
    else if (status === 429) counts.limitadas++
    else if (status >= 400) counts.errores++
  }

  read(adminMail: string, what: keyof Reads, times = 1): void {
    getOrInsert(this.reads, adminMail, () => ({ datos: 0, consultas: 0 }))[what] += times
  }
}

const NAMES = join(COUNTS.map((name) => raw(name)))

/** Adds to the current hour, in the order of the apps on every node, so that nodes cannot deadlock. */
export async function addUsage(db: Db, counted: readonly { appId: number; counts: Counts }[]): Promise<void> {
  if (counted.length === 0) return
  const arrays = COUNTS.map((name) => sql`${counted.map(({ counts }) => counts[name])}::bigint[]`)
  await db.query(sql`
    insert into app_usage (app_id, hora, ${NAMES})
    select app_id, date_trunc('hour', now()), ${NAMES}
    from unnest(${counted.map(({ appId }) => appId)}::int[], ${join(arrays)}) as counted (app_id, ${NAMES})
    order by app_id
    on conflict (app_id, hora) do update
    set ${join(COUNTS.map((name) => sql`${raw(name)} = app_usage.${raw(name)} + excluded.${raw(name)}`))}`)
}

export async function addFirsts(db: Db, counted: readonly { appId: number; fresh: Milestone[] }[]): Promise<void> {
  const firsts = counted.flatMap(({ appId, fresh }) => fresh.map((hecho) => ({ appId, hecho })))
  if (firsts.length === 0) return
  await db.query(sql`
    insert into app_firsts (app_id, hecho)
    select * from unnest(${firsts.map(({ appId }) => appId)}::int[], ${firsts.map(({ hecho }) => hecho)}::text[])
    order by 1, 2
    on conflict do nothing`)
}

/** Adds what an app read of agencies, each found by its administrator's mail, the present or a former one. */
export async function addReads(
  db: Db,
  appId: number,
  reads: readonly (readonly [adminMail: string, reads: Reads])[],
  timeZone: string,
): Promise<void> {
  await db.query(sql`
    insert into app_reads (agencia_id, app_id, dia, datos, consultas)
    select g.id, ${appId}, (now() at time zone ${timeZone})::date, sum(datos), sum(consultas)
    from unnest(
      ${reads.map(([mail]) => mail.toLowerCase())}::text[], ${reads.map(([, { datos }]) => datos)}::bigint[],
      ${reads.map(([, { consultas }]) => consultas)}::bigint[]
    ) as read (mail, datos, consultas)
    join apps a on a.id = ${appId}
    cross join lateral (
      select coalesce(
        (select id from agencias where modo = a.modo and admin_mail = mail),
        (select agencia_id from agencia_aliases where modo = a.modo and admin_mail = mail and expires_at > now())) as id
    ) g
    where g.id is not null
    group by g.id order by g.id
    on conflict (agencia_id, app_id, dia) do update
    set datos = app_reads.datos + excluded.datos, consultas = app_reads.consultas + excluded.consultas`)
}

/** What was counted in one hour or day, beginning at `desde`. */
export interface UsageBucket extends Counts {
  desde: Date
}

interface UsageFilters {
  /** Of one app; without it, of all of them. */
  appId?: number
  step: 'hour' | 'day'
  /** How many hours or days, the present one included. */
  count: number
  timeZone: string
}

/** Hour by hour or day by day until now, oldest first; those in which nothing happened are there too. */
export function usageOf(db: Db, { appId, step, count, timeZone }: UsageFilters): Promise<UsageBucket[]> {
  const last = sql`date_trunc(${step}, now() at time zone ${timeZone})`
  const one = sql`${`1 ${step}`}::interval`
  const first = sql`${last} - ${count - 1} * ${one}`
  return db.query<UsageBucket>(sql`
    select period at time zone ${timeZone} as desde,
      ${join(COUNTS.map((name) => sql`coalesce(${raw(name)}, 0)::bigint as ${raw(name)}`))}
    from generate_series(${first}, ${last}, ${one}) as period
    left join (
      select date_trunc(${step}, hora at time zone ${timeZone}) as period,
        ${join(COUNTS.map((name) => sql`sum(${raw(name)}) as ${raw(name)}`))}
      from app_usage
      where hora >= (${first}) at time zone ${timeZone} ${appId === undefined ? empty : sql`and app_id = ${appId}`}
      group by 1
    ) counted using (period)
    order by period`)
}

/** What the app has done at least once, and when it first did. */
export async function firstsOf(db: Db, appId: number): Promise<Map<Milestone, Date>> {
  const rows = await db.query<{ hecho: Milestone; at: Date }>(
    sql`select hecho, at from app_firsts where app_id = ${appId}`,
  )
  return new Map(rows.map(({ hecho, at }) => [hecho, at]))
}
