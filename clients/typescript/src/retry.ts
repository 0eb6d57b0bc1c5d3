import { ConnectionError, isOurs, ProblemError } from './problems.ts'

interface RetryOptions {
  /** How often to retry. */
  retries: number
  /** Jitter from 0 to 1, so that clients do not retry together. */
  random: () => number
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** A longer wait is left to the caller. */
  longestWaitMs: number
}

const FIRST_WAIT_MS = 250

/**
 * Retries what may be retried. A safe call (GET) after any temporary error; any other only after the server's own 429, which
 * comes before any work. A request that was cut off or got a 503 may have been done.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  safe: boolean,
  { retries, random, sleep, longestWaitMs }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= retries || signal?.aborted || !mayPass(error, safe)) throw error
      const retryAfter = error instanceof ProblemError ? error.retryAfterSeconds : undefined
      const wait = retryAfter === undefined ? FIRST_WAIT_MS * 2 ** failures * (0.5 + random()) : retryAfter * 1000
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

/** Waits, or stops at once if the caller aborts. */
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
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
