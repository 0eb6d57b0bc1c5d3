import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { unavailable } from './problems.ts'

const RESOLUTION_MS = 10
const LOOK_EVERY_MS = 500
const LONGEST_LAG_MS = 400 // behind by this much all the time, refusing some is kinder than serving all late

/**
 * Refuses while the process cannot keep up. It goes by the median lag, not the mean: one long pause
 * (a start, a large list printed for the first time) is not overload, a queue that never empties is.
 */
export function refuseOverload(app: FastifyInstance): void {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  lag.enable()
  let [overloaded, wasLate] = [false, false]
  const look = setInterval(() => {
    const late = lag.percentile(50) / 1e6 > LONGEST_LAG_MS
    overloaded = late && wasLate // one pause of half a second is the only sample of its time, and its median
    wasLate = late
    lag.reset()
  }, LOOK_EVERY_MS).unref()

  app.addHook('onRequest', (_request, _reply, done) => {
    done(overloaded ? unavailable('El servidor está sobrecargado. Vuelva a intentar en unos segundos.') : undefined)
  })
  app.addHook('onClose', async () => {
    clearInterval(look)
    lag.disable()
  })
}
