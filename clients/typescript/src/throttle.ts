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
  /** When tokens were last added; undefined until the server has counted a call that it may get with a full bucket. */
  let refilledAt: number | undefined
  let sent = 0
  let inFlight = 0
  const waiting: symbol[] = []

  function refill(): void {
    if (!policy || refilledAt === undefined) return
    const time = now()
    tokens = Math.min(policy.burst, tokens + (time - refilledAt) * policy.perMs)
    refilledAt = time
  }

  /** Takes a token. Responses change the estimate during a wait, so it is checked again afterwards. */
  async function acquire(signal: AbortSignal | undefined): Promise<{ number: number; sentAt: number }> {
    const place = Symbol()
    waiting.push(place)
    try {
      while (policy) {
        refill()
        const wait = (waiting.indexOf(place) + 1 - tokens) / policy.perMs
        if (wait <= 0 || wait > longestWaitMs) break
        await sleep(Math.ceil(wait), signal)
      }
    } finally {
      waiting.splice(waiting.indexOf(place), 1)
    }
    // A full bucket does not refill, and the server's may be full until this call arrives.
    if (policy && tokens >= policy.burst / 2) refilledAt = undefined
    tokens--
    inFlight++
    return { number: ++sent, sentAt: now() }
  }

  /** Corrects the estimate by a response to the call with that number. */
  function learn({ headers }: Response, number: number, sentAt: number): void {
    const [, burst, seconds] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
    const remaining = /;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
    if (!Number(burst) || !Number(seconds) || remaining === undefined) return
    const isFirst = !policy
    policy = { burst: Number(burst), perMs: Number(burst) / Number(seconds) / 1000 }
    refill()
    // Later calls are not counted in `remaining`; of the others in flight it is not known.
    const afterLater = Number(remaining) - (sent - number)
    const least = afterLater - inFlight
    const most = afterLater + 1 + (now() - sentAt) * policy.perMs
    tokens = isFirst ? least : Math.min(Math.max(tokens, least), most)
  }

  return {
    async run(attempt: () => Promise<Exchanged>, signal: AbortSignal | undefined): Promise<Exchanged> {
      const { number, sentAt } = await acquire(signal)
      let response: Response | undefined
      try {
        const exchanged = await attempt()
        ;({ response } = exchanged)
        return exchanged
      } finally {
        inFlight--
        if (response) learn(response, number, sentAt)
        refilledAt ??= now()
      }
    },
  }
}
