import { LRUCache } from 'lru-cache'

/** So much at once, so much a second after that. */
export interface Rate {
  perSecond: number
  burst: number
}

export interface Taken {
  allowed: boolean
  remaining: number
  /** Until one more is allowed; 0 where one is. */
  retryAfterSeconds: number
  /** Until all of the burst is there again. */
  resetSeconds: number
}

interface Bucket {
  tokens: number
  at: number
  /** What it fills by: its own, where the key has one. */
  rate: Rate
}

const MOST_BUCKETS = 50_000

/**
 * Token buckets by key. `now` is in milliseconds and only ever grows. At the bound the bucket that was used longest ago
 * is evicted, so a flood of keys does not reset one that is in use.
 */
export class Limiter {
  readonly rate: Rate
  readonly #now: () => number
  // Bounded by size, not by `max`, which would allocate all of it for every limiter at start.
  readonly #buckets = new LRUCache<string | number, Bucket>({ maxSize: MOST_BUCKETS, sizeCalculation: () => 1 })

  constructor(rate: Rate, now: () => number) {
    this.rate = rate
    this.#now = now
  }

  /** `own`: what this key may, where it is not what every other may. */
  take(key: string | number, own = this.rate): Taken {
    const bucket = this.#fill(key, own)
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    const { perSecond, burst } = own
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
      resetSeconds: Math.ceil((burst - bucket.tokens) / perSecond),
    }
  }

  giveBack(key: string | number): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.tokens = Math.min(bucket.rate.burst, bucket.tokens + 1)
  }

  #fill(key: string | number, rate: Rate): Bucket {
    const now = this.#now()
    const bucket = this.#buckets.get(key)
    if (!bucket) {
      const fresh = { tokens: rate.burst, at: now, rate }
      this.#buckets.set(key, fresh)
      return fresh
    }
    bucket.rate = rate
    bucket.tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond)
    bucket.at = now
    return bucket
  }
}
