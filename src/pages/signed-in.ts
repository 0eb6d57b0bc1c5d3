import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { AttemptLimiter } from '../auth/attempt-limiter.ts'
import type { KnownDevices } from '../auth/known-devices.ts'
import type { Sessions } from '../auth/session.ts'
import type { Catalogue } from '../catalogue/load.ts'
import type { Config } from '../config.ts'
import { withQuery } from '../http/links.ts'
import { forbidden } from '../http/problems.ts'
import type { AgenciasDeps } from '../resources/agencias/deps.ts'
import type { ConsultaIntake } from '../resources/consultas/receive.ts'
import { asksForPart } from './live.ts'
import { type NoticeName, noticeOf } from './notices.ts'

/** What the pages of people who sign in stand on: the acts of the trade, and who is there. */
export interface PageDeps extends AgenciasDeps {
  config: AgenciasDeps['config'] &
    Pick<
      Config,
      | 'retentionDays'
      | 'allowPrivateCallbacks'
      | 'port'
      | 'metricsPort'
      | 'databaseUrl'
      | 'ratePerSecond'
      | 'rateBurst'
      | 'smtpUrl'
      | 'signaturePrefix'
    >
  catalogue: Catalogue
  sessions: Sessions
  devices: KnownDevices
  attempts: AttemptLimiter
  intake: ConsultaIntake
  /** What limits go by. */
  nowMs: () => number
}

/** No part of the API. */
export const HIDDEN = { schema: { hide: true } } as const

/** Pages that are led to by a link of a mail. */
export type ByToken = { Params: { token: string } }

/**
 * Where a person goes after signing in: one of our own pages that ask for it, never another site. What was written by
 * whoever made the link is compared with what there is, not mended: no step begins with a point, which could lead out of
 * where the path seems to stay.
 */
export function safeReturn(path: string | null | undefined): string | undefined {
  return path && path.length <= MAX_RETURN && RETURNS.test(path) ? path : undefined
}

const MAX_RETURN = 500 // characters: longer than any page's address

const RETURNS =
  /^\/(consola(\/[\w-][\w.-]*)*|portal(\/[\w-][\w.-]*)*|cuenta(\/[A-Za-z0-9]+)*|conectar\/[0-9a-f]{32}|(registro|colaborar|equipo|personal)\/[\w-]{20,60})$/

/** The first page of whoever has just signed in and asked for none. */
export const homeOf = ({ staff, develops }: Account): string => (staff ? '/consola' : develops ? '/portal' : '/cuenta')

/**
 * The signed-in account. Anybody else is redirected to sign in, or to the second factor, and back; after a form that came
 * too late, back to the form's page. A part of a page that refreshes itself is refused: it would show the sign-in page in
 * its own place.
 */
export async function requireSignedIn(
  { sessions }: Pick<PageDeps, 'sessions'>,
  request: FastifyRequest,
  reply: FastifyReply,
  volver: string,
): Promise<Account | undefined> {
  const account = await sessions.signedIn(request)
  if (account) return account
  if (asksForPart(request)) throw forbidden('Su sesión terminó: vuelva a cargar la página.')
  const step = (await sessions.halfway(request)) ? '/entrar/codigo' : '/entrar'
  const late = request.method === 'POST'
  seeOther(reply, withQuery(step, late ? { volver: formPage(request) ?? volver, tarde: 'si' } : { volver }))
  return undefined
}

/** The page that a form was sent from, as the browser says. */
function formPage({ headers: { referer = '' } }: FastifyRequest): string | undefined {
  return URL.canParse(referer) ? safeReturn(new URL(referer).pathname) : undefined
}

/**
 * After a form's POST, a page that may be loaded again without sending the form twice. What was decoded from an address
 * is escaped again: a header holds no other signs.
 */
export const seeOther = (reply: FastifyReply, path: string): FastifyReply =>
  reply
    .code(303)
    .header('location', path.replace(/[^!-~]+/g, encodeURIComponent))
    .send()

/** The same, with what was done, told once by the page that follows. */
export function done(reply: FastifyReply, notice: NoticeName, path = '/cuenta'): FastifyReply {
  reply.server.cookies.set(reply, NOTICE_COOKIE, notice, NOTICE_SECONDS)
  return seeOther(reply, path)
}

/** What was just done, if anything; asking forgets it. */
export function justDone(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { cookies } = reply.server
  const [name] = cookies.values(request, NOTICE_COOKIE)
  if (name) cookies.set(reply, NOTICE_COOKIE, '', 0)
  return noticeOf(name)
}

const NOTICE_COOKIE = 'rodado_hecho'
const NOTICE_SECONDS = 60
