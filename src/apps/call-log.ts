import sql, { empty, type Sql } from 'sql-template-tag'
import { type Clock, DAY_MS } from '../clock.ts'
import type { Message } from '../i18n/messages.tsx'
import { getOrInsert } from '../memoize.ts'
import type { Log } from '../store/circuit-breaker.ts'
import type { Db } from '../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../store/keyset.ts'
import { opaqueNumbers } from '../store/prepared.ts'
import { firstUlid, momentOf, ulid } from '../ulid.ts'

export const CALL_LOG_DAYS = 7
/** A transaction costs as much as fifty of its rows. The portal's pages store what waits on their node before they read. */
export const FLUSH_SECONDS = 5
/** Of one app on one node. Calls beyond it are counted in its usage, and not listed. */
export const MAX_PER_SECOND = 50
export const MAX_PER_FLUSH = FLUSH_SECONDS * MAX_PER_SECOND
/** A node that has listed so many since the last flush lists fewer of each app, so that the log is a small part of a full load. */
export const REDUCED_FROM = FLUSH_SECONDS * 1_000
export const MAX_PER_FLUSH_REDUCED = FLUSH_SECONDS * 10
/** Of a node, however many apps call it. */
export const MAX_LISTED = FLUSH_SECONDS * 2_000
/** Limits for calls whose signature failed: anybody can send them, so they are counted apart from proven ones. */
export const MAX_CLAIMED_PER_FLUSH = FLUSH_SECONDS * 2
export const MAX_CLAIMED_LISTED = FLUSH_SECONDS * 100
const MAX_WAITING = 5_000
/** In one statement. */
export const MAX_STORED = 1_000

/** A call as it is recorded, without personal data. */
export interface RecordedCall {
  /** Of the agency in the path. It is stored by its id. */
  adminMail?: string | undefined
  metodo: string
  /** `{agencia}` stands for the agency's email, and `{correo}` for any other. */
  ruta: string
  /** Sent from the portal, by a person. */
  portal: boolean
  estado: number
  ms: number
  codigo?: string | undefined
  problema?: Refusal | undefined
  cuerpo?: string | undefined
}

/** What a refused call was answered. */
export interface Refusal {
  /** A message, so that each reader has it in their language; the title follows from the status. */
  detail: string | Message
  errors?: Record<string, string[]> | undefined
  codes?: Record<string, string[]> | undefined
}

export type CallLog = ReturnType<typeof openCallLog>

/**
 * Calls are stored every five seconds, together. Those of the last seconds are lost with the process, and those that the
 * database refuses are not kept: the log must not hold up the API.
 */
export function openCallLog({ store, log, clock }: { store: Db; log: Log; clock: Clock }) {
  let waiting: WaitingCall[] = []
  let proven = counts()
  let claimed = counts()
  let written: Promise<void> = Promise.resolve()

  /** `call` is only built if it is listed. `isClaimed`: the caller did not prove to be the app. */
  function record(appId: number, call: () => RecordedCall, { isClaimed = false } = {}): void {
    const reached = isClaimed ? claimed : proven
    const ofApp = reached.perApp.get(appId) ?? 0
    const { perApp, all } = isClaimed ? CLAIMED_LIMITS : provenLimits(reached.all)
    if (ofApp >= perApp || reached.all >= all || waiting.length >= MAX_WAITING) return
    reached.perApp.set(appId, ofApp + 1)
    reached.all++
    waiting.push({ id: ulid(clock().getTime()), appId, call: call() })
    if (waiting.length === MAX_STORED) void flush()
  }

  /** One statement at a time. */
  function flush(): Promise<void> {
    written = written.then(write)
    return written
  }

  async function write(): Promise<void> {
    if (waiting.length === 0) return
    const calls = waiting
    waiting = []
    await insertCalls(store, calls).catch((err) => log.warn({ err, calls: calls.length }, 'call log: not stored'))
  }

  const timer = setInterval(() => {
    proven = counts()
    claimed = counts()
    void flush()
  }, FLUSH_SECONDS * 1_000).unref()
  return {
    record,
    flush,
    stop(): Promise<void> {
      clearInterval(timer)
      return flush()
    },
  }
}

/** Calls listed since the last flush. */
const counts = () => ({ perApp: new Map<number, number>(), all: 0 })

const CLAIMED_LIMITS = { perApp: MAX_CLAIMED_PER_FLUSH, all: MAX_CLAIMED_LISTED }
const provenLimits = (listed: number) => ({
  perApp: listed < REDUCED_FROM ? MAX_PER_FLUSH : MAX_PER_FLUSH_REDUCED,
  all: MAX_LISTED,
})

interface WaitingCall {
  id: string
  appId: number
  call: RecordedCall
}

/**
 * Each agency is searched once, however many calls name it. The arrays of ids are opaque, so that PostgreSQL keeps the
 * plan also for few calls. The commit does not wait for the disk.
 */
async function insertCalls(db: Db, calls: readonly WaitingCall[]): Promise<void> {
  const { named, positions } = agenciasNamed(calls)
  const column = (name: keyof RecordedCall) => calls.map(({ call }) => call[name])
  await db.query(
    sql`
    insert into app_calls (dia, id, app_id, agencia_id, metodo, ruta, portal, estado, ms, codigo, problema, cuerpo)
    select call_day(now()), id, app_id, nullif(named.agencias[nth], 0), metodo, ruta, portal, estado, ms,
      codigo, problema, cuerpo
    from unnest(
      (select ${calls.map(({ id }) => id)}::text[]), ${calls.map(({ appId }) => appId)}::int[], ${positions}::int[],
      ${column('metodo')}::text[], ${column('ruta')}::text[], ${column('portal')}::boolean[],
      ${column('estado')}::smallint[], ${column('ms')}::real[], ${column('codigo')}::text[],
      ${calls.map(({ call: { problema } }) => problema && JSON.stringify(problema))}::jsonb[], ${column('cuerpo')}::text[]
    ) as c (id, app_id, nth, metodo, ruta, portal, estado, ms, codigo, problema, cuerpo),
    (
      select array(
        select coalesce(s.agencia_id, 0)
        from unnest(${opaqueNumbers(named.map(({ appId }) => appId))}, ${named.map(({ mail }) => mail)}::text[])
          with ordinality as n (app_id, mail, nth)
        left join apps a on a.id = n.app_id
        left join agencias g on g.modo = a.modo and g.admin_mail = n.mail
        left join agencia_aliases former on g.id is null and former.modo = a.modo and former.admin_mail = n.mail and former.expires_at > now()
        left join asociaciones s
          on s.app_id = n.app_id and s.agencia_id = coalesce(g.id, former.agencia_id) and s.ended_at is null
        order by n.nth
      ) as agencias
    ) named
    where (select set_config('synchronous_commit', 'off', true)) = 'off'`,
    'keep-plan',
  )
}

/** The different agencies in the paths of an app's calls, and for each call the position of its agency, from one; or 0. */
function agenciasNamed(calls: readonly WaitingCall[]) {
  const named: { appId: number; mail: string }[] = []
  const known = new Map<string, number>()
  const positions = calls.map(({ appId, call: { adminMail } }) => {
    if (adminMail === undefined) return 0
    const mail = adminMail.toLowerCase()
    return getOrInsert(known, `${appId} ${mail}`, () => named.push({ appId, mail }))
  })
  return { named, positions }
}

/** A call in the log. */
export interface Call extends Pick<RecordedCall, 'metodo' | 'ruta' | 'portal' | 'estado' | 'ms'> {
  id: string
  codigo: string | null
  problema: Refusal | null
  cuerpo: string | null
  /** The agency of the path, while the app may see it. */
  agencia: { nombre: string; adminMail: string } | null
}

export interface CallFilter {
  metodo?: string | undefined
  /** Only what was sent from the portal. */
  portal?: true
  /** A status (404) or the first digit of many (4). */
  estado?: number | undefined
  /** Part of the path, or a code. */
  text?: string | undefined
  from?: string | undefined
  until?: string | undefined
}

const CALL = sql`
  c.id, c.metodo, c.ruta, c.portal, c.estado, c.ms, c.codigo, c.problema, c.cuerpo,
  case when s.agencia_id is not null then json_build_object('nombre', g.nombre, 'adminMail', g.admin_mail) end as agencia`
const JOINS = sql`
  left join asociaciones s on s.app_id = c.app_id and s.agencia_id = c.agencia_id and s.ended_at is null
  left join agencias g on g.id = s.agencia_id`

/** How many of an app's calls a search reads, so that its cost is bounded. */
export const MAX_SEARCHED = 100_000

/** A page of an app's calls, newest first. */
export async function listCalls(
  db: Db,
  appId: number,
  filter: CallFilter,
  cursor: Cursor,
  now: Date,
): Promise<ResultPage<Call>> {
  const { within, order, limit } = keysetBy(sql`c.id`, cursor)
  const rows = await db.query<Call>(sql`
    select ${CALL}
    from (
      select * from app_calls c
      where c.app_id = ${appId} and c.id >= ${oldestId(now)} and ${within} ${indexed(filter)}
      order by ${order} limit ${MAX_SEARCHED}
    ) c ${JOINS}
    where ${matching(filter)}
    order by ${order} limit ${limit}`)
  return resultPage(rows, cursor)
}

/**
 * Changes with each call of the app that is stored, at less cost than a search. Other nodes store calls of the last seconds
 * after newer ones, so that these are counted.
 */
export async function callsVersion(db: Db, appId: number): Promise<string> {
  const newest = await db.first<{ id: string }>(
    sql`select id from app_calls where app_id = ${appId} order by id desc limit 1`,
    'keep-plan',
  )
  if (!newest) return ''
  const recent = firstUlid(new Date(momentOf(newest.id).getTime() - 2 * FLUSH_SECONDS * 1_000))
  const counted = await db.count(
    sql`select count(*) from app_calls where app_id = ${appId} and id >= ${recent}`,
    'keep-plan',
  )
  return `${newest.id} ${counted}`
}

export const findCall = (db: Db, appId: number, id: string, now: Date): Promise<Call | undefined> =>
  db.first<Call>(sql`
    select ${CALL} from app_calls c ${JOINS}
    where c.app_id = ${appId} and c.id = ${id} and c.id >= ${oldestId(now)}`)

const oldestId = (now: Date): string => firstUlid(new Date(now.getTime() - CALL_LOG_DAYS * DAY_MS))

/** Conditions that an index answers. */
const indexed = ({ portal, estado, from, until }: CallFilter): Sql => sql`
  ${portal ? sql`and c.portal` : empty}
  ${estado !== undefined && firstOf(estado) >= 400 ? sql`and c.estado >= 400` : empty}
  ${from ? sql`and c.id >= ${from}` : empty}
  ${until ? sql`and c.id < ${until}` : empty}`

const matching = ({ metodo, estado, text }: CallFilter): Sql => sql`
  true
  ${metodo ? sql`and c.metodo = ${metodo}` : empty}
  ${estado === undefined ? empty : sql`and c.estado between ${firstOf(estado)} and ${lastOf(estado)}`}
  ${text ? sql`and (strpos(lower(c.ruta), ${text.toLowerCase()}) > 0 or c.codigo = ${text.toLowerCase()})` : empty}`

const firstOf = (estado: number): number => (estado < 10 ? estado * 100 : estado)
const lastOf = (estado: number): number => (estado < 10 ? estado * 100 + 99 : estado)

/** The task that ends the log of a day. */
export const clearOldCalls = (db: Db) => db.query(sql`select clear_old_calls()`)
