import pg from 'pg'
import { isUnavailable, type Log } from './db.ts'

const LOOK_MS = 500
/** Nothing was answered for so long though something was asked: worth a look of its own. */
const SILENCE_MS = 1_500
/** One may be our own fault: a process that was too busy to read what came. */
const FAILURES = 2
/** What a server says that goes, comes or takes no writes; whatever else it says, it is there. */
const GONE_SQLSTATES = /^(57P0.|08...|25006)$/

export interface PulseOptions {
  /** Asks the database anything on a connection of its own, within bounded time. */
  probe(): Promise<void>
  /** Whatever waits for an answer will not get one: let go of it. */
  giveUp(): void
  log?: Log | undefined
  nowMs?: () => number
}

/** Knows whether the database answers. */
export interface CircuitBreaker {
  /** Asks something, or refuses at once while nothing would be answered. */
  watch<T>(ask: () => Promise<T>): Promise<T>
  stop(): void
}

/** Of the class "connection exception" of SQL, so that it is answered with 503 like any other loss. */
class Away extends Error {
  readonly code = '08006'
  constructor() {
    super('the database does not answer')
  }
}

/**
 * A network that swallows everything leaves each question waiting until its own timeout, and those who come meanwhile
 * pile up behind it. This notices the silence, makes sure by a question of its own, lets go of what waits, and has the
 * rest refused at once until the database answers again. It costs a question two numbers.
 */
export function createCircuitBreaker({
  probe,
  giveUp,
  log,
  nowMs = () => performance.now(),
}: PulseOptions): CircuitBreaker {
  let asked = 0
  let answeredAt = nowMs()
  let away = false
  let probing = false
  let failures = 0

  async function look(): Promise<void> {
    const silent = asked > 0 && nowMs() - answeredAt > SILENCE_MS
    if (probing) return
    if (!away && !silent) {
      failures = 0
      return
    }
    probing = true
    try {
      await probe().catch(unlessAnswered)
      if (away) log?.info({}, 'store: the database answers again')
      away = false
      failures = 0
      answeredAt = nowMs()
    } catch (err) {
      if (++failures < FAILURES) return
      if (!away) log?.error({ err }, 'store: the database does not answer; requests are refused until it does')
      away = true
      giveUp()
    } finally {
      probing = false
    }
  }
  const looking = setInterval(() => void look(), LOOK_MS).unref()

  return {
    async watch(ask) {
      if (away) throw new Away()
      if (asked++ === 0) answeredAt = nowMs()
      try {
        const answer = await ask()
        answeredAt = nowMs()
        return answer
      } catch (error) {
        if (!isUnavailable(error)) answeredAt = nowMs()
        throw error
      } finally {
        asked--
      }
    },
    stop: () => clearInterval(looking),
  }
}

/** A server that is full, or knows another password by now, did answer; those who are connected are being served. */
function unlessAnswered(error: unknown): void {
  if (!isAnswer(error)) throw error
}

/** Of several servers, one that answers is enough: what runs there is not ours to cut. */
function isAnswer(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAnswer)
  return error instanceof pg.DatabaseError && !GONE_SQLSTATES.test(error.code ?? '')
}
