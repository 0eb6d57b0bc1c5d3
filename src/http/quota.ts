import { message } from '../i18n/messages.tsx'
import { Limiter, type Rate, type ReplyHeaders, setRateHeaders } from './limits.ts'
import { tooManyRequests } from './problems.ts'

/** A 304 does not count, up to this many times the limit (docs/decisions/api.md). */
const FREE_TIMES = 10

/** The own limits of an app or site; null means the general limit. */
export interface OwnRate {
  ratePerSecond: number | null
  rateBurst: number | null
}

export type Quota = ReturnType<typeof createQuota>

const EXCEEDED = {
  app: message('problema.requestQuotaApp'),
  sitio: message('problema.requestQuotaSite'),
}

export function createQuota(kind: keyof typeof EXCEEDED, rate: Rate, nowMs: () => number) {
  const counted = new Limiter(rate, nowMs)
  const all = new Limiter(ceilingOf(rate), nowMs)
  const rateOf = (own?: OwnRate): Rate => ({
    perSecond: own?.ratePerSecond ?? rate.perSecond,
    burst: own?.rateBurst ?? rate.burst,
  })

  return {
    /**
     * Counts a request and sets the rate headers; over the limit, 429. With If-None-Match the client may owe one burst: a 304
     * gives it back.
     */
    consume(id: number, reply: ReplyHeaders, own?: OwnRate, { isConditional = false } = {}): void {
      const limit = rateOf(own)
      const total = all.take(id, ceilingOf(limit))
      const debt = isConditional ? limit.burst : 0
      const taken = total.allowed ? counted.take(id, limit, debt) : { ...total, remaining: 0 }
      setRateHeaders(reply, kind, limit, taken)
      if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds, EXCEEDED[kind], 'limite-de-solicitudes')
    },
    /** Counts further requests for one that does the work of many, and sets the rate headers. */
    charge(id: number, requests: number, reply: ReplyHeaders, own?: OwnRate): void {
      const limit = rateOf(own)
      all.charge(id, requests, ceilingOf(limit))
      setRateHeaders(reply, kind, limit, counted.charge(id, requests, limit))
    },
    /** For a 304, which is free. */
    refund: (id: number): void => counted.refund(id),
    /** Undoes `consume` for a request whose signature turned out to be a repeat. */
    undo(id: number): void {
      all.refund(id)
      counted.refund(id)
    },
  }
}

const ceilingOf = ({ perSecond, burst }: Rate): Rate => ({
  perSecond: perSecond * FREE_TIMES,
  burst: burst * FREE_TIMES,
})
