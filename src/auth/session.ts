import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Account } from '../accounts/account.ts'
import { endSession, findAccountOfSession } from '../accounts/store.ts'
import type { Clock } from '../clock.ts'
import { forbidden } from '../http/problems.ts'
import type { Db } from '../store/db.ts'
import { openSealedJson, type Seal } from '../store/sealed.ts'
import type { KnownDevices } from './known-devices.ts'
import { SAFE_METHODS } from './signature.ts'

export const SESSION_COOKIE = 'rodado_session'
const SESSION_SECONDS = 30 * 86_400
/** Staff see everything, so they enter the second factor again each working day. */
const SECOND_FACTOR_SECONDS = 12 * 3600
const PURPOSE = 'session'
/** Decrypted cookies in the cache: a browser sends the same one with every page. */
const MOST_REMEMBERED = 1_000

/** Sessions of browsers. The cookie is encrypted: it can be neither read nor forged. */
export interface Sessions {
  /** `secondFactor`: the person has just entered it too. */
  open(reply: FastifyReply, account: Account, secondFactor?: boolean): void
  /** Continues the session that `signedIn` just found after its account changed, with its second factor. */
  renew(request: FastifyRequest, reply: FastifyReply, account: Account): void
  /** Ends the session; a copy of the cookie is then invalid too. */
  close(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * The account of the request's session, read from the database each time, so that ending it works at once. Staff are
   * signed in only after the second factor.
   */
  signedIn(request: FastifyRequest): Promise<Account | undefined>
  /** A member of the staff who entered the password but not the second factor (or too long ago), and the session's id. */
  halfway(request: FastifyRequest): Promise<{ account: Account; session: string } | undefined>
}

interface Contents {
  /** Used to end the session. Cookies of the first versions have none. */
  id?: string
  accountId: number
  version: number
  /** When it was opened, in seconds. */
  at: number
  /** When the second factor was entered, in seconds. */
  secondFactorAt?: number
}

interface Found {
  account: Account
  session: string | undefined
  /** True if the sign-in is complete: staff need the second factor. */
  whole: boolean
}

interface SessionDeps {
  db: Db
  seal: Seal
  clock: Clock
  devices: Pick<KnownDevices, 'remember'>
}

export function createSessions({ db, seal, clock, devices }: SessionDeps): Sessions {
  const nowSeconds = () => Math.floor(clock().getTime() / 1000)
  const set = (reply: FastifyReply, value: string, maxAgeSeconds: number) =>
    reply.server.cookies.set(reply, SESSION_COOKIE, value, maxAgeSeconds)

  /** After a complete sign-in the browser is a known device. */
  function write(reply: FastifyReply, account: Account, contents: Contents): void {
    set(reply, seal.seal(JSON.stringify(contents), PURPOSE).toString('base64url'), SESSION_SECONDS)
    if (!account.staff || contents.secondFactorAt !== undefined) devices.remember(reply, account)
  }

  const read = openCookies(seal)

  async function find(request: FastifyRequest): Promise<Found | undefined> {
    const contents = read(request)
    if (!contents || nowSeconds() - contents.at >= SESSION_SECONDS) return undefined
    const account = await findAccountOfSession(db, contents.accountId, contents.id)
    if (account?.version !== contents.version) return undefined
    const { secondFactorAt } = contents
    const strong = secondFactorAt !== undefined && nowSeconds() - secondFactorAt < SECOND_FACTOR_SECONDS
    return { account, session: contents.id, whole: strong || !account.staff }
  }

  return {
    open(reply, account, secondFactor = false) {
      const { id: accountId, version } = account
      const at = nowSeconds()
      write(reply, account, { id: randomUUID(), accountId, version, at, ...(secondFactor && { secondFactorAt: at }) })
    },

    renew(request, reply, account) {
      const { id: accountId, version } = account
      const cookie = read(request)
      const former = cookie?.accountId === accountId ? cookie : { id: randomUUID() }
      write(reply, account, { ...former, accountId, version, at: nowSeconds() })
    },

    async close(request, reply) {
      const { id } = read(request) ?? {}
      if (id) await endSession(db, id)
      set(reply, '', 0)
    },

    async signedIn(request) {
      const found = await find(request)
      return found?.whole ? found.account : undefined
    },

    async halfway(request) {
      const found = await find(request)
      // Cookies without an id cannot be distinguished: the account has to sign in again.
      if (!found?.session || found.whole) return undefined
      return { account: found.account, session: found.session }
    },
  }
}

/** Reads the session of a request. A cookie that cannot be decrypted is no session. */
function openCookies(seal: Seal): (request: FastifyRequest) => Readonly<Contents> | undefined {
  const opened = new LRUCache<string, Readonly<Contents>>({ max: MOST_REMEMBERED })

  function open(value: string): Readonly<Contents> | undefined {
    const contents = opened.get(value) ?? openSealedJson<Contents>(seal, value, PURPOSE)
    if (contents) opened.set(value, contents)
    return contents
  }

  return (request) => {
    for (const value of request.server.cookies.values(request, SESSION_COOKIE)) {
      const contents = open(value)
      if (contents) return contents
    }
    return undefined
  }
}

/**
 * Refuses forms that a browser sends from another site (CSRF). Browsers state the origin of a request; a client that does
 * not is no browser and has nobody's cookie. No hidden fields: a form's POST has only its documented fields.
 */
export function refuseCrossOrigin(app: FastifyInstance, publicUrl: string): void {
  const own = new URL(publicUrl).origin
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || isOwn(request, own)) return done()
    throw forbidden('El formulario se envió desde otro sitio. Ábralo en este y vuelva a enviarlo.')
  })
}

function isOwn({ headers }: FastifyRequest, own: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  if (origin === undefined || origin === own) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
