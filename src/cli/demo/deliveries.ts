import sql from 'sql-template-tag'
import { inSpanish } from '../../i18n/stored.ts'
import type { Chance } from '../../sandbox/fiction/chance.ts'
import type { Db } from '../../store/db.ts'
import { momentOf } from '../../ulid.ts'
import type { Attempt } from '../../webhooks/delivery-log.ts'
import type { EventRow } from '../../webhooks/events.ts'
import { SCHEDULE } from '../../webhooks/handler.ts'
import { explainStatus } from '../../webhooks/send/explain.ts'

const ADDRESS = '203.0.113.20' // reserved for documentation (RFC 5737)
const TIMEOUT_MS = 15_000
const HICCUPS = 0.015
const AT_ONCE = 1_000

type PastEvent = Pick<EventRow, 'id' | 'appId' | 'topic'>

/** When a receiver failed, and how. */
export interface Outage {
  from: Date
  until: Date
  how: 503 | 'timeout'
}

export const errorOf = (how: Outage['how']): string | null =>
  how === 'timeout' ? inSpanish('entregas.error.timeout') : explainStatus(how).error

/** A webhook's past: when its receiver failed and how, and when the webhook was disabled. */
export interface PastReceiver {
  webhookId: number
  /** Single failures happen before this, so that their retries are in the past. */
  steadyFrom: Date
  outages: readonly Outage[]
  disabledAt?: Date
}

type PastAttempt = Attempt & { id: string }

interface PastDelivery {
  id: string
  appId: number
  webhookId: number
  estado: 'entregada' | 'fallida' | 'descartada'
  attempts: number
  at: Date
  settledAt: Date
  error: string | null
}

/** The delivery of an event with its attempts, as the worker would have made them. */
function deliveryOf(event: PastEvent, receiver: PastReceiver, chance: Chance) {
  const { id, appId } = event
  const { webhookId, disabledAt } = receiver
  const sent = momentOf(id)
  const attempts: PastAttempt[] = []
  const ended = (estado: PastDelivery['estado'], settledAt: Date): PastDelivery => ({
    id,
    appId,
    webhookId,
    estado,
    attempts: attempts.length,
    at: sent,
    settledAt,
    error: attempts.at(-1)?.error ?? null,
  })
  let at = new Date(sent.getTime() + chance.between(20, 400))
  for (;;) {
    if (disabledAt && at >= disabledAt)
      return { attempts, delivery: ended('descartada', sent > disabledAt ? sent : disabledAt) }
    const attempt = { id, at, ...answerAt(at, receiver, chance) }
    attempts.push(attempt)
    const settledAt = new Date(at.getTime() + attempt.ms)
    if (attempt.error === null) return { attempts, delivery: ended('entregada', settledAt) }
    const wait = SCHEDULE[attempts.length - 1]
    if (wait === undefined) return { attempts, delivery: ended('fallida', settledAt) }
    at = new Date(settledAt.getTime() + wait * 1_000 * (1 + 0.1 * chance.next()))
  }
}

function answerAt(at: Date, { outages, steadyFrom }: PastReceiver, chance: Chance): Omit<PastAttempt, 'id' | 'at'> {
  const outage = outages.find(({ from, until }) => at >= from && at < until)
  if (outage?.how === 'timeout')
    return { ms: TIMEOUT_MS, address: ADDRESS, status: null, answer: null, error: errorOf('timeout') }
  const status = outage ? 503 : chance.next() < HICCUPS && at < steadyFrom ? 502 : 200
  if (status === 200) return { ms: quick(chance), address: ADDRESS, status, answer: '{"recibido":true}', error: null }
  const { error } = explainStatus(status)
  return { ms: chance.between(8, 90), address: ADDRESS, status, answer: 'Servicio no disponible', error }
}

/** Most answers take some tens of milliseconds, a few much longer. */
const quick = (chance: Chance): number => Math.round(45 / (0.06 + 0.94 * chance.next()))

/** Inserts the deliveries of the apps' past events, each to its webhook; events without one have none. */
export async function loadDeliveries(
  tx: Db,
  apps: readonly number[],
  receiverOf: (event: PastEvent) => PastReceiver | undefined,
  chance: Chance,
): Promise<number> {
  const events = await tx.query<PastEvent>(sql`
    select id, app_id as "appId", topic from events where app_id = any (${apps}::int[]) order by id`)
  let count = 0
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const made = events.slice(from, from + AT_ONCE).flatMap((event) => {
      const receiver = receiverOf(event)
      return receiver ? [deliveryOf(event, receiver, chance)] : []
    })
    count += made.length
    await tx.query(sql`
      insert into deliveries (id, app_id, webhook_id, estado, attempts, due_at, last_error, created_at, settled_at)
      select id, "appId", "webhookId", estado, attempts, "settledAt", error, at, "settledAt"
      from json_to_recordset(${JSON.stringify(made.map(({ delivery }) => delivery))}) as row (
        id text, "appId" int, "webhookId" int, estado text, attempts int, at timestamptz, "settledAt" timestamptz, error text)`)
    await tx.query(sql`
      insert into delivery_attempts (delivery_id, at, ms, address, status, answer, error)
      select id, at, ms, address, status, answer, error
      from json_to_recordset(${JSON.stringify(made.flatMap(({ attempts }) => attempts))}) as row (
        id text, at timestamptz, ms int, address text, status int, answer text, error text)`)
  }
  return count
}
