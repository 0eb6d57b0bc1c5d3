// The process that asks. Each message from its parent is one order; each order is answered with what came of it.
import { Connection, type Prepared } from './connection.ts'

export interface Order {
  port: number
  connections: number
  durationMs: number
  /** Sent in turn, over and over. */
  requests: Prepared[]
}

export type Outcome = { answered: number; elapsedMicros: number; cpuMicros: number } | { failed: string }

process.on('message', (order: Order) => {
  carryOut(order).then(
    (outcome) => process.send?.(outcome),
    (error: Error) => process.send?.({ failed: error.message }),
  )
})

/** Keeps every connection busy for the time given, then lets each finish what it asked: no answer is left uncounted. */
async function carryOut({ port, connections, durationMs, requests }: Order): Promise<Outcome> {
  const open = Array.from({ length: connections }, () => new Connection(port))
  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  const deadline = began + durationMs
  let asked = 0
  const next = () => (performance.now() < deadline ? requests[asked++ % requests.length] : undefined)
  try {
    await Promise.all(open.map((connection) => connection.run(next)))
  } finally {
    for (const connection of open) connection.close()
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  return { answered: asked, elapsedMicros: (performance.now() - began) * 1000, cpuMicros: user + system }
}
