import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { endSession, findAccountOfSession } from '../accounts/store.ts'
import type { Clock } from '../clock.ts'
import { forbidden } from '../http/problems.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import type { KnownDevices } from './known-devices.ts'
import { sealedCookie } from './sealed-cookie.ts'
import { SAFE_METHODS } from './signature.ts'

export const SESSION_COOKIE = 'rodado_session'
const SESSION_SECONDS = 30 * 86_400
/** Staff see everything, so they enter the second factor again each working day. */
const SECOND_FACTOR_SECONDS = 12 * 3600

interface SessionCookie {
  /** Used to end the session. Cookies of the first versions have none. */
  id?: string
  accountId: number
  version: number
  /** When it was opened, in seconds. */
  at: number
  /** When the second factor was entered, in seconds. */
  secondFactorAt?: number
}

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
  function write(
    reply: FastifyReply,
    account: Account,
    contents: Omit<SessionCookie, 'accountId' | 'version' | 'at'>,
  ): void {
    cookie.write(reply, { ...contents, accountId: account.id, version: account.version, at: nowSeconds() })
    reply.request.writer = `account:${account.id}`
    if (!account.staff || contents.secondFactorAt !== undefined) devices.remember(reply, account)
  }

  /** The account of the session and the session's id. `whole`: the sign-in is complete; staff need the second factor. */
  async function find(request: FastifyRequest) {
    const contents = cookie.read(request)
    if (!contents || nowSeconds() - contents.at >= SESSION_SECONDS) return undefined
    const account = await findAccountOfSession(db, contents.accountId, contents.id)
    if (account?.version !== contents.version) return undefined
    const { secondFactorAt } = contents
    const strong = secondFactorAt !== undefined && nowSeconds() - secondFactorAt < SECOND_FACTOR_SECONDS
    return { account, session: contents.id, whole: strong || !account.staff }
  }

  return {
    /** `secondFactor`: the person has just entered it too. */
    open(reply: FastifyReply, account: Account, secondFactor = false): void {
      write(reply, account, { id: randomUUID(), ...(secondFactor && { secondFactorAt: nowSeconds() }) })
    },

    /** Continues the session that `signedIn` just found after its account changed, with its second factor. */
    renew(request: FastifyRequest, reply: FastifyReply, account: Account): void {
      const former = cookie.read(request)
      write(reply, account, former?.accountId === account.id ? former : { id: randomUUID() })
    },

    /** Ends the session; a copy of the cookie is then invalid too. */
    async close(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const id = cookie.read(request)?.id
      if (id) await endSession(db, id)
      cookie.clear(reply)
    },

    /** Read from the database each time, so that ending a session works at once. Staff also need the second factor. */
    async signedIn(request: FastifyRequest): Promise<Account | undefined> {
      const found = await find(request)
      return found?.whole ? found.account : undefined
    },

    /** A member of the staff who entered the password but not the second factor (or too long ago), and the session's id. */
    async passwordOnly(request: FastifyRequest): Promise<{ account: Account; session: string } | undefined> {
      const found = await find(request)
      // Cookies without an id cannot be distinguished: the account has to sign in again.
      if (!found?.session || found.whole) return undefined
      return { account: found.account, session: found.session }
    },
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
