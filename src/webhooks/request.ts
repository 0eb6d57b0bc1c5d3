import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { openSealed } from './destinations.ts'
import type { AppEvent } from './event.ts'
import { attemptHeaders, fixedHeaders, inPairs, userAgentOf } from './headers.ts'

/** A delivery as it would leave now: where to, and every header with the signatures of this moment. */
export interface DeliveryRequest {
  callback: string
  headers: [name: string, value: string][]
}

interface Row {
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
  const [row] = await db.query<Row>(sql`
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
