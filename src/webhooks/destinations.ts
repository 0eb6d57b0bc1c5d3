import type { KeyObject } from 'node:crypto'
import sql from 'sql-template-tag'
import type { App, Modo } from '../apps/app.ts'
import type { Db, Store } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import type { AppEvent } from './event.ts'
import { attemptHeaders, fixedHeaders, inPairs, userAgentOf } from './headers.ts'
import type { Target } from './send/send.ts'
import { keyOf } from './sign.ts'
import { IS_SENT, openable } from './subscriptions.ts'

/** A webhook as its deliveries need it. */
export interface Destination {
  id: number
  appId: number
  /** Of its app: in test mode nobody waits long. */
  modo: Modo
  topic: string
  /** For the log. */
  about: { app: number; webhook: number; topic: string; host: string }
  /** When its configuration last changed: what is learned of another one says nothing about this. */
  version: string
  /** `off`: nothing is sent there any more. `paused`: the breaker is open. `probing`: one delivery may try the door. */
  state: 'open' | 'probing' | 'paused' | 'off'
  /** How to write to it, which only the master key opens; undefined where it does not. */
  open(): { target: Target; keys: KeyObject[] } | undefined
}

/** The keys a webhook is signed with, newest first, and its own headers as names and values in turn. */
export interface Opened {
  keys: KeyObject[]
  headers: string[]
}

/** The webhooks that are being delivered to, by id; what is costly to open is opened once for each configuration. */
export interface Destinations {
  /** Reads those afresh, and says how each stands; one that does not exist any more is left out. */
  read(store: Store, ids: number[]): Promise<Map<number, Destination>>
  get(id: number): Destination | undefined
}

interface Row {
  id: number
  appId: number
  modo: Modo
  topic: string
  callback: string
  sealedSecret: Buffer | null
  formerSecret: Buffer | null
  sealedHeaders: Buffer | null
  version: string
  state: Destination['state']
  /** The private ranges that its app alone may reach. */
  granted: string[]
}

const PROBE_SECONDS = 30 // longer than a call may take: whoever probes has the door to himself

/**
 * A webhook whose pause is over is probed by one delivery: whoever moves the end of the pause may send it, and nobody
 * else until that one is settled or has been given up.
 */
const readRows = (db: Db, ids: number[]) =>
  db.query<Row>(
    sql`
    with probing as (
      update webhooks set paused_until = now() + make_interval(secs => ${PROBE_SECONDS})
      where id = any (${ids}::int[]) and paused_until <= now() returning id
    )
    select w.id, w.app_id as "appId", a.modo, w.topic, w.callback, w.sealed_secret as "sealedSecret",
      case when w.former_secret_until > now() then w.sealed_former_secret end as "formerSecret",
      w.sealed_headers as "sealedHeaders", w.updated_at::text as version, a.private_callbacks as granted,
      case
        when not (${IS_SENT}) then 'off'
        when w.paused_until is null then 'open'
        when w.id in (select id from probing) then 'probing'
        else 'paused'
      end as state
    from webhooks w join apps a on a.id = w.app_id
    where w.id = any (${ids}::int[])`,
    'keep-plan',
  )

export function openDestinations(seal: Seal, userAgent: string): Destinations {
  const known = new Map<number, Destination & { rotating: boolean; granted: string[] }>()

  function remember({ callback, sealedSecret, formerSecret, sealedHeaders, ...row }: Row): Destination {
    const before = known.get(row.id)
    const rotating = formerSecret !== null
    const isSame = before?.version === row.version && before.rotating === rotating
    if (isSame && before.granted.join() === row.granted.join()) return Object.assign(before, { state: row.state })
    const { origin, host, pathname, search } = new URL(callback)
    let ready: ReturnType<Destination['open']>
    const open = () => {
      const opened = openSealed(seal, [sealedSecret, formerSecret], sealedHeaders)
      if (!opened) return undefined
      const headers = fixedHeaders(row.topic, userAgent, opened.headers)
      // The ranges are part of the key: a connection that was opened under wider ones is not used again.
      const key = `${row.id} ${origin} ${row.granted.join()}`
      return { keys: opened.keys, target: { key, origin, granted: row.granted, path: pathname + search, headers } }
    }
    const about = { app: row.appId, webhook: row.id, topic: row.topic, host }
    const destination = { ...row, about, rotating, open: () => (ready ??= open()) }
    known.set(row.id, destination)
    return destination
  }

  return {
    async read(store, ids) {
      const rows = await readRows(store, ids)
      const read = new Map(rows.map((row) => [row.id, remember(row)]))
      for (const id of ids) if (!read.has(id)) known.delete(id)
      return read
    },
    get: (id) => known.get(id),
  }
}

/** As subscriptions.ts sealed them; undefined where they do not open. A former secret that does not is done without. */
export function openSealed(
  seal: Seal,
  [secret, former]: [secret: Buffer | null, former: Buffer | null],
  sealedHeaders: Buffer | null,
): Opened | undefined {
  const keyIn = (sealed: Buffer | null) => (sealed ? [keyOf(seal.open(sealed, 'webhook'))] : [])
  return openable(() => {
    const custom: { Name: string; Value: string }[] = sealedHeaders
      ? JSON.parse(seal.open(sealedHeaders, 'webhook-headers'))
      : []
    const keys = [...keyIn(secret), ...(openable(() => keyIn(former)) ?? [])]
    return { keys, headers: custom.flatMap(({ Name, Value }) => [Name, Value]) }
  })
}

/** A delivery as it would leave now: where to, and every header with the signatures of this moment. */
export interface DeliveryRequest {
  callback: string
  headers: [name: string, value: string][]
}

interface RequestRow {
  callback: string
  sealedSecret: Buffer | null
  formerSecret: Buffer | null
  sealedHeaders: Buffer | null
}

/** The next attempt at an event, made by the hand that makes them all; undefined where the topic has no webhook, or only one whose secrets cannot be read. */
export async function requestOf(
  db: Db,
  seal: Seal,
  app: App,
  { id, topic, payload, delivery }: AppEvent,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<DeliveryRequest | undefined> {
  const [row] = await db.query<RequestRow>(sql`
    select callback, sealed_secret as "sealedSecret", sealed_headers as "sealedHeaders",
           case when former_secret_until > now() then sealed_former_secret end as "formerSecret"
    from webhooks where app_id = ${app.id} and topic = ${topic}`)
  if (!row) return undefined
  const opened = openSealed(seal, [row.sealedSecret, row.formerSecret], row.sealedHeaders)
  if (!opened) return undefined
  const next = { id, attempts: 1, carried: delivery?.tries ?? 0, traceparent: delivery?.traceparent ?? null }
  const fixed = fixedHeaders(topic, userAgentOf(publicUrl), opened.headers)
  const headers = attemptHeaders(next, { topic, keys: opened.keys }, payload, now)
  return { callback: row.callback, headers: inPairs([...fixed, ...headers]) }
}
