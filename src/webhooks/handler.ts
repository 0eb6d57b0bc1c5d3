import sql from 'sql-template-tag'
import type { Usage } from '../apps/usage.ts'
import { bitOf } from '../apps/usage-counts.ts'
import type { Carrier, Outcome } from '../outbox/handler.ts'
import type { Store } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { openDestinations } from './destinations.ts'
import type { LetterDeps } from './failing.ts'
import { attemptHeaders, userAgentOf } from './headers.ts'
import { type Call, openSender, type SenderOptions } from './send/send.ts'
import { type DeliveryRow, settleDeliveries } from './settle.ts'
import { discardPending } from './subscriptions.ts'
import type { CallbackConfig } from './target.ts'

export interface DeliveryCarrierOptions {
  seal: Seal
  config: CallbackConfig & LetterDeps['config']
  clock: () => Date
  nowMs: () => number
  /** Where a test has its own certificate or less patience. */
  sending?: Pick<SenderOptions, 'ca' | 'times'>
  /** Hears how long each event took from its making to its delivery. */
  observe?: (seconds: number) => void
}

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Exactly as decisions, 8 has it. */
const SCHEDULE = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
/** In test mode: whoever tries his receiver is there to see it, and all is over in twenty minutes. */
const QUICK_SCHEDULE = [1, 2, 5, 10, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE]
const IN_FLIGHT = 512
const IN_FLIGHT_PER_WEBHOOK = 16
const IN_FLIGHT_PER_APP = 64 // so that no app, with all its webhooks hanging, has all the hands
const AHEAD = { lane: 256, all: 2_048 }

/** Takes events to the webhooks of the apps they concern. A webhook is a lane. */
export function deliveryCarrier(options: DeliveryCarrierOptions): Carrier<DeliveryRow> {
  const { seal, config, clock, nowMs, observe, sending } = options
  const destinations = openDestinations(seal, userAgentOf(config.publicUrl))
  const sender = openSender({ config, clock, nowMs, ...sending })

  /** A webhook is read before anything is taken for it, so that nothing is sent to one that was just switched off. */
  async function admit(store: Store, lanes: number[]): Promise<Map<number, number>> {
    const read = await destinations.read(store, lanes)
    const admitted = new Map<number, number>()
    for (const lane of lanes) {
      const state = read.get(lane)?.state ?? 'off'
      if (state === 'off') await discardPending(store, lane)
      if (state === 'open') admitted.set(lane, AHEAD.lane)
      if (state === 'probing') admitted.set(lane, 1)
    }
    return admitted
  }

  return {
    table: 'deliveries',
    id: 'text',
    lane: 'webhook_id',
    repeatable: true, // at least once: a receiver knows an event by its id
    columns: sql`
      row.carried, row.traceparent, row.attempts = 1 and row.due_at <> row.created_at as "isAskedFor", extract(epoch from now() - row.created_at)::float8 * 1000 as "ageMs",
      (select payload from events where events.id = row.id) as payload`,
    inFlight: IN_FLIGHT,
    lanes: {
      inFlight: IN_FLIGHT_PER_WEBHOOK,
      party: { of: (lane) => destinations.get(lane)?.appId, inFlight: IN_FLIGHT_PER_APP },
      ahead: AHEAD,
      admit,
    },
    schedule: SCHEDULE,
    scheduleOf: ({ lane }) => (destinations.get(lane)?.modo === 'prueba' ? QUICK_SCHEDULE : SCHEDULE),
    held: sql`exists (select from webhooks where webhooks.id = row.webhook_id and webhooks.paused_until is not null)`,

    async carry(row, signal) {
      const destination = destinations.get(row.lane)
      if (!destination || destination.state === 'off')
        return { kind: 'discarded', reason: 'La notificación no está activa.' }
      if (row.payload === null) return { kind: 'discarded', reason: 'El evento ya no existe.' }
      if (destination.state === 'paused') return { kind: 'returned' }
      const opened = destination.open()
      if (!opened) return UNREADABLE

      const isProbe = destination.state === 'probing'
      const beganMs = nowMs()
      const { target, keys } = opened
      const headers = attemptHeaders(row, { topic: destination.topic, keys }, row.payload, clock())
      const call = await sender.send(target, headers, row.payload, signal)
      const endedMs = nowMs()
      row.payload = null // it waits to be settled, and would keep its payload from the garbage collector
      row.made = { call, beganMs, ms: Math.round(endedMs - beganMs), version: destination.version, isProbe }
      if (call.error === null && row.carried === 0 && !row.isAskedFor)
        observe?.((row.ageMs + endedMs - row.takenMs) / 1000)
      return outcomeOf(call)
    },

    async settled(tx, ended) {
      for (const { id, state } of await settleDeliveries(tx, { seal, config }, ended, nowMs())) {
        const destination = destinations.get(id)
        if (destination) destination.state = state
      }
    },

    describe({ made, ageMs }) {
      return { address: made?.call.address, status: made?.call.status, age: Math.round(ageMs) }
    },
    describeLane: (lane) => destinations.get(lane)?.about ?? { webhook: lane },

    close: () => sender.close(),
  }
}

/** The master key is another one than when it was sealed. */
const UNREADABLE: Outcome = {
  kind: 'postponed',
  reason: 'El Secret o los encabezados propios no se pueden leer: configúrelos de nuevo con PUT.',
  code: 'unreadable-secret',
}

/** 2xx is delivered; 410 is refused for good; anything else may go better another time (decisions, 8). */
function outcomeOf({ status, error, code, retryAfterSeconds }: Call): Outcome {
  if (error === null) return { kind: 'delivered' }
  const about = { reason: error, ...(code && { code }) }
  if (status === 410) return { kind: 'failed', ...about }
  return { kind: 'postponed', ...about, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}

const [ARRIVED, RETRIED] = [bitOf('entrega'), bitOf('reintento')]

/** The same carrier, its outcomes counted for the apps: what arrived, what failed, what was given up. */
export function countDeliveries(carrier: Carrier<DeliveryRow>, usage: Usage): Carrier<DeliveryRow> {
  const apps = new Map<number, number>()

  /** Whose a webhook is does not change, also when it is gone. */
  function appOf({ lane }: DeliveryRow): number | undefined {
    const known = apps.get(lane)
    if (known !== undefined) return known
    const app = carrier.lanes?.party?.of(lane)
    if (app !== undefined) apps.set(lane, app)
    return app
  }

  return {
    ...carrier,
    async settled(tx, ended) {
      await carrier.settled?.(tx, ended)
      for (const { row, outcome, settlement } of ended) {
        const app = appOf(row)
        if (app === undefined) continue
        const tally = usage.of(app)
        if (outcome.kind === 'delivered') {
          tally.entregadas++
          tally.did |= row.attempts > 1 ? ARRIVED | RETRIED : ARRIVED
        } else if (outcome.kind === 'postponed' || outcome.kind === 'failed') {
          tally.intentos_fallidos++
          if (settlement.estado === 'fallida') tally.abandonadas++
        }
      }
    },
  }
}
