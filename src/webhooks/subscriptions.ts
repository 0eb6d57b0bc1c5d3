import sql, { empty, type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { isTopic, type Topic } from './topics.ts'

/** A header of the app's own, sent with each delivery. */
export interface HeaderCustom {
  Name: string
  Value: string
}

/** What an app decides about one topic. */
export interface Settings {
  callback: string
  description: string | null
  activo: boolean
  /** In the three places there are for them. */
  headers: [HeaderCustom | null, HeaderCustom | null, HeaderCustom | null]
}

/** Where an app wants to be told of one topic, and what deliveries have shown. The secret itself stays sealed. */
export interface Webhook extends Settings {
  id: number
  appId: number
  topic: string
  sealedSecret: Buffer | null
  /** The last characters of the secret; null: unsigned. */
  secretHint: string | null
  failures: number
  lastDeliveryAt: Date | null
  lastError: string | null
  disabledAt: Date | null
}

const HINT_CHARACTERS = 4 // decisions, 7
const MOST_DISCARDED = 10_000
const SECRET = 'webhook'
const HEADERS = 'webhook-headers'

const COLUMNS = sql`
  id, app_id as "appId", topic, callback, description, activo, sealed_secret as "sealedSecret",
  secret_hint as "secretHint", sealed_headers as "sealedHeaders", failures, last_delivery_at as "lastDeliveryAt",
  last_error as "lastError", disabled_at as "disabledAt"`

type Row = Omit<Webhook, 'headers'> & { sealedHeaders: Buffer | null }

const openRow = (seal: Seal, { sealedHeaders, ...row }: Row): Webhook => ({
  ...row,
  headers: openHeaders(seal, sealedHeaders),
})

/** Whether the app may use a topic (decisions, 7): all by default; one that was withdrawn can only be removed. */
export const isAvailable = (app: App, topic: string): topic is Topic =>
  isTopic(topic) && (app.topics === null || app.topics.includes(topic))

/** Whether events are sent to it, as far as its own state goes. */
export const isOn = ({ activo, disabledAt }: Webhook): boolean => activo && disabledAt === null

/** The same to the database, with all that may stand in its way, of a webhook `w` and its app `a`. */
export const IS_SENT = sql`
  w.activo and w.disabled_at is null and a.disabled_at is null and (a.topics is null or w.topic = any (a.topics))`

/** The webhook of an app for a topic, if it was ever configured. */
export async function findWebhook(db: Db, seal: Seal, app: App, topic: string): Promise<Webhook | undefined> {
  return find(db, seal, app, topic, empty)
}

/** The same, held as it is until the transaction ends. */
export async function lockWebhook(tx: Db, seal: Seal, app: App, topic: string): Promise<Webhook | undefined> {
  return find(tx, seal, app, topic, sql`for no key update`)
}

async function find(db: Db, seal: Seal, app: App, topic: string, lock: Sql): Promise<Webhook | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${COLUMNS} from webhooks where app_id = ${app.id} and topic = ${topic} ${lock}`)
  return row && openRow(seal, row)
}

/** All webhooks of an app, withdrawn topics included. */
export async function listWebhooks(db: Db, seal: Seal, app: App): Promise<Webhook[]> {
  const rows = await db.query<Row>(sql`select ${COLUMNS} from webhooks where app_id = ${app.id} order by topic`)
  return rows.map((row) => openRow(seal, row))
}

/** A new webhook; undefined where the topic has one already: of two at once, one is made. */
export async function addWebhook(
  db: Db,
  seal: Seal,
  app: App,
  topic: Topic,
  { secret, ...settings }: Settings & { secret: string | null },
): Promise<Webhook | undefined> {
  const { callback, description, activo, headers } = settings
  const [row] = await db.query<Row>(sql`
    insert into webhooks (app_id, topic, callback, description, activo, sealed_secret, secret_hint, sealed_headers)
    values (${app.id}, ${topic}, ${callback}, ${description}, ${activo}, ${sealSecret(seal, secret)}, ${hintOf(secret)},
            ${sealHeaders(seal, headers)})
    on conflict (app_id, topic) do nothing returning ${COLUMNS}`)
  return row && openRow(seal, row)
}

/** Replaces what an app decided; health and secret stay. */
export async function changeSettings(tx: Db, seal: Seal, id: number, settings: Settings): Promise<void> {
  const { callback, description, activo, headers } = settings
  await tx.query(sql`
    update webhooks
    set callback = ${callback}, description = ${description}, activo = ${activo},
        sealed_headers = ${sealHeaders(seal, headers)}, updated_at = now()
    where id = ${id}`)
}

/** A new secret; the former one signs beside it for a day. Null: unsigned from now on, by either. */
export async function changeSecret(tx: Db, seal: Seal, id: number, secret: string | null): Promise<void> {
  const rotates = secret !== null
  await tx.query(sql`
    update webhooks
    set sealed_former_secret = case when ${rotates} then sealed_secret end,
        former_secret_until = case when ${rotates} and sealed_secret is not null then now() + interval '24 hours' end,
        sealed_secret = ${sealSecret(seal, secret)}, secret_hint = ${hintOf(secret)}, updated_at = now()
    where id = ${id}`)
}

/** Forgets what deliveries have shown: it was switched on again, or leads elsewhere now. */
export const resetHealth = (tx: Db, id: number): Promise<unknown> =>
  tx.query(sql`
    update webhooks
    set failures = 0, failing_since = null, paused_until = null, last_error = null, warnings = 0, disabled_at = null,
        disabled_by = null, updated_at = now()
    where id = ${id}`)

/** Lets the next delivery try at once, whatever the breaker thinks: somebody asked for it. */
export const endPause = (tx: Db, id: number): Promise<unknown> =>
  tx.query(sql`update webhooks set paused_until = null where id = ${id} and paused_until is not null`)

/** Removes a webhook, and with it what waits to be sent. */
export async function removeWebhook(tx: Db, app: App, topic: string): Promise<boolean> {
  const [gone] = await tx.query<{ id: number }>(sql`
    delete from webhooks where app_id = ${app.id} and topic = ${topic} returning id`)
  if (gone) await discardPending(tx, gone.id)
  return gone !== undefined
}

/**
 * What waits for a webhook that is off is not sent: the carrier would find so when it is due, which may be a day from
 * now. What a worker holds is left to it, so that nobody here waits for a delivery, nor a delivery for us; so is what
 * lies beyond the first ten thousand, which takes a third of a second. Asked once more whether it is off: a worker that
 * looked a moment ago would throw away what its app is just catching up with.
 */
export const discardPending = (tx: Db, webhookId: number): Promise<unknown> =>
  tx.query(sql`
    update deliveries set estado = 'descartada', settled_at = now()
    where not exists (select from webhooks w join apps a on a.id = w.app_id where w.id = ${webhookId} and ${IS_SENT})
      and id in (
      select id from deliveries
      where webhook_id = ${webhookId} and estado = 'pendiente' and (leased_until is null or leased_until <= now())
      limit ${MOST_DISCARDED} for update skip locked)`)

/** The secret of a webhook, to compare; it is never shown. Undefined where it does not open: any other is a new one. */
export const openSecretOf = (seal: Seal, { sealedSecret }: Webhook): string | null | undefined =>
  openOrUndefined(() => sealedSecret && seal.open(sealedSecret, SECRET))

/** What was sealed; undefined where it was sealed with another key, or is damaged, so that it can be set anew. */
export function openOrUndefined<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}

const sealSecret = (seal: Seal, secret: string | null) => secret && seal.seal(secret, SECRET)

/** Kept without the empty places, each with the place it has. */
type StoredHeader = HeaderCustom & { Place: number }

function sealHeaders(seal: Seal, headers: Settings['headers']): Buffer | null {
  const kept: StoredHeader[] = headers.flatMap((header, Place) => (header ? [{ ...header, Place }] : []))
  return kept.length > 0 ? seal.seal(JSON.stringify(kept), HEADERS) : null
}

function openHeaders(seal: Seal, sealed: Buffer | null): Settings['headers'] {
  const headers: Settings['headers'] = [null, null, null]
  const kept: StoredHeader[] = openOrUndefined(() => sealed && JSON.parse(seal.open(sealed, HEADERS))) ?? []
  for (const { Name, Value, Place } of kept) headers[Place] = { Name, Value }
  return headers
}

/** By characters, not by halves of them. */
const hintOf = (secret: string | null): string | null => secret && [...secret].slice(-HINT_CHARACTERS).join('')
