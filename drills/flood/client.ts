// A process that asks for more than there is. Each message from its parent is one order, answered with what came of it.
import { setTimeout as pause } from 'node:timers/promises'
import { Connection, type Listener } from './connection.ts'
import { type Inquiries, prepareInquiries } from './inquiries.ts'
import { createOutcome, type Outcome, record, recordUnexpected } from './outcome.ts'

export interface Order {
  port: number
  connections: number
  seconds: number
  /** So many a second, however many wait for their answer; without it each connection asks when it was answered. */
  perSecond?: number
  inquiries: Inquiries
}

const TICK_MS = 4
/** So many leave together on one connection, as those of a proxy do that shares few among many: it saves the client's work. */
const TOGETHER = 4
const GRACE_MS = 30_000
const POLL_MS = 10

/** Called when every client has its connections. */
let go: () => void = () => undefined

process.on('message', (order: Order | 'go') => {
  if (order === 'go') return go()
  carryOut(order).then(
    (outcome) => process.send?.(outcome),
    (error: Error) => process.send?.({ failed: error.message }),
  )
})

async function carryOut({ port, connections, seconds, perSecond, inquiries }: Order): Promise<Outcome> {
  const prepared = prepareInquiries(inquiries)
  const outcome = createOutcome()
  const idle: Connection[] = []
  let underWay = 0
  let isOver = false

  const listener: Listener = {
    heard(answer, line) {
      underWay--
      record(outcome, answer)
      if (!line.isIdle) return
      if (perSecond === undefined && !isOver) ask(line, performance.now())
      else idle.push(line)
    },
    unasked: (head) => recordUnexpected(outcome, head),
    lost(requests) {
      underWay -= requests
      outcome.broken += requests
    },
  }
  const lines = Array.from({ length: connections }, () => new Connection(port, listener))
  await Promise.all(lines.map((line) => line.greet()))
  const told = new Promise<void>((resolve) => {
    go = resolve
  })
  process.send?.('ready')
  await told

  function ask(line: Connection, ...dueMs: number[]): void {
    line.ask(
      dueMs.map((_, at) => prepared[(outcome.sent + at) % prepared.length] as Buffer),
      dueMs,
    )
    outcome.sent += dueMs.length
    underWay += dueMs.length
  }

  /** A connection on which everything was answered. */
  function idleLine(): Connection | undefined {
    for (let line = idle.pop(); line; line = idle.pop()) if (line.isOpen && line.isIdle) return line
    return undefined
  }

  const beganMs = performance.now()
  const endMs = beganMs + seconds * 1_000
  if (perSecond === undefined) for (const line of lines) ask(line, beganMs)
  else idle.push(...lines)
  let due = 0
  while (performance.now() < endMs) {
    await pause(TICK_MS)
    if (perSecond === undefined) continue
    const now = Math.min(performance.now(), endMs)
    for (;;) {
      const times: number[] = []
      for (; times.length < TOGETHER && beganMs + (due * 1_000) / perSecond < now; due++)
        times.push(beganMs + (due * 1_000) / perSecond)
      if (times.length === 0) break
      const line = idleLine()
      if (line) ask(line, ...times)
      else outcome.unsent += times.length
    }
  }
  isOver = true
  outcome.seconds = (performance.now() - beganMs) / 1_000
  while (underWay > 0 && performance.now() < endMs + GRACE_MS) await pause(POLL_MS)
  outcome.unanswered = underWay
  for (const line of lines) line.close()
  return outcome
}
