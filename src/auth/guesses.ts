import { addressKey } from '../http/address.ts'
import { Limiter, type Taken } from '../http/limits.ts'
import { tooManyRequests } from '../http/problems.ts'

/** A person errs a few times; a machine is held to a guess a minute on one account, wherever it asks from. */
const BY_ACCOUNT = { perSecond: 1 / 60, burst: 10 }
/** An office behind one address has many people in it. */
const BY_ADDRESS = { perSecond: 1 / 10, burst: 50 }

/** Attempts at passwords and one-time links, and letters asked for: by who is asked about and by who asks. */
export interface Guesses {
  /**
   * Counts an attempt, and says how many more may be made about the subject now; over the limit of either, 429. One from
   * an address that has no more costs the subject nothing: else a stranger could lock its owner out.
   */
  spend(ip: string, subject?: string): number
  /** For one that was right: it was no guess. */
  giveBack(ip: string, subject?: string): void
}

export function createGuesses(nowMs: () => number, byAccount = BY_ACCOUNT, byAddress = BY_ADDRESS): Guesses {
  const accounts = new Limiter(byAccount, nowMs)
  const addresses = new Limiter(byAddress, nowMs)
  const keyOf = (subject: string) => subject.trim().toLowerCase()

  function allowed({ allowed, remaining, retryAfterSeconds }: Taken): number {
    if (!allowed) throw tooManyRequests(retryAfterSeconds, 'Hubo demasiados intentos seguidos.')
    return remaining
  }

  return {
    spend(ip, subject) {
      const asked = allowed(addresses.take(addressKey(ip)))
      return subject ? allowed(accounts.take(keyOf(subject))) : asked
    },
    giveBack(ip, subject) {
      addresses.giveBack(addressKey(ip))
      if (subject) accounts.giveBack(keyOf(subject))
    },
  }
}
