import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { endSession, findAccountOfSession } from '../accounts/store.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'

export const SESSION_COOKIE = 'rodado_session'
const SESSION_SECONDS = 30 * 86_400
/** Whoever sees everything shows the second factor again each working day. */
const SECOND_FACTOR_SECONDS = 12 * 3600
const PURPOSE = 'session'
/** Of cookies that were opened lately: a browser shows the same one with every page it asks for. */
const MOST_REMEMBERED = 1_000

/** Who is signed in, in a browser. The cookie is sealed: it says nothing to whoever holds it, and cannot be made up. */
export interface Sessions {
  /** `secondFactor`: the person has just shown it too. */
  open(reply: FastifyReply, account: Account, secondFactor?: boolean): void
  /** The session that `signedIn` just found, gone on with after its account changed, with what was shown in it. */
  renew(request: FastifyRequest, reply: FastifyReply, account: Account): void
  /** Ends it for good: a copy of the cookie opens nothing any more. */
  close(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * The account of the request's session, asked of the database each time, so that ending it works at once. One of the
   * staff is signed in nowhere before the second factor was shown.
   */
  signedIn(request: FastifyRequest): Promise<Account | undefined>
  /** One of the staff who has shown the password, and not the second factor, or not today; and the session's own id. */
  halfway(request: FastifyRequest): Promise<{ account: Account; session: string } | undefined>
}

interface Contents {
  /** Its own, by which it is ended; cookies given before there were any have none. */
  id?: string
  accountId: number
  version: number
  /** When it was opened, in seconds by this house's clock. */
  at: number
  /** When the second factor was shown, likewise. */
  secondFactorAt?: number
}

interface Found {
  account: Account
  session: string | undefined
  /** Whether everything was shown that this account has to show. */
  whole: boolean
}

export interface SessionNeeds {
  db: Db
  seal: Seal
  clock: Clock
  publicUrl: string
}

export function createSessions({ db, seal, clock, publicUrl }: SessionNeeds): Sessions {
  const nowSeconds = () => Math.floor(clock().getTime() / 1000)
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const give = (reply: FastifyReply, value: string, maxAge: number) =>
    reply.header('set-cookie', `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`)

  const write = (reply: FastifyReply, contents: Contents) =>
    give(reply, seal.seal(JSON.stringify(contents), PURPOSE).toString('base64url'), SESSION_SECONDS)

  const read = openCookies(seal)

  async function find(request: FastifyRequest): Promise<Found | undefined> {
    const contents = read(request.headers.cookie)
    if (!contents || nowSeconds() - contents.at >= SESSION_SECONDS) return undefined
    const account = await findAccountOfSession(db, contents.accountId, contents.id)
    if (account?.version !== contents.version) return undefined
    const { secondFactorAt } = contents
    const strong = secondFactorAt !== undefined && nowSeconds() - secondFactorAt < SECOND_FACTOR_SECONDS
    return { account, session: contents.id, whole: strong || !account.staff }
  }

  return {
    open(reply, { id, version }, secondFactor = false) {
      const at = nowSeconds()
      write(reply, { id: randomUUID(), accountId: id, version, at, ...(secondFactor && { secondFactorAt: at }) })
    },

    renew(request, reply, { id, version }) {
      const cookie = read(request.headers.cookie)
      const former = cookie?.accountId === id ? cookie : { id: randomUUID() }
      write(reply, { ...former, accountId: id, version, at: nowSeconds() })
    },

    async close(request, reply) {
      const { id } = read(request.headers.cookie) ?? {}
      if (id) await endSession(db, id)
      give(reply, '', 0)
    },

    async signedIn(request) {
      const found = await find(request)
      return found?.whole ? found.account : undefined
    },

    async halfway(request) {
      const found = await find(request)
      // A cookie without an id could not be told from another: its owner shows the password again.
      if (!found?.session || found.whole) return undefined
      return { account: found.account, session: found.session }
    },
  }
}

/** Reads sessions from the `Cookie` header. A cookie that does not open, whoever wrote it, is no session. */
function openCookies(seal: Seal): (cookies?: string) => Readonly<Contents> | undefined {
  const opened = new Map<string, Readonly<Contents>>()

  function open(value: string): Readonly<Contents> {
    const known = opened.get(value)
    if (known) return known
    const contents = JSON.parse(seal.open(Buffer.from(value, 'base64url'), PURPOSE)) as Contents
    if (opened.size >= MOST_REMEMBERED) opened.clear()
    opened.set(value, contents)
    return contents
  }

  return (cookies = '') => {
    for (const cookie of cookies.split(';')) {
      const [name, value] = cookie.trim().split('=', 2)
      if (name !== SESSION_COOKIE || !value) continue
      try {
        return open(value)
      } catch {}
    }
    return undefined
  }
}
