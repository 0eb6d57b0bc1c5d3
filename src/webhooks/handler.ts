import sql from 'sql-template-tag'
import type { Usage } from '../apps/usage.ts'
import { inSpanish } from '../i18n/stored.ts'
import type { Ended, Handler, Outcome } from '../outbox/handler.ts'
import type { Store } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import type { CallbackConfig } from './callback-rules.ts'
import { eventIdOf, eventIdSql } from './delivery-ids.ts'
import { type Destinations, openDestinations } from './destinations.ts'
import { topicIn } from './events.ts'
import type { EmailDeps } from './failure-warnings.ts'
import { attemptHeaders, traceOf, userAgentOf, withTopic } from './headers.ts'
import { passOrdered, releaseOrdered } from './ordered.ts'
import { openSender, outcomeOf, type SenderOptions } from './send/send.ts'
import { type DeliveryRow, settleDeliveries } from './settle.ts'
import { discardPending } from './store.ts'

export interface DeliveryHandlerOptions {
  seal: Seal
  config: CallbackConfig & EmailDeps['config']
  clock: () => Date
  nowMs: () => number
  usage: Usage
  /** A test's own certificate and shorter timeouts. */
  sending?: Pick<SenderOptions, 'ca' | 'times'>
  /** Called with the seconds from each event to its delivery, and whether the first attempt succeeded. */
  observe?: (seconds: number, atFirstAttempt: boolean) => void
}

const MINUTE = 60
const HOUR = 60 * MINUTE
/** The schedule in docs/decisions/deliveries.md. */
export const SCHEDULE = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
/** In test mode a developer is watching, so that all attempts are over in twenty minutes. */
const QUICK_SCHEDULE = [1, 2, 5, 10, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE]
/** Statuses that end a delivery (docs/decisions/deliveries.md). */
const FINAL = [410]
const IN_FLIGHT = 512
const IN_FLIGHT_PER_WEBHOOK = 16
const IN_FLIGHT_PER_APP = 64 // so that no app whose webhooks all hang takes every slot
/** Rows claimed and not yet sent. */
const PREFETCH = { queue: 256, all: 2_048 }

/** Each webhook is a queue. */
export const DELIVERIES = {
  table: 'deliveries',
  id: 'text',
  queueColumn: 'webhook_id',
  repeatable: true, // at least once: a receiver recognises an event by its id
  partitioned: true,
  held: sql`exists (select from webhooks where webhooks.id = row.webhook_id and webhooks.paused_until is not null)`,
} as const

export interface DeliveryHandler extends Handler<DeliveryRow> {
  destinations: Destinations
}

/** Delivers events to the webhooks of their apps. */
export function deliveryHandler(options: DeliveryHandlerOptions): DeliveryHandler {
  const { seal, config, clock, nowMs, usage, observe, sending } = options
  const destinations = openDestinations(seal, userAgentOf(config.publicUrl))
  const sender = openSender({ config, clock, nowMs, ...sending })
  const count = countOutcomes(usage, (webhookId) => destinations.get(webhookId)?.appId)

  /**
   * Webhooks are read before each claim, so that nothing is sent to one that was just switched off. Of the ordered ones only
   * those that may send are released here: every event of an app also wakes its paused webhooks.
   */
  async function admit(store: Store, webhookIds: number[]): Promise<Map<number, number>> {
    const read = await destinations.read(store, webhookIds)
    const maySend = (id: number) => ['on', 'probing'].includes(read.get(id)?.state ?? 'off')
    const ordered = webhookIds.filter((id) => read.get(id)?.enOrden && maySend(id))
    if (ordered.length > 0) await releaseOrdered(store, ordered)
    const admitted = new Map<number, number>()
    for (const id of webhookIds) {
      const state = read.get(id)?.state ?? 'off'
      if (state === 'off') await discardPending(store, id)
      if (state === 'on') admitted.set(id, PREFETCH.queue)
      if (state === 'probing') admitted.set(id, 1)
    }
    return admitted
  }

  return {
    ...DELIVERIES,
    destinations,
    columns: sql`
      row.carried as "extraAttempts", row.traceparent, row.attempts = 1 and row.due_at <> row.created_at as "wasPutOff",
      extract(epoch from now() - row.created_at)::float8 * 1000 as "ageMs",
      extract(epoch from now() - row.due_at)::float8 * 1000 as "overdueMs",
      (select payload from events where events.id = ${eventIdSql(sql`row.id`)}) as payload`,
    inFlight: IN_FLIGHT,
    queues: {
      inFlight: IN_FLIGHT_PER_WEBHOOK,
      tenant: { of: (id) => destinations.get(id)?.appId, inFlight: IN_FLIGHT_PER_APP },
      prefetch: PREFETCH,
      admit,
      release: (store) => releaseOrdered(store),
    },
    schedule: SCHEDULE,
    scheduleOf: ({ queue }) => (destinations.get(queue)?.modo === 'prueba' ? QUICK_SCHEDULE : SCHEDULE),

    async deliver(row, signal) {
      const destination = destinations.get(row.queue)
      if (!destination || destination.state === 'off')
        return { kind: 'discarded', reason: inSpanish('entregas.error.inactive') }
      if (row.payload === null) return { kind: 'discarded', reason: inSpanish('entregas.error.eventGone') }
      if (destination.state === 'paused') return { kind: 'returned' }
      const opened = destination.secrets()
      if (!opened) return unreadable()

      const isProbe = destination.state === 'probing'
      const startedMs = nowMs()
      const { endpoint, keys } = opened
      const { appId, modo, version } = destination
      const topic = topicIn(row.payload) ?? destination.topic
      const target =
        topic === destination.topic ? endpoint : { ...endpoint, headers: withTopic(endpoint.headers, topic) }
      const spanId = row.span?.spanContext().spanId
      const id = eventIdOf(row.id)
      const attempt = { id, number: row.extraAttempts + row.attempts, traceparent: row.traceparent, spanId }
      const headers = attemptHeaders(attempt, { topic, keys }, row.payload, clock())
      const sent = await sender.send(target, headers, row.payload, signal)
      const endedMs = nowMs()
      row.payload = null // the row waits to be settled and would keep its payload from the garbage collector
      row.result = { sent, startedMs, ms: Math.round(endedMs - startedMs), appId, modo, version, isProbe }
      // Ordered ones count from their turn: how long they wait for it depends on the receiver.
      if (sent.error === null && row.extraAttempts === 0 && (!row.wasPutOff || destination.enOrden))
        observe?.(((row.wasPutOff ? row.overdueMs : row.ageMs) + endedMs - row.takenMs) / 1000, row.attempts === 1)
      return outcomeOf(sent, FINAL)
    },

    async settled(tx, ended) {
      for (const { id, state } of await settleDeliveries(tx, { seal, config }, ended, nowMs())) {
        const destination = destinations.get(id)
        if (destination) destination.state = state
      }
      await passOrdered(
        tx,
        ended.map(({ row }) => row).filter(({ queue }) => destinations.get(queue)?.enOrden),
      )
      for (const each of ended) count(each)
    },

    describe({ queue, result, ageMs }) {
      const destination = destinations.get(queue)
      return {
        app: destination?.appId,
        webhook: queue,
        topic: destination?.topic,
        host: destination?.host,
        address: result?.sent.address,
        status: result?.sent.status,
        age: Math.round(ageMs),
      }
    },

    traceparentOf: ({ id, traceparent }) => traceparent ?? traceOf(null, eventIdOf(id)),

    close: () => sender.close(),
  }
}

/** The master key has changed since the secrets were sealed. */
const unreadable = (): Outcome => ({
  kind: 'postponed',
  reason: inSpanish('entregas.error.unreadableSecret'),
  code: 'unreadable-secret',
})

/** Counts outcomes for the usage of each app; also of a webhook that was removed during the request. */
function countOutcomes(usage: Usage, appOf: (webhookId: number) => number | undefined) {
  return ({ row, outcome, settlement }: Ended<DeliveryRow>): void => {
    const app = row.result?.appId ?? appOf(row.queue)
    if (app === undefined) return
    const used = usage.of(app)
    if (outcome.kind === 'delivered') {
      used.counts.entregadas++
      used.milestones.add('entrega')
      if (row.attempts > 1) used.milestones.add('reintento')
    } else if (outcome.kind === 'postponed' || outcome.kind === 'failed') {
      used.counts.intentos_fallidos++
      if (settlement.estado === 'fallida') used.counts.abandonadas++
    }
  }
}
