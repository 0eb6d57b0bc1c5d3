import type { Usage } from '../apps/usage.ts'
import { bitOf } from '../apps/usage-counts.ts'
import type { Carrier } from '../outbox/carrier.ts'
import type { Delivery } from './delivery.ts'

const [ARRIVED, RETRIED] = [bitOf('entrega'), bitOf('reintento')]

/** The same carrier, its outcomes counted for the apps: what arrived, what failed, what was given up. */
export function countDeliveries(carrier: Carrier<Delivery>, usage: Usage): Carrier<Delivery> {
  const apps = new Map<number, number>()

  /** Whose a webhook is does not change, also when it is gone. */
  function appOf({ lane }: Delivery): number | undefined {
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
