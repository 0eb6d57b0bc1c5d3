import ipaddr from 'ipaddr.js'
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

const MAX_BUCKETS = 50_000

/** Token buckets by key. The least recently used is evicted, so a flood of keys does not reset one in use. */
export class Limiter {
  readonly rate: Rate
  readonly #now: () => number
  // `maxSize`, because `max` would allocate everything at start.
  readonly #buckets = new LRUCache<string | number, Bucket>({ maxSize: MAX_BUCKETS, sizeCalculation: () => 1 })

  constructor(rate: Rate, now: () => number) {
    this.rate = rate
    this.#now = now
  }

  /** `own`: the rate of this key, if it differs from the limiter's; `debt`: how many tokens it may owe. */
  take(key: string | number, own = this.rate, debt = 0): Taken {
    const bucket = this.#fill(key, own)
    const allowed = bucket.tokens + debt >= 1
    if (allowed) bucket.tokens -= 1
    return stateOf(bucket, allowed, debt)
  }

  /** Takes tokens for what was allowed already, even more than there are: later requests wait for them. */
  charge(key: string | number, tokens: number, own = this.rate): Taken {
    const bucket = this.#fill(key, own)
    bucket.tokens -= tokens
    return stateOf(bucket, true)
  }

  refund(key: string | number): void {
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

const stateOf = ({ tokens, rate: { perSecond, burst } }: Bucket, allowed: boolean, debt = 0): Taken => ({
  allowed,
  remaining: Math.max(0, Math.floor(tokens)),
  retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - debt - tokens) / perSecond)),
  resetSeconds: Math.ceil((burst - tokens) / perSecond),
})

/** Where headers are set: a FastifyReply, or an answer before Fastify. */
export interface ReplyHeaders {
  header(name: string, value: string): unknown
}

/** Sets the headers of the IETF's RateLimit draft: the limit, and what is left of it. */
export function setRateHeaders(reply: ReplyHeaders, policy: string, rate: Rate, taken: Taken): void {
  reply.header('ratelimit-policy', formatPolicy(policy, rate))
  reply.header('ratelimit', `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`)
}

export const formatPolicy = (policy: string, { burst, perSecond }: Rate): string =>
  `"${policy}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`

/** The key of limits by address: an IPv4 address, or the /64 in which an IPv6 client may choose any address. */
export const addressKey = (ip: string): string => prefixOf(ip, 4)

/** A wider key: an IPv4 address, or the /48 that one customer may hold, with 65,536 networks of /64. */
export const networkKey = (ip: string): string => prefixOf(ip, 3)

function prefixOf(ip: string, ipv6Groups: number): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip
  const address = ipaddr.process(ip) // IPv4 for an address like ::ffff:192.0.2.7
  return 'parts' in address ? address.toNormalizedString().split(':', ipv6Groups).join(':') : address.toString()
}
