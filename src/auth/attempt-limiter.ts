import { hash } from 'node:crypto'
import { addressKey, Limiter, networkKey, type Rate, type Taken } from '../http/limits.ts'
import { tooManyRequests } from '../http/problems.ts'
import { message } from '../i18n/messages.tsx'

/** Generous, because a whole office may share one address. */
const BY_ADDRESS: Rate = { perSecond: 1 / 10, burst: 50 }
/** Enough for a person's mistakes. */
const BY_ADDRESS_AND_SUBJECT: Rate = { perSecond: 1 / 60, burst: 10 }
/** Attempts left to each address while a subject is under attack: enough for its owner on a new device. */
const UNDER_ATTACK: Rate = { perSecond: 1 / 600, burst: 3 }

/** How attempts at one subject are counted over all addresses. */
interface AttemptPolicy {
  bySubject: Rate
  /** Above that rate `slow` leaves each address a few attempts and `refuse` none. Known devices keep their own. */
  above: 'slow' | 'refuse'
  /** For one known device, or one account that is signed in. */
  own: Rate
}

/** `bySubject` allows more than one address does, so that a forgetful person does not count as an attack. */
export const PASSWORD_ATTEMPTS: AttemptPolicy = {
  bySubject: { perSecond: 1 / 60, burst: 30 },
  above: 'slow',
  own: { perSecond: 1 / 60, burst: 10 },
}

/** There are only a million codes: few attempts, from all addresses together. */
export const CODE_ATTEMPTS: AttemptPolicy = {
  bySubject: { perSecond: 1 / 300, burst: 6 },
  above: 'refuse',
  own: { perSecond: 1 / 300, burst: 6 },
}

interface AttemptSource {
  ip: string
  /** What is attacked: an email address or an account's code. Without it only the address is limited. */
  subject?: string
  device?: string | undefined
}

interface AllowedAttempt {
  left: number
  /** True if it was over the shared limits and allowed because the device is known. */
  byDevice: boolean
  /** For a correct attempt, which does not count. */
  refund(): void
}

export type AttemptLimiter = ReturnType<typeof createAttemptLimiter>

/** Limits attempts at passwords, codes and one-time links, and requests for reset emails. */
export function createAttemptLimiter(nowMs: () => number, policy: AttemptPolicy) {
  const limiter = (rate: Rate) => new Limiter(rate, nowMs)
  const byAddress = limiter(BY_ADDRESS)
  const byPair = limiter(BY_ADDRESS_AND_SUBJECT)
  const bySubject = limiter(policy.bySubject)
  const underAttack = limiter(UNDER_ATTACK)
  const own = limiter(policy.own)

  function takeShared(ip: string, subject: string | undefined): { last: Taken; refund(): void } {
    const taken: (() => void)[] = []
    const take = (from: Limiter, key: string): Taken => {
      const result = from.take(key)
      if (result.allowed) taken.push(() => from.refund(key))
      return result
    }
    const refund = () => {
      for (const undo of taken) undo()
    }

    const address = take(byAddress, addressKey(ip))
    if (!address.allowed || subject === undefined) return { last: address, refund }
    const key = subjectKey(subject)
    const pair = take(byPair, `${addressKey(ip)} ${key}`)
    if (!pair.allowed) return { last: pair, refund }
    const whole = take(bySubject, key)
    if (whole.allowed || policy.above === 'refuse') return { last: whole, refund }
    return { last: take(underAttack, `${networkKey(ip)} ${key}`), refund }
  }

  function takeOwn(key: string, byDevice: boolean): AllowedAttempt {
    const { remaining: left } = allowed(own.take(key))
    return { left, byDevice, refund: () => own.refund(key) }
  }

  return {
    /** Counts an attempt; 429 over the limit. Others cannot use up the attempts of a known device. */
    take({ ip, subject, device }: AttemptSource): AllowedAttempt {
      const { last, refund } = takeShared(ip, subject)
      if (!last.allowed && device !== undefined) return takeOwn(device, true)
      return { left: allowed(last).remaining, byDevice: false, refund }
    },
    /** Counts an attempt of somebody who is signed in, by a key that only this person can use. */
    takeOwn: (key: string) => takeOwn(key, false),
  }
}

function allowed(taken: Taken): Taken {
  if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds, message('problema.attempts'))
  return taken
}

/** Hashed, because the text sent as an email address may be long. */
const subjectKey = (subject: string): string => hash('sha256', subject.trim().toLowerCase(), 'base64')
