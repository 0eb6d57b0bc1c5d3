import type { Core } from './machine.ts'
import { startHelper } from './server-process.ts'

/** A request that is sent again and again, and the statuses it may be answered with. */
export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  expected: number[]
}

interface Order {
  port: number
  connections: number
  durationMs: number
  requests: Request[]
  /** Sends each request once at most: it writes. */
  once?: boolean
}

interface Load {
  answered: number
  elapsedMicros: number
  cpuMicros: number
}

/** The process that sends the load (client.js), on its own core. */
export interface Client {
  load(order: Order): Promise<Load>
  stop(): Promise<void>
}

export async function startClient(core: Core = 'client'): Promise<Client> {
  const { ask, stop } = await startHelper('./client.js', [], core)
  return {
    async load(order) {
      const outcome = await ask<Load | { error: string }>(order)
      if ('error' in outcome) throw new Error(outcome.error)
      return outcome
    },
    stop,
  }
}
