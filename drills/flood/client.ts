// A client process of the flood. Each message from its parent is a task; the reply is the outcome.
import { setTimeout as pause } from 'node:timers/promises'
import { Connection, type Listener } from './connection.ts'
import { type Consultas, prepareConsultas } from './consultas.ts'
import { createOutcome, type Outcome, record, recordUnexpected } from './outcome.ts'

export interface Task {
  port: number
  connections: number
  seconds: number
  /** Sends at this rate, however many requests are in flight. By default each connection sends when it was answered. */
  perSecond?: number
  consultas: Consultas
}

const TICK_MS = 4
/** Requests sent together on one connection, as proxies do. It saves the client CPU time. */
const PIPELINED = 4
const GRACE_MS = 30_000
const POLL_MS = 10

/** Called when every client has its connections. */
let go: () => void = () => undefined

process.on('message', (task: Task | 'go') => {
  if (task === 'go') return go()
  perform(task).then(
    (outcome) => process.send?.(outcome),
    (error: Error) => process.send?.({ failed: error.message }),
  )
})

async function perform({ port, connections, seconds, perSecond, consultas }: Task): Promise<Outcome> {
  const prepared = prepareConsultas(consultas)
  const outcome = createOutcome()
  const idle: Connection[] = []
  let inFlight = 0
  let isOver = false

  const listener: Listener = {
    onResponse(response, connection) {
      inFlight--
      record(outcome, response)
      if (!connection.isIdle) return
      if (perSecond === undefined && !isOver) send(connection, performance.now())
      else idle.push(connection)
    },
    onUnexpected: (head) => recordUnexpected(outcome, head),
    onClose(requests) {
      inFlight -= requests
      outcome.broken += requests
    },
  }
  const opened = Array.from({ length: connections }, () => new Connection(port, listener))
  await Promise.all(opened.map((connection) => connection.accepted()))
  const started = new Promise<void>((resolve) => {
    go = resolve
  })
  process.send?.('ready')
  await started

  function send(connection: Connection, ...dueMs: number[]): void {
    connection.send(
      dueMs.map((_, at) => prepared[(outcome.sent + at) % prepared.length] as Buffer),
      dueMs,
    )
    outcome.sent += dueMs.length
    inFlight += dueMs.length
  }

  /** A connection without a request in flight. */
  function idleConnection(): Connection | undefined {
    for (let connection = idle.pop(); connection; connection = idle.pop())
      if (connection.isOpen && connection.isIdle) return connection
    return undefined
  }

  const beganMs = performance.now()
  const endMs = beganMs + seconds * 1_000
  if (perSecond === undefined) for (const connection of opened) send(connection, beganMs)
  else idle.push(...opened)
  let due = 0
  while (performance.now() < endMs) {
    await pause(TICK_MS)
    if (perSecond === undefined) continue
    const now = Math.min(performance.now(), endMs)
    for (;;) {
      const times: number[] = []
      for (; times.length < PIPELINED && beganMs + (due * 1_000) / perSecond < now; due++)
        times.push(beganMs + (due * 1_000) / perSecond)
      if (times.length === 0) break
      const connection = idleConnection()
      if (connection) send(connection, ...times)
      else outcome.unsent += times.length
    }
  }
  isOver = true
  outcome.seconds = (performance.now() - beganMs) / 1_000
  while (inFlight > 0 && performance.now() < endMs + GRACE_MS) await pause(POLL_MS)
  outcome.unanswered = inFlight
  for (const connection of opened) connection.close()
  return outcome
}
