import { addressKey } from '../http/address.ts'
import { Limiter } from '../http/limits.ts'
import { tooManyRequests } from '../http/problems.ts'

/** A person errs a few times; a machine is held to a guess a minute on one account, wherever it asks from. */
const BY_ACCOUNT = { perSecond: 1 / 60, burst: 10 }
/** An office behind one address has many people in it. */
const BY_ADDRESS = { perSecond: 1 / 10, burst: 50 }

/** Attempts at passwords and one-time links, and letters asked for: by who is asked about and by who asks. */
export interface Guesses {
  /** Counts an attempt; over the limit of either, 429. */
  spend(ip: string, subject?: string): void
  /** For one that was right: it was no guess. */
  giveBack(ip: string, subject?: string): void
}

export function createGuesses(nowMs: () => number, byAccount = BY_ACCOUNT, byAddress = BY_ADDRESS): Guesses {
  const accounts = new Limiter(byAccount, nowMs)
  const addresses = new Limiter(byAddress, nowMs)
  const keyOf = (subject: string) => subject.trim().toLowerCase()

  return {
    spend(ip, subject) {
      const taken = [addresses.take(addressKey(ip)), ...(subject ? [accounts.take(keyOf(subject))] : [])]
      const refused = taken.find(({ allowed }) => !allowed)
      if (refused) throw tooManyRequests(refused.retryAfterSeconds, 'Hubo demasiados intentos seguidos.')
    },
    giveBack(ip, subject) {
      addresses.giveBack(addressKey(ip))
      if (subject) accounts.giveBack(keyOf(subject))
    },
  }
}
