import { ConnectionError, isOurs, ProblemError } from './problems.ts'

export interface Patience {
  /** How often to try again. */
  retries: number
  /** Chance, from 0 to 1: clients that failed together do not come back together. */
  random: () => number
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** A wait that a person would not sit through is the caller's to decide. */
  longestWaitMs: number
}

const FIRST_WAIT_MS = 250

/**
 * Tries again what may be tried again. A safe call (GET) after anything that may pass; any other only after a 429 of the
 * server's own, which is given before anything is done. What was cut off on the way, or met a 503, may have been done.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  safe: boolean,
  { retries, random, sleep, longestWaitMs }: Patience,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= retries || signal?.aborted || !mayPass(error, safe)) throw error
      const asked = error instanceof ProblemError ? error.retryAfterSeconds : undefined
      const wait = asked === undefined ? FIRST_WAIT_MS * 2 ** failures * (0.5 + random()) : asked * 1000
      if (wait > longestWaitMs) throw error
      await sleep(wait, signal)
    }
  }
}

function mayPass(error: unknown, safe: boolean): boolean {
  if (error instanceof ProblemError) {
    if (error.status === 429) return safe || isOurs(error)
    return safe && (error.status >= 500 || error.status === 408)
  }
  return safe && error instanceof ConnectionError
}

/** Waits, or ends at once where the caller no longer wants the answer. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(new ConnectionError('The call was ended by its signal.', { cause: signal?.reason }))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
