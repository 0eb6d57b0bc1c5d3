import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { findAccounts } from '../accounts/store.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../store/db.ts'
import { openSealedJson, type Seal } from '../store/sealed.ts'

const COOKIE = 'rodado_device'
const PURPOSE = 'device'
const DEVICE_SECONDS = 180 * 86_400
/** Accounts per browser; beyond it the oldest sign-in is dropped. */
const MAX_ACCOUNTS = 8

/** A browser in which some accounts have signed in before. */
interface KnownDevice {
  id: string
  accounts: Account[]
}

/**
 * Browsers that have signed in before, by an encrypted cookie. It authenticates nobody; it only gives the browser its own
 * attempts, which nobody else can use up. A new password invalidates it, as it does sessions, by the account's version.
 */
export interface KnownDevices {
  /** Only after a complete sign-in: otherwise a password alone would give more attempts at the code. */
  remember(reply: FastifyReply, account: Account): void
  /** The accounts of an e-mail address that have signed in here. Queries the database only if the cookie is valid. */
  find(request: FastifyRequest, email: string): Promise<KnownDevice | undefined>
  /** The device's id, if the account has signed in here. */
  idFor(request: FastifyRequest, account: Account): string | undefined
}

interface Contents {
  id: string
  accounts: { id: number; version: number; at: number }[]
}

interface KnownDevicesDeps {
  db: Db
  seal: Seal
  clock: Clock
}

export function createKnownDevices({ db, seal, clock }: KnownDevicesDeps): KnownDevices {
  const nowSeconds = () => Math.floor(clock().getTime() / 1000)

  function read(request: FastifyRequest): Contents | undefined {
    for (const value of request.server.cookies.values(request, COOKIE)) {
      const contents = openSealedJson<Contents>(seal, value, PURPOSE)
      if (!contents) continue
      const oldest = nowSeconds() - DEVICE_SECONDS
      return { id: contents.id, accounts: contents.accounts.filter(({ at }) => at > oldest) }
    }
    return undefined
  }

  const holds = (contents: Contents, { id, version }: Account) =>
    contents.accounts.some((each) => each.id === id && each.version === version)

  return {
    remember(reply, { id, version }) {
      const former = read(reply.request) ?? { id: randomUUID(), accounts: [] }
      const others = former.accounts.filter((each) => each.id !== id)
      const accounts = [{ id, version, at: nowSeconds() }, ...others].slice(0, MAX_ACCOUNTS)
      const sealed = seal.seal(JSON.stringify({ id: former.id, accounts }), PURPOSE)
      reply.server.cookies.set(reply, COOKIE, sealed.toString('base64url'), DEVICE_SECONDS)
    },

    async find(request, email) {
      const contents = read(request)
      if (!contents) return undefined
      const accounts = (await findAccounts(db, email)).filter((account) => holds(contents, account))
      return accounts.length > 0 ? { id: contents.id, accounts } : undefined
    },

    idFor(request, account) {
      const contents = read(request)
      return contents && holds(contents, account) ? contents.id : undefined
    },
  }
}
