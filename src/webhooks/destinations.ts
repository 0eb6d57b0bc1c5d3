import type { KeyObject } from 'node:crypto'
import sql from 'sql-template-tag'
import type { App, Modo } from '../apps/app.ts'
import { orUndefined } from '../memoize.ts'
import type { Db, Store } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import type { AppEvent } from './event-deliveries.ts'
import { attemptHeaders, fixedHeaders, inPairs, keyOf, userAgentOf } from './headers.ts'
import type { Endpoint } from './send/send.ts'
import { HEADERS, IS_ENABLED, SECRET } from './store.ts'

interface Destination {
  id: number
  appId: number
  modo: Modo
  topic: string
  destino: number
  enOrden: boolean
  host: string
  /** Changes with its configuration (`WEBHOOK_VERSION`): results of an older one say nothing about this one. */
  version: string
  /** `off`: nothing is sent. `paused`: the breaker is open. `probing`: one delivery may probe it. */
  state: 'on' | 'probing' | 'paused' | 'off'
  /** Where and with which keys to send; undefined if the master key does not open its secrets. */
  secrets(): { endpoint: Endpoint; keys: KeyObject[] } | undefined
}

/** The signing keys of a webhook, newest first, and its custom headers as names and values in turn. */
interface OpenedSecrets {
  keys: KeyObject[]
  headers: string[]
}

export type Destinations = ReturnType<typeof openDestinations>

interface Row
  extends SealedRow,
    Pick<Destination, 'id' | 'appId' | 'modo' | 'topic' | 'destino' | 'enOrden' | 'version' | 'state'> {
  /** The private ranges that only its app may reach. */
  appRanges: string[]
}

interface SealedRow {
  callback: string
  sealedSecret: Buffer | null
  formerSecret: Buffer | null
  sealedHeaders: Buffer | null
}

const SEALED_COLUMNS = sql`
  w.callback, w.sealed_secret as "sealedSecret", w.sealed_headers as "sealedHeaders",
  case when w.former_secret_until > now() then w.sealed_former_secret end as "formerSecret"`

/** The version of a webhook `w`: everything that decides how to send to it. It contains no `|`. */
export const WEBHOOK_VERSION = sql`concat_ws(' ', w.updated_at, w.former_secret_until > now(), w.private_callbacks)`

const PROBE_SECONDS = 30 // longer than a request may take

/** One delivery probes a webhook whose pause is over: the worker that extends the pause may send it. */
const readRows = (db: Db, ids: number[]) =>
  db.query<Row>(
    sql`
    with probing as (
      update webhooks set paused_until = now() + make_interval(secs => ${PROBE_SECONDS})
      where id = any (${ids}::int[]) and paused_until <= now() returning id
    )
    select w.id, w.app_id as "appId", a.modo, w.topic, w.destino, w.en_orden as "enOrden", ${WEBHOOK_VERSION} as version, w.private_callbacks as "appRanges",
      ${SEALED_COLUMNS},
      case
        when not (${IS_ENABLED}) then 'off'
        when w.paused_until is null then 'on'
        when w.id in (select id from probing) then 'probing'
        else 'paused'
      end as state
    from webhooks w join apps a on a.id = w.app_id
    where w.id = any (${ids}::int[])`,
    'keep-plan',
  )

const topicKey = ({ appId, topic }: Pick<Destination, 'appId' | 'topic'>): string => `${appId} ${topic}`

/** The webhooks that are being delivered to, by id. Secrets are opened once for each version. */
export function openDestinations(seal: Seal, userAgent: string) {
  const known = new Map<number, Destination>()
  const byTopic = new Map<string, Destination[]>()

  function remember({ callback, sealedSecret, formerSecret, sealedHeaders, ...row }: Row): Destination {
    const before = known.get(row.id)
    if (before?.version === row.version) return Object.assign(before, { state: row.state })
    const { origin, host, pathname, search } = new URL(callback)
    let ready: ReturnType<Destination['secrets']>
    const open = () => {
      const opened = openSealed(seal, { sealedSecret, formerSecret, sealedHeaders })
      if (!opened) return undefined
      const headers = fixedHeaders(row.topic, userAgent, opened.headers)
      // A connection that was opened under wider ranges must not be used again.
      const key = `${row.id} ${origin} ${row.appRanges.join()}`
      return {
        keys: opened.keys,
        endpoint: { key, origin, appRanges: row.appRanges, path: pathname + search, headers },
      }
    }
    const destination = { ...row, host, secrets: () => (ready ??= open()) }
    const others = ofTopic(row).filter(({ destino }) => destino !== row.destino) // it may have been made anew
    for (const { id } of ofTopic(row)) known.delete(id)
    for (const each of [...others, destination]) known.set(each.id, each)
    byTopic.set(topicKey(row), [...others, destination])
    return destination
  }

  const ofTopic = (of: Pick<Destination, 'appId' | 'topic'>): Destination[] => byTopic.get(topicKey(of)) ?? []

  function forget(id: number): void {
    const gone = known.get(id)
    if (!gone) return
    known.delete(id)
    byTopic.set(
      topicKey(gone),
      ofTopic(gone).filter((each) => each !== gone),
    )
  }

  return {
    /** Reads their current state; one that no longer exists is left out. */
    async read(store: Store, ids: number[]): Promise<Map<number, Destination>> {
      const rows = await readRows(store, ids)
      const read = new Map(rows.map((row) => [row.id, remember(row)]))
      for (const id of ids) if (!read.has(id)) forget(id)
      return read
    },
    get: (id: number): Destination | undefined => known.get(id),
    /** Those of a topic. */
    find: (appId: number, topic: string): readonly Destination[] => ofTopic({ appId, topic }),
  }
}

/** Opens what store.ts sealed. A former secret that does not open is left out. */
function openSealed(
  seal: Seal,
  { sealedSecret, formerSecret, sealedHeaders }: Omit<SealedRow, 'callback'>,
): OpenedSecrets | undefined {
  const keyIn = (sealed: Buffer | null) => (sealed ? [keyOf(seal.open(sealed, SECRET))] : [])
  return orUndefined(() => {
    const custom: { Name: string; Value: string }[] = sealedHeaders ? JSON.parse(seal.open(sealedHeaders, HEADERS)) : []
    const keys = [...keyIn(sealedSecret), ...(orUndefined(() => keyIn(formerSecret)) ?? [])]
    return { keys, headers: custom.flatMap(({ Name, Value }) => [Name, Value]) }
  })
}

/** A delivery as it would be sent now: its URL, and its headers with signatures. */
export interface PreparedRequest {
  callback: string
  headers: [name: string, value: string][]
}

/** The request of an event's next attempt; undefined if the topic has no webhook or its secrets do not open. */
export async function prepareRequest(
  db: Db,
  seal: Seal,
  app: App,
  { id, topic, payload, delivery, destino }: AppEvent,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<PreparedRequest | undefined> {
  const [row] = await db.query<SealedRow>(sql`
    select ${SEALED_COLUMNS} from webhooks w where w.app_id = ${app.id} and w.topic = ${topic} and w.destino = ${destino}`)
  const opened = row && openSealed(seal, row)
  if (!opened) return undefined
  const attempt = { id, number: (delivery?.attemptCount ?? 0) + 1, traceparent: delivery?.traceparent ?? null }
  const fixed = fixedHeaders(topic, userAgentOf(publicUrl), opened.headers)
  const headers = attemptHeaders(attempt, { topic, keys: opened.keys }, payload, now)
  return { callback: row.callback, headers: inPairs([...fixed, ...headers]) }
}
