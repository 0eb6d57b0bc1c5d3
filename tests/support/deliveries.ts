import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { ulid } from '../../src/ulid.ts'
import type { EventRow } from '../../src/webhooks/events.ts'
import { insertEvents } from '../../src/webhooks/events.ts'
import type { Topic } from '../../src/webhooks/topics.ts'
import type { TestApp, TestServer } from './server.ts'
import { until } from './until.ts'

/** Allows deliveries to a local receiver. */
export const LOOPBACK = { ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' }
export const SECRET = '96d0300081d644d3bdceae8fbfc77955'

interface KeptDelivery {
  id: string
  estado: string
  attempts: number
  leased: boolean
  /** Seconds until it is due. */
  wait: number
  last_error: string | null
}

interface KeptAttempt {
  delivery_id: string
  ms: number
  address: string | null
  status: number | null
  answer: string | null
  error: string | null
}

/** Configures a webhook as a partner does; its id is returned. */
export async function hook(
  server: TestServer,
  app: TestApp,
  topic: Topic,
  Callback: string,
  more = {},
): Promise<number> {
  const body = JSON.stringify({ Callback, Secret: SECRET, ...more })
  const made = await app.call('POST', `/v3/appnotificaciones/${topic}`, { body })
  assert.equal(made.status, 201, made.text)
  const [row] = await server.store.query<{ id: number }>(sql`
    select id from webhooks where app_id = ${app.app.id} and topic = ${topic} and destino = 1`)
  return row?.id ?? assert.fail('there is no webhook')
}

/** Stores events and returns their ids. */
export async function storeEvents(
  server: Pick<TestServer, 'store'>,
  app: TestApp,
  topic: Topic,
  count = 1,
): Promise<string[]> {
  const events = Array.from({ length: count }, () => eventOf(app.app.id, topic))
  await server.store.transaction((tx) => insertEvents(tx, events))
  return events.map(({ id }) => id)
}

export function eventOf(appId: number, topic: Topic, more: Partial<EventRow> = {}): EventRow {
  const id = ulid(Date.now())
  const payload = `{"Id":"${id}","Topic":"${topic}","Version":1,  "Palabras":"ñandú 1.0"}` // not as JSON.stringify prints it
  return { id, appId, agenciaId: null, topic, sid: null, payload, traceparent: null, ...more }
}

/** The states of deliveries, in the order of the ids. */
export const deliveriesOf = ({ store }: Pick<TestServer, 'store'>, ids: string[]): Promise<KeptDelivery[]> =>
  store.query<KeptDelivery>(sql`
    select id, estado, attempts, lease is not null as leased, last_error,
      extract(epoch from due_at - now())::float8 as wait
    from deliveries where id = any (${ids}) order by id`)

export const attemptsOf = ({ store }: Pick<TestServer, 'store'>, id: string): Promise<KeptAttempt[]> =>
  store.query<KeptAttempt>(sql`
    select delivery_id, ms, address, status, answer, error from delivery_attempts where delivery_id = ${id} order by at`)

/** Waits until all are settled and returns their states. */
export async function settled(server: Pick<TestServer, 'store'>, ids: string[]): Promise<KeptDelivery[]> {
  await until(async () => (await deliveriesOf(server, ids)).every(({ estado }) => estado !== 'pendiente'))
  return deliveriesOf(server, ids)
}

/** Waits until they have been attempted so often and are not leased. */
export async function tried(server: Pick<TestServer, 'store'>, ids: string[], times: number): Promise<KeptDelivery[]> {
  await until(async () => {
    const counts = await Promise.all(ids.map((id) => attemptsOf(server, id)))
    const rows = await deliveriesOf(server, ids)
    return counts.every(({ length }) => length >= times) && rows.every(({ leased }) => !leased)
  })
  return deliveriesOf(server, ids)
}

/** Ends the pause of webhooks: the next delivery may probe. */
export async function endPauses({ store }: Pick<TestServer, 'store'>): Promise<void> {
  const targets = await store.query<{ id: number }>(sql`
    update webhooks set paused_until = now() where paused_until is not null returning id`)
  for (const { id } of targets) store.notify(`deliveries:${id}`)
}

/** Makes deliveries due that wait for their next attempt. */
export async function makeDue({ store }: Pick<TestServer, 'store'>): Promise<void> {
  const targets = await store.query<{ webhookId: number }>(sql`
    with due as (update deliveries set due_at = now()
      where estado = 'pendiente' and lease is null and due_at < 'infinity' returning webhook_id)
    select distinct webhook_id as "webhookId" from due`)
  for (const { webhookId } of targets) store.notify(`deliveries:${webhookId}`)
}
