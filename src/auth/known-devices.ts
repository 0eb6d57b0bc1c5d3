import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { findAccounts } from '../accounts/store.ts'
import { type Clock, DAY_SECONDS } from '../clock.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { sealedCookie } from './sealed-cookie.ts'

const COOKIE = 'rodado_device'
const DEVICE_SECONDS = 180 * DAY_SECONDS
/** Accounts per browser; beyond it the oldest sign-in is dropped. */
const MAX_ACCOUNTS = 8

interface DeviceCookie {
  id: string
  accounts: { id: number; version: number; at: number }[]
}

interface KnownDevicesDeps {
  db: Db
  seal: Seal
  clock: Clock
}

export type KnownDevices = ReturnType<typeof createKnownDevices>

/**
 * Browsers that have signed in before, by an encrypted cookie. It authenticates nobody; it only gives the browser its own
 * attempts, which nobody else can use up. A new password invalidates it, as it does sessions, by the account's version.
 */
export function createKnownDevices({ db, seal, clock }: KnownDevicesDeps) {
  const cookie = sealedCookie<DeviceCookie>(seal, COOKIE, 'device', DEVICE_SECONDS)
  const nowSeconds = () => Math.floor(clock().getTime() / 1000)

  function read(request: FastifyRequest): DeviceCookie | undefined {
    const contents = cookie.read(request)
    const oldest = nowSeconds() - DEVICE_SECONDS
    return contents && { id: contents.id, accounts: contents.accounts.filter(({ at }) => at > oldest) }
  }

  const holds = (contents: DeviceCookie, { id, version }: Account) =>
    contents.accounts.some((each) => each.id === id && each.version === version)

  return {
    /** Only after a complete sign-in: otherwise a password alone would give more attempts at the code. */
    remember(reply: FastifyReply, { id, version }: Account): void {
      const former = read(reply.request) ?? { id: randomUUID(), accounts: [] }
      const others = former.accounts.filter((each) => each.id !== id)
      const accounts = [{ id, version, at: nowSeconds() }, ...others].slice(0, MAX_ACCOUNTS)
      cookie.write(reply, { id: former.id, accounts })
    },

    /** The accounts of an email address that have signed in here. Queries the database only if the cookie is valid. */
    async find(request: FastifyRequest, email: string): Promise<{ id: string; accounts: Account[] } | undefined> {
      const contents = read(request)
      if (!contents) return undefined
      const accounts = (await findAccounts(db, email)).filter((account) => holds(contents, account))
      return accounts.length > 0 ? { id: contents.id, accounts } : undefined
    },

    idFor(request: FastifyRequest, account: Account): string | undefined {
      const contents = read(request)
      return contents && holds(contents, account) ? contents.id : undefined
    },
  }
}
