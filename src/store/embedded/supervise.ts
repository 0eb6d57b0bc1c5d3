import { setTimeout as pause } from 'node:timers/promises'
import { type Joined, join, type Place } from './join.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Keeps us joined: when PostgreSQL dies under a running server it is started again, and the pools find it by themselves. */
export function supervise(place: Place, first: Joined) {
  const { log, signal } = place
  let joined = first
  let rejoining: Promise<void> = Promise.resolve()

  function watch() {
    joined.client.once('end', () => {
      if (!signal.aborted) rejoining = rejoin()
    })
  }

  async function rejoin() {
    log.error({ pid: joined.pid }, 'embedded store: PostgreSQL was lost; starting it again')
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        joined = await join(place)
        log.info({ pid: joined.pid }, 'embedded store: PostgreSQL is back')
        return watch()
      } catch (err) {
        if (!signal.aborted) log.error({ err }, 'embedded store: PostgreSQL does not start')
        await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  watch()
  return {
    current: () => joined,
    /** Resolves when no attempt is under way; the place's signal ends them. */
    settled: () => rejoining,
  }
}
