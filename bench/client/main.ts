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

/** A server as Node makes it closes whoever says nothing for five seconds. */
const LONGEST_REST_MS = 2_000

/** Connections that wait for their server's next turn, by its port. */
const resting = new Map<number, { connections: Connection[]; sinceMs: number }>()

process.on('message', (order: Order) => {
  carryOut(order).then(
    (outcome) => process.send?.(outcome),
    (error: Error) => process.send?.({ failed: error.message }),
  )
})

/** Keeps every connection busy for the time given, then lets each finish what it asked: no answer is left uncounted. */
async function carryOut({ port, connections, durationMs, requests }: Order): Promise<Outcome> {
  const open = connectionsTo(port, connections)
  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  const deadline = began + durationMs
  let asked = 0
  const next = () => (performance.now() < deadline ? requests[asked++ % requests.length] : undefined)
  try {
    await Promise.all(open.map((connection) => connection.run(next)))
  } catch (error) {
    closeAll(open)
    throw error
  }
  resting.set(port, { connections: open, sinceMs: performance.now() })
  const { user, system } = process.cpuUsage(cpuBefore)
  return { answered: asked, elapsedMicros: (performance.now() - began) * 1000, cpuMicros: user + system }
}

/** Those of the turn before, unless they have rested for long: in a turn of a moment, opening them would be part of every figure. */
function connectionsTo(port: number, count: number): Connection[] {
  const former = resting.get(port)
  resting.delete(port)
  const haveRested = former === undefined || performance.now() - former.sinceMs > LONGEST_REST_MS
  if (!haveRested && former.connections.length === count && former.connections.every(({ isOpen }) => isOpen))
    return former.connections
  closeAll(former?.connections ?? [])
  return Array.from({ length: count }, () => new Connection(port))
}

function closeAll(connections: Connection[]): void {
  for (const connection of connections) connection.close()
}
