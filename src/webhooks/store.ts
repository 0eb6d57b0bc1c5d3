import sql, { empty, type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import { orUndefined } from '../memoize.ts'
import type { Db } from '../store/db.ts'
import type { Seal, SealedColumn } from '../store/sealed.ts'
import { FIRST_DESTINO, MAX_DESTINOS } from './delivery-ids.ts'
import { dequeueAll, enqueuePending } from './ordered.ts'
import { isTopic, type Topic } from './topics.ts'

/** A custom header, sent with each delivery. */
interface HeaderCustom {
  Name: string
  Value: string
}

export interface Settings {
  callback: string
  description: string | null
  activo: boolean
  headers: [HeaderCustom | null, HeaderCustom | null, HeaderCustom | null]
}

/** What a webhook has beyond the specification. */
export interface Routing {
  /** The agencies whose events it gets; null: all. */
  agencias: number[] | null
  /** The events of an agency are sent one at a time, in the order of the feed (ordered.ts). */
  enOrden: boolean
  /** The version of the payloads it gets. */
  payloadVersion: number
}

/** The version of new payloads. docs/endpoints.md says what a second one needs. */
export const PAYLOAD_VERSION = 1

const DEFAULT_ROUTING: Routing = { agencias: null, enOrden: false, payloadVersion: PAYLOAD_VERSION }

/** One of an app's webhooks for a topic, with its health. The secret stays sealed. */
export interface Webhook extends Settings, Routing {
  id: number
  appId: number
  topic: string
  /** Its number within the topic, from 1 to `MAX_DESTINOS`. */
  destino: number
  sealedSecret: Buffer | null
  /** The last characters of the secret; null: unsigned. */
  secretHint: string | null
  failures: number
  lastDeliveryAt: Date | null
  /** When its callback first answered 2xx. */
  verifiedAt: Date | null
  lastError: string | null
  /** Set if it was disabled: it failed for days, or answered 410. */
  disabledAt: Date | null
}

const HINT_CHARACTERS = 4 // docs/decisions/webhooks.md
const MAX_DISCARDED = 10_000
/** The purposes that secrets and headers are sealed for. */
export const SECRET = 'webhook'
export const HEADERS = 'webhook-headers'

export const SEALED_WEBHOOKS: SealedColumn[] = [
  { table: 'webhooks', id: 'id', idType: 'int', column: 'sealed_secret', purpose: () => SECRET },
  { table: 'webhooks', id: 'id', idType: 'int', column: 'sealed_former_secret', purpose: () => SECRET },
  { table: 'webhooks', id: 'id', idType: 'int', column: 'sealed_headers', purpose: () => HEADERS },
]

const COLUMNS = sql`
  id, app_id as "appId", topic, destino, agencias, en_orden as "enOrden", payload_version as "payloadVersion", callback, description, activo, sealed_secret as "sealedSecret",
  secret_hint as "secretHint", sealed_headers as "sealedHeaders", failures, last_delivery_at as "lastDeliveryAt",
  verified_at as "verifiedAt", last_error as "lastError", disabled_at as "disabledAt"`

type Row = Omit<Webhook, 'headers'> & { sealedHeaders: Buffer | null }

const openRow = (seal: Seal, { sealedHeaders, ...row }: Row): Webhook => ({
  ...row,
  headers: openHeaders(seal, sealedHeaders),
})

/** Whether the app may use a topic. The webhook of a withdrawn topic can only be removed. */
export const isAvailable = (app: App, topic: string): topic is Topic =>
  isTopic(topic) && (app.topics === null || app.topics.includes(topic))

/** True if its own settings let events be sent to it. */
export const isEnabled = ({ activo, disabledAt }: Webhook): boolean => activo && disabledAt === null

/** Whether its address has answered 2xx once, in whichever of the app's webhooks. Test mode is left out. */
export const isVerified = (app: App, { callback }: Webhook, all: Webhook[]): boolean =>
  app.modo === 'prueba' || all.some((each) => each.callback === callback && each.verifiedAt !== null)

/** `isEnabled` in SQL for a webhook `w`; its app must be enabled and have the topic too. */
export const IS_ENABLED = sql`w.activo and w.disabled_at is null and w.app_allows`

/** Names one of an app's webhooks. */
export interface WebhookTarget {
  app: App
  topic: string
  /** Its number within the topic; the first if none is given. */
  destino?: number | undefined
}

export async function findWebhook(
  db: Db,
  seal: Seal,
  { app, topic, destino = FIRST_DESTINO }: WebhookTarget,
  lock = empty,
): Promise<Webhook | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${COLUMNS} from webhooks where app_id = ${app.id} and topic = ${topic} and destino = ${destino} ${lock}`)
  return row && openRow(seal, row)
}

/** `findWebhook`, locked until the transaction ends. */
export const lockWebhook = (tx: Db, seal: Seal, target: WebhookTarget) =>
  findWebhook(tx, seal, target, sql`for no key update`)

/** All of an app, by topic and number. */
export async function listWebhooks(db: Db, seal: Seal, app: App): Promise<Webhook[]> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from webhooks where app_id = ${app.id} order by topic, destino`,
  )
  return rows.map((row) => openRow(seal, row))
}

/** Those of the specification's own routes: one for each topic. */
export const firstOfTopics = (webhooks: readonly Webhook[]): Webhook[] =>
  webhooks.filter(({ destino }) => destino === FIRST_DESTINO)

/** Creates a webhook; undefined if the topic already has one of that number, or all numbers where none is given. */
export async function addWebhook(
  tx: Db,
  seal: Seal,
  app: App,
  topic: Topic,
  { secret, destino, ...settings }: Settings & Partial<Routing> & { secret: string | null; destino?: number },
): Promise<Webhook | undefined> {
  const { callback, description, activo, headers, agencias, enOrden, payloadVersion } = {
    ...DEFAULT_ROUTING,
    ...settings,
  }
  const free = destino === undefined ? firstFree(app, topic) : sql`select ${destino}::int as destino`
  // Otherwise two requests could choose the same free number, and one would be refused.
  if (destino === undefined) await lockApp(tx, app)
  const [row] = await tx.query<Row>(sql`
    insert into webhooks (app_id, topic, destino, callback, description, activo, sealed_secret, secret_hint, sealed_headers,
      agencias, en_orden, payload_version)
    select ${app.id}, ${topic}, free.destino, ${callback}, ${description}, ${activo}, ${sealSecret(seal, secret)}::bytea,
      ${hintOf(secret)}, ${sealHeaders(seal, headers)}::bytea, ${agencias}::int[], ${enOrden}, ${payloadVersion}::int
    from (${free}) free
    on conflict (app_id, topic, destino) do nothing returning ${COLUMNS}`)
  return row && openRow(seal, row)
}

/** For a transaction that adds webhooks of several topics: two that add them in another order would wait for each other. */
export async function lockApp(tx: Db, app: Pick<App, 'id'>): Promise<void> {
  await tx.query(sql`select from apps where id = ${app.id} for no key update`)
}

/** No row if the topic has as many webhooks as it may. */
const firstFree = (app: App, topic: Topic): Sql => sql`
  select destino from generate_series(1, ${MAX_DESTINOS}) destino
  where not exists (
    select from webhooks w where w.app_id = ${app.id} and w.topic = ${topic} and w.destino = destino.destino)
  order by destino limit 1`

/** A form that is sent again within this time is the same one (docs/decisions/webhooks.md). */
const FORM_MINUTES = 10

export const isNewWebhook = (db: Db, { id }: Webhook): Promise<boolean> =>
  db.hasRows(sql`
    select from webhooks where id = ${id} and created_at > now() - make_interval(mins => ${FORM_MINUTES})`)

/** Replaces the settings; health and secret stay. */
export async function changeSettings(tx: Db, seal: Seal, id: number, settings: Settings): Promise<void> {
  const { callback, description, activo, headers } = settings
  await tx.query(sql`
    update webhooks
    set callback = ${callback}, verified_at = case when callback = ${callback} then verified_at end, description = ${description}, activo = ${activo},
        sealed_headers = ${sealHeaders(seal, headers)}, updated_at = now()
    where id = ${id}`)
}

/** Replaces what a webhook has beyond the specification. What is pending takes its place in the order, or leaves it. */
export async function changeRouting(
  tx: Db,
  before: Webhook,
  { agencias, enOrden, payloadVersion }: Routing,
): Promise<void> {
  await tx.query(sql`
    update webhooks
    set agencias = ${agencias}::int[], en_orden = ${enOrden}, payload_version = ${payloadVersion}, updated_at = now()
    where id = ${before.id}`)
  if (enOrden && !before.enOrden) await enqueuePending(tx, before.id)
  if (!enOrden && before.enOrden) await dequeueAll(tx, before.id)
}

/** Sets a new secret; the former one also signs for a day. Null: unsigned from now on. */
export async function changeSecret(tx: Db, seal: Seal, id: number, secret: string | null): Promise<void> {
  const rotates = secret !== null
  await tx.query(sql`
    update webhooks
    set sealed_former_secret = case when ${rotates} then sealed_secret end,
        former_secret_until = case when ${rotates} and sealed_secret is not null then now() + interval '24 hours' end,
        sealed_secret = ${sealSecret(seal, secret)}, secret_hint = ${hintOf(secret)}, updated_at = now()
    where id = ${id}`)
}

/** Clears its health: it was enabled again, or has another callback. */
export const resetHealth = (tx: Db, id: number): Promise<unknown> =>
  tx.query(sql`
    update webhooks
    set failures = 0, failing_since = null, paused_until = null, last_error = null, warnings = 0, disabled_at = null,
        disabled_by = null, updated_at = now()
    where id = ${id}`)

/** Closes the breaker for a delivery that somebody requested. */
export const endPause = (tx: Db, id: number): Promise<unknown> =>
  tx.query(sql`update webhooks set paused_until = null where id = ${id} and paused_until is not null`)

/** Removes a webhook and discards its pending deliveries. */
export async function removeWebhook(tx: Db, { app, topic, destino = FIRST_DESTINO }: WebhookTarget): Promise<boolean> {
  const [removed] = await tx.query<{ id: number }>(sql`
    delete from webhooks where app_id = ${app.id} and topic = ${topic} and destino = ${destino} returning id`)
  if (removed) await discardPending(tx, removed.id)
  return removed !== undefined
}

/**
 * Discards the pending deliveries of a webhook that is off; the handler would only do so when they are due. Leased rows
 * and those beyond the limit are left to the handler. Checks again that it is off, because the app may just have enabled
 * it.
 */
export const discardPending = (tx: Db, webhookId: number): Promise<unknown> =>
  tx.query(sql`
    update deliveries set estado = 'descartada', settled_at = now()
    where not exists (select from webhooks w where w.id = ${webhookId} and ${IS_ENABLED})
      and id in (
      select id from deliveries
      where webhook_id = ${webhookId} and estado = 'pendiente' and (leased_until is null or leased_until <= now())
      limit ${MAX_DISCARDED} for update skip locked)`)

/** The secret of a webhook, to compare; it is never shown. Undefined if it does not open. */
export const openSecretOf = (seal: Seal, { sealedSecret }: Webhook): string | null | undefined =>
  orUndefined(() => sealedSecret && seal.open(sealedSecret, SECRET))

const sealSecret = (seal: Seal, secret: string | null) => secret && seal.seal(secret, SECRET)

/** Stored without the empty ones; `Place` is its index, under a name that sealed rows already have. */
type StoredHeader = HeaderCustom & { Place: number }

function sealHeaders(seal: Seal, headers: Settings['headers']): Buffer | null {
  const stored: StoredHeader[] = headers.flatMap((header, Place) => (header ? [{ ...header, Place }] : []))
  return stored.length > 0 ? seal.seal(JSON.stringify(stored), HEADERS) : null
}

function openHeaders(seal: Seal, sealed: Buffer | null): Settings['headers'] {
  const headers: Settings['headers'] = [null, null, null]
  const stored: StoredHeader[] = orUndefined(() => sealed && JSON.parse(seal.open(sealed, HEADERS))) ?? []
  for (const { Name, Value, Place } of stored) headers[Place] = { Name, Value }
  return headers
}

/** By characters, not UTF-16 units. */
const hintOf = (secret: string | null): string | null => secret && [...secret].slice(-HINT_CHARACTERS).join('')
