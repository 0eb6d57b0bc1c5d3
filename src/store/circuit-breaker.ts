import pg from 'pg'
import type { BaseLogger } from 'pino'

/** The log levels that the store uses; a pino logger has them. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>

const CHECK_MS = 500
/** Probe the database if queries run and none was answered for so long. */
const SILENCE_MS = 1_500
/** Failed probes that open the breaker. One may only mean that this process was too busy to read the answer. */
const FAILURES = 2
/**
 * How many checks a probe may stay without an answer, here 5.5 s. Checks are counted rather than time: on a machine that is
 * so busy that they come late, the database has longer too.
 */
const MAX_UNANSWERED_CHECKS = 11
/** While the breaker is open, another probe is sent beside one without an answer: it may find the database sooner. */
const CHECKS_BETWEEN_PROBES = 4
/** The SQLSTATEs of a server that stops, starts or takes no writes. Any other answer shows that it is there. */
const GONE_SQLSTATES = /^(57P0.|08...|25006)$/

interface CircuitBreakerOptions {
  /** Queries the database on a connection of its own, until the signal is aborted. */
  probe(signal: AbortSignal): Promise<void>
  /** Abandons the queries that are still waiting. */
  giveUp(): void
  log?: Log | undefined
  nowMs?: () => number
}

interface Probe {
  /** Since it was sent, or since the database answered something else. */
  checks: number
  controller: AbortController
}

/** SQL's class "connection exception", so that it is answered with 503 like any other loss. */
class DatabaseUnavailable extends Error {
  readonly code = '08006'
  constructor() {
    super('the database does not answer')
  }
}

/**
 * Refuses queries at once while the database does not answer. In a network that drops every packet each query waits for its
 * own timeout, and new requests pile up behind it. The breaker notices the silence, confirms it with a probe, abandons what
 * waits, and refuses the rest until a probe succeeds.
 */
export function createCircuitBreaker({ probe, giveUp, log, nowMs = () => performance.now() }: CircuitBreakerOptions) {
  let running = 0
  let answeredAt = nowMs()
  let open = false
  const probes = new Set<Probe>()
  let failures = 0

  function check(): void {
    const silent = running > 0 && nowMs() - answeredAt > SILENCE_MS
    for (const each of probes) {
      each.checks = open || silent ? each.checks + 1 : 0
      if (each.checks >= MAX_UNANSWERED_CHECKS) each.controller.abort()
    }
    const isDue = open ? [...probes].every(({ checks }) => checks >= CHECKS_BETWEEN_PROBES) : probes.size === 0
    if (isDue && (open || silent)) void sendProbe()
    else if (!open && !silent) failures = 0
  }

  async function sendProbe(): Promise<void> {
    const own: Probe = { checks: 0, controller: new AbortController() }
    const { signal } = own.controller
    probes.add(own)
    try {
      await Promise.race([probe(signal).catch(unlessAnswered), rejectOnAbort(signal)])
      if (!probes.has(own)) return // another was answered before
      if (open) log?.info({}, 'store: the database answers again')
      open = false
      failures = 0
      answeredAt = nowMs()
      for (const each of probes) each.controller.abort()
      probes.clear()
    } catch (err) {
      if (!probes.delete(own)) return
      failures += signal.aborted ? FAILURES : 1
      if (failures < FAILURES) return
      if (!open) log?.error({ err }, 'store: the database does not answer; requests are refused until it does')
      open = true
      giveUp()
    }
  }
  const timer = setInterval(check, CHECK_MS).unref()

  return {
    async watch<T>(query: () => Promise<T>): Promise<T> {
      if (open) throw new DatabaseUnavailable()
      if (running++ === 0) answeredAt = nowMs()
      try {
        const result = await query()
        answeredAt = nowMs()
        return result
      } catch (error) {
        if (isAnswer(error) || !isUnavailable(error)) answeredAt = nowMs()
        throw error
      } finally {
        running--
      }
    },
    stop: () => clearInterval(timer),
  }
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the database did not answer a probe')))
  })

/** A server that has no connections left, or another password by now, did answer. */
function unlessAnswered(error: unknown): void {
  if (!isAnswer(error)) throw error
}

/** Whether the database itself sent this error. Of several servers, one that answers is enough. */
export function isAnswer(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAnswer)
  return error instanceof pg.DatabaseError && !GONE_SQLSTATES.test(error.code ?? '')
}

const SOCKET_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EADDRNOTAVAIL)$/
/**
 * Shutting down or starting (57P0x), full of connections or of data (53x), refusing our role (28000) or password (28P01),
 * read-only after a failover (25006), longer than PG_STATEMENT_TIMEOUT (57014) or PG_LOCK_TIMEOUT (55P03), ended by
 * PostgreSQL's timeouts for idle sessions (57P05), idle transactions (25P03) or transactions (25P04).
 */
const AWAY_SQLSTATES = /^(08...|28000|28P01|57P0[1235]|53[123]00|25006|25P0[34]|57014|55P03)$/
const AWAY_MESSAGES =
  /^(Connection terminated|timeout ex(ceeded|pired)|Query read timeout|Client (has encountered a connection error|was closed))/

/** Whether an error means that the database cannot be reached: partners get 503 instead of 500. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable)
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (SOCKET_CODES.test(code) || AWAY_SQLSTATES.test(code) || AWAY_MESSAGES.test(error.message)) return true
  // A missing socket file; any other missing file is a fault of ours.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return isUnavailable(error.cause)
}

/** Whether PostgreSQL ended a transaction because of another one: a deadlock (40P01) or a serialization failure (40001). */
export const isConflict = (error: unknown): boolean =>
  /^40(P01|001)$/.test((error as { code?: string } | undefined)?.code ?? '')
