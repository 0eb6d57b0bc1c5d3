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

/** Who is signed in, in a browser. The cookie is sealed: it says nothing to whoever holds it, and cannot be made up. */
export interface Sessions {
  /** `secondFactor`: the person has just shown it too. */
  open(reply: FastifyReply, account: Account, secondFactor?: boolean): void
  /** Ends it for good: a copy of the cookie opens nothing any more. */
  close(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The account of the request's session, asked of the database each time, so that ending it works at once. */
  signedIn(request: FastifyRequest): Promise<Account | undefined>
  /** Whether the second factor was shown in this session, not long ago; asked of a session that is open. */
  isStrong(request: FastifyRequest): boolean
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

  return {
    open(reply, { id, version }, secondFactor = false) {
      const at = nowSeconds()
      const contents: Contents = {
        id: randomUUID(),
        accountId: id,
        version,
        at,
        ...(secondFactor && { secondFactorAt: at }),
      }
      give(reply, seal.seal(JSON.stringify(contents), PURPOSE).toString('base64url'), SESSION_SECONDS)
    },

    async close(request, reply) {
      const { id } = read(seal, request.headers.cookie) ?? {}
      if (id) await endSession(db, id)
      give(reply, '', 0)
    },

    async signedIn(request) {
      const contents = read(seal, request.headers.cookie)
      if (!contents || nowSeconds() - contents.at >= SESSION_SECONDS) return undefined
      const account = await findAccountOfSession(db, contents.accountId, contents.id)
      return account?.version === contents.version ? account : undefined
    },

    isStrong(request) {
      const { secondFactorAt } = read(seal, request.headers.cookie) ?? {}
      return secondFactorAt !== undefined && nowSeconds() - secondFactorAt < SECOND_FACTOR_SECONDS
    },
  }
}

/** A cookie that does not open, whoever wrote it, is no session. */
function read(seal: Seal, cookies = ''): Contents | undefined {
  for (const cookie of cookies.split(';')) {
    const [name, value] = cookie.trim().split('=', 2)
    if (name !== SESSION_COOKIE || !value) continue
    try {
      return JSON.parse(seal.open(Buffer.from(value, 'base64url'), PURPOSE)) as Contents
    } catch {}
  }
  return undefined
}
