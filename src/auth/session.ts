import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { endSession, touchSession } from '../accounts/sessions.ts'
import { findAccountOfSession } from '../accounts/store.ts'
import { type Clock, DAY_SECONDS } from '../clock.ts'
import { forbidden } from '../http/problems.ts'
import { message } from '../i18n/messages.tsx'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import type { KnownDevices } from './known-devices.ts'
import { sealedCookie } from './sealed-cookie.ts'
import { SAFE_METHODS } from './signature.ts'

export const SESSION_COOKIE = 'rodado_session'
const SESSION_SECONDS = 30 * DAY_SECONDS
/** Staff see everything, so they enter the second factor again each working day. */
const SECOND_FACTOR_SECONDS = 12 * 3600
/** After this time the person signs in at the provider again, which knows whether they still belong to the staff. */
const OIDC_SESSION_SECONDS = SECOND_FACTOR_SECONDS
/** A session that was not used for so long has ended. */
const STAFF_IDLE_SECONDS = 12 * 3600
const IDLE_SECONDS = 14 * DAY_SECONDS
/** How often a session's use is stored: more would be a write for each page. */
const TOUCH_SECONDS = 300
/** Acts that give access to others need a proof that is not older. */
const RECENT_SECONDS = 15 * 60

interface SessionCookie {
  /** Used to end the session. Cookies of the first versions have none. */
  id?: string
  accountId: number
  version: number
  /** When it was opened, in seconds. */
  at: number
  /** When the person last proved who they are: at the sign-in, or again later. In the cookie, so that a copy does not gain from it. */
  provenAt?: number
  /** When the second factor was entered, in seconds. */
  secondFactorAt?: number
  /** True if it was opened at the marketplace's provider (OIDC). */
  oidc?: boolean
}

interface Opened {
  /** The person entered it too. */
  secondFactor?: boolean
  /** When the person proved who they are, in seconds, if not just now. */
  provenAt?: number
  oidc?: boolean | undefined
}

/** A person who entered the password, or came from the provider, and not the second factor. */
interface PasswordOnly {
  account: Account
  session: string
  oidc: boolean | undefined
}

/** `any`: password or second factor. `second`: the second factor, where the account has one. */
export type Proof = 'any' | 'second'

interface SessionDeps {
  db: Db
  seal: Seal
  clock: Clock
  devices: Pick<KnownDevices, 'remember'>
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ db, seal, clock, devices }: SessionDeps) {
  const cookie = sealedCookie<SessionCookie>(seal, SESSION_COOKIE, 'session', SESSION_SECONDS)
  const nowSeconds = () => Math.floor(clock().getTime() / 1000)

  /** After a complete sign-in the browser is a known device. */
  function write(reply: FastifyReply, account: Account, contents: Omit<SessionCookie, 'accountId' | 'version'>): void {
    cookie.write(reply, { ...contents, accountId: account.id, version: account.version })
    reply.request.writer = `account:${account.id}`
    if (isWhole(account, contents.secondFactorAt)) devices.remember(reply, account)
  }

  /** Staff and everybody who set up a second factor need it. */
  function isWhole({ staff, secured }: Account, secondFactorAt: number | undefined): boolean {
    if (!staff && !secured) return true
    if (secondFactorAt === undefined) return false
    return !staff || nowSeconds() - secondFactorAt < SECOND_FACTOR_SECONDS
  }

  /** The account of the session and the session's id. `whole`: the sign-in is complete, with the second factor. */
  async function find(request: FastifyRequest) {
    const contents = cookie.read(request)
    const lifetime = contents?.oidc ? OIDC_SESSION_SECONDS : SESSION_SECONDS
    if (!contents || nowSeconds() - contents.at >= lifetime) return undefined
    const found = await findAccountOfSession(db, contents.accountId, contents.id)
    if (found?.version !== contents.version) return undefined
    const { lastSeenAt, ...account } = found
    // Staff of the provider sign in only there: a password that was set by email must not open a session.
    if (account.viaOidc && !contents.oidc) return undefined
    const idleSeconds = nowSeconds() - (lastSeenAt ? Math.floor(lastSeenAt.getTime() / 1000) : contents.at)
    if (idleSeconds >= idleLimit(account)) return undefined
    // A part of a page that refreshes itself is nobody's use.
    const isUse = request.headers['hx-request'] !== 'true'
    // The first request is recorded in any case, so that the owner sees every session.
    if (contents.id && (!lastSeenAt || (isUse && idleSeconds >= TOUCH_SECONDS)))
      await touchSession(db, {
        id: contents.id,
        account,
        userAgent: request.headers['user-agent'] ?? '',
        openedAt: new Date(contents.at * 1000),
        lastSeenAt: clock(),
      })
    return { account, session: contents.id, oidc: contents.oidc, whole: isWhole(account, contents.secondFactorAt) }
  }

  return {
    open(reply: FastifyReply, account: Account, { secondFactor = false, provenAt, oidc = false }: Opened = {}): void {
      const now = nowSeconds()
      const proof = { provenAt: provenAt ?? now, ...(secondFactor && { secondFactorAt: now }) }
      write(reply, account, { id: randomUUID(), at: now, ...proof, ...(oidc && { oidc }) })
    },

    /**
     * Continues the session that `signedIn` just found after its account changed, with its second factor; or after a
     * `proof` in it.
     */
    renew(request: FastifyRequest, reply: FastifyReply, account: Account, proof?: Proof): void {
      const former = cookie.read(request)
      const now = nowSeconds()
      write(reply, account, {
        ...(former?.accountId === account.id ? former : { id: randomUUID(), at: now }),
        ...(proof && { provenAt: now }),
        ...(proof === 'second' && { secondFactorAt: now }),
      })
    },

    /** Ends the session; a copy of the cookie is then invalid too. */
    async close(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const id = cookie.read(request)?.id
      if (id) await endSession(db, id)
      cookie.clear(reply)
    },

    /** Read from the database each time, so that ending a session works at once. */
    async signedIn(request: FastifyRequest): Promise<Account | undefined> {
      const found = await find(request)
      return found?.whole ? found.account : undefined
    },

    /** A person who entered the password but not the second factor (or too long ago), and the session's id. */
    async passwordOnly(request: FastifyRequest): Promise<PasswordOnly | undefined> {
      const found = await find(request)
      // Cookies without an id cannot be distinguished: the account has to sign in again.
      if (!found?.session || found.whole) return undefined
      return { account: found.account, session: found.session, oidc: found.oidc }
    },

    /** The id of the request's session. */
    idOf: (request: FastifyRequest): string | undefined => cookie.read(request)?.id,

    /** True if the person of the session proved lately who they are. Ask it after `signedIn`. */
    isRecent(request: FastifyRequest, { secured }: Account, proof: Proof): boolean {
      const contents = cookie.read(request)
      const { provenAt = 0, secondFactorAt = 0 } = contents ?? {}
      const at = proof === 'second' && secured ? Math.min(provenAt, secondFactorAt) : provenAt
      return nowSeconds() - at < RECENT_SECONDS
    },

    /** The moment before which an unused session of this account has ended. */
    idleSince: (account: Account): Date => new Date((nowSeconds() - idleLimit(account)) * 1000),
  }
}

const idleLimit = ({ staff }: Account): number => (staff ? STAFF_IDLE_SECONDS : IDLE_SECONDS)

/**
 * Refuses forms that a browser sends from another site (CSRF). Browsers state the origin of a request; a client that does
 * not is no browser and has nobody's cookie. No hidden fields: a form's POST has only its documented fields.
 */
export function refuseCrossOrigin(app: FastifyInstance, publicUrl: string): void {
  const own = new URL(publicUrl).origin
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || isOwn(request, own)) return done()
    throw forbidden(message('problema.crossOrigin'))
  })
}

function isOwn({ headers }: FastifyRequest, own: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  if (origin === undefined || origin === own) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
