import { LRUCache } from 'lru-cache'

/** A token bucket: `burst` at once, then `perSecond`. */
export interface Rate {
  perSecond: number
  burst: number
}

export interface Taken {
  allowed: boolean
  remaining: number
  /** Until one more is allowed; 0 if this one is. */
  retryAfterSeconds: number
  /** Until the bucket is full again. */
  resetSeconds: number
}

interface Bucket {
  tokens: number
  at: number
  /** The key's own rate, or the limiter's. */
  rate: Rate
}

const MOST_BUCKETS = 50_000

/**
 * Token buckets by key. `now` is a monotonic clock in milliseconds. When there are too many, the least recently used
 * bucket is evicted, so a flood of keys does not reset one in use.
 */
export class Limiter {
  readonly rate: Rate
  readonly #now: () => number
  // `maxSize`, because `max` would allocate everything at start.
  readonly #buckets = new LRUCache<string | number, Bucket>({ maxSize: MOST_BUCKETS, sizeCalculation: () => 1 })

  constructor(rate: Rate, now: () => number) {
    this.rate = rate
    this.#now = now
  }

  /** `own`: the rate of this key, if it differs from the limiter's. */
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
