import { performance } from 'node:perf_hooks'
import type { Listener } from '../store/listener.ts'
import type { AnyCarrier } from './carrier.ts'
import { type LineDeps, openLine, type Timing } from './line.ts'

export interface Worker {
  /** How many are being carried, by queue. */
  inFlight(table: string): number
  /** Takes nothing more, finishes what is under way and settles it; what hangs is given back. */
  stop(): Promise<void>
}

export interface WorkerOptions extends Omit<LineDeps, 'timing' | 'nowMs'> {
  listener: Pick<Listener, 'on' | 'onReconnect'>
  carriers: AnyCarrier[]
  nowMs?: () => number
  timing?: Partial<Timing & { pollMs: number }>
}

/** A worker that dies is missed for at most 45 s and one look more: another has its rows within 60 s (decisions.md 8). */
const TIMING = { leaseSeconds: 45, carryMs: 30_000, drainMs: 8_000, pollMs: 1_000 }

/** Carries what the outbox holds. It is woken when something is put there, and looks by itself for what comes due. */
export function startWorker({ listener, carriers, timing, nowMs, ...deps }: WorkerOptions): Worker {
  const times = { ...TIMING, ...timing }
  const line = (carrier: AnyCarrier) => openLine(carrier, { ...deps, nowMs: nowMs ?? clockMs, timing: times })
  const lines = new Map(carriers.map((carrier) => [carrier.table, line(carrier)]))
  const wakeAll = () => {
    for (const line of lines.values()) line.wake()
  }
  listener.on('outbox', (rung) => {
    const [table = '', lane] = rung.split(':')
    lines.get(table)?.wake(lane === undefined ? undefined : Number(lane))
  })
  listener.onReconnect(wakeAll)
  const poll = setInterval(wakeAll, times.pollMs)
  wakeAll()

  return {
    inFlight: (table) => lines.get(table)?.inFlight() ?? 0,
    async stop() {
      clearInterval(poll)
      await Promise.all([...lines.values()].map((line) => line.stop()))
    },
  }
}

const clockMs = () => performance.now()
