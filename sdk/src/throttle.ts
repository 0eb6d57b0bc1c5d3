import type { Exchanged } from './exchange.ts'

interface ThrottleOptions {
  /** A longer wait is not kept: the server decides. */
  longestWaitMs: number
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Milliseconds. */
  now: () => number
}

/**
 * Keeps calls below the limit that the server announces in `RateLimit-Policy` and `RateLimit`: a token bucket. Until the first
 * response it is not known, and nothing waits.
 */
export function createThrottle({ longestWaitMs, sleep, now }: ThrottleOptions) {
  let policy: { burst: number; perMs: number } | undefined
  let tokens = 0
  let at = 0
  /** Calls that wait or are under way: the server has not counted them yet. */
  let pending = 0

  /** Takes a token and returns how long to wait for it. */
  function take(): number {
    if (!policy) return 0
    const time = now()
    tokens = Math.min(policy.burst, tokens + (time - at) * policy.perMs) - 1
    at = time
    return tokens >= 0 ? 0 : -tokens / policy.perMs
  }

  function learn({ headers }: Response): void {
    const [, burst, seconds] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
    const remaining = /;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
    if (!Number(burst) || !Number(seconds) || remaining === undefined) return
    policy = { burst: Number(burst), perMs: Number(burst) / Number(seconds) / 1000 }
    tokens = Number(remaining) - pending
    at = now()
  }

  return {
    async run(attempt: () => Promise<Exchanged>, signal: AbortSignal | undefined): Promise<Exchanged> {
      pending++
      let response: Response | undefined
      try {
        const wait = take()
        if (wait > 0 && wait <= longestWaitMs) await sleep(wait, signal)
        const exchanged = await attempt()
        ;({ response } = exchanged)
        return exchanged
      } finally {
        pending--
        if (response) learn(response)
      }
    },
  }
}
