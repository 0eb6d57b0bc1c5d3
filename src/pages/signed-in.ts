import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { type Audited, audit } from '../accounts/audit.ts'
import type { Passkeys } from '../accounts/passkeys.ts'
import type { CallLog } from '../apps/call-log.ts'
import type { AttemptLimiter } from '../auth/attempt-limiter.ts'
import type { KnownDevices } from '../auth/known-devices.ts'
import type { Oidc } from '../auth/oidc.ts'
import type { Sessions } from '../auth/session.ts'
import type { Catalogue } from '../catalogue/load.ts'
import type { Config, Country } from '../config.ts'
import { preferLocale } from '../http/language.ts'
import { withQuery } from '../http/links.ts'
import { type MessageKey, textOrElse } from '../i18n/messages.tsx'
import type { AgenciasDeps } from '../resources/agencias/context.ts'
import type { ConsultaIntake } from '../resources/consultas/intake.ts'
import type { Db, Store, Transactional } from '../store/db.ts'
import type { TimeContext } from './format.tsx'
import { isPartial } from './page.ts'
import { type SealedParams, sealedParams } from './sealed-params.ts'

export interface PageDeps extends AgenciasDeps {
  store: Store
  config: Config
  catalogue: Catalogue
  sessions: Sessions
  devices: KnownDevices
  passkeys: Passkeys
  /** Undefined where no provider is configured. */
  oidc: Oidc
  attempts: AttemptLimiter
  intake: ConsultaIntake
  calls: CallLog
  /** Monotonic time, for limits. */
  nowMs: () => number
}

/** Pages that a link in an email opens. */
export type ByToken = { Params: { token: string } }

export type ById = { Params: { id: string } }
export type ByAppKey = { Params: { appKey: string } }
export type BySid = { Params: { sid: string } }

/** Never another site. No segment may begin with a dot, because `..` could lead out of these paths. */
export function safeReturn(path: string | null | undefined): string | undefined {
  return path && path.length <= MAX_RETURN && RETURN_PATH.test(path) ? path : undefined
}

const MAX_RETURN = 500 // characters: longer than any page's address

const RETURN_PATH =
  /^\/(ir|consola(\/[\w-][\w.-]*)*|portal(\/[\w-][\w.-]*)*|cuenta(\/[A-Za-z0-9]+)*|conectar\/[0-9a-f]{32}|(registro|colaborar|equipo|personal)\/[\w-]{20,60})$/

/**
 * The signed-in account. Anybody else is redirected to sign in, or to the second factor, and back; after a POST, back to
 * the form's page. For a part of a page the whole page reloads: a part would show the sign-in page in its own place.
 */
export async function requireSignedIn(
  { sessions }: Pick<PageDeps, 'sessions'>,
  request: FastifyRequest,
  reply: FastifyReply,
  volver: string,
): Promise<Account | undefined> {
  const account = await sessions.signedIn(request)
  if (account) {
    request.writer = `account:${account.id}`
    preferLocale(request, account.idioma)
    return account
  }
  if (isPartial(request)) {
    reply.header('hx-refresh', 'true').send()
    return undefined
  }
  const step = (await sessions.passwordOnly(request)) ? '/entrar/codigo' : '/entrar'
  const isForm = request.method === 'POST'
  seeOther(reply, withQuery(step, isForm ? { volver: formPage(request) ?? volver, tarde: 'si' } : { volver }))
  return undefined
}

/** The page that a form was sent from, as the browser says. */
function formPage({ headers: { referer = '' } }: FastifyRequest): string | undefined {
  return URL.canParse(referer) ? safeReturn(new URL(referer).pathname) : undefined
}

/** Redirects after a form's POST. What was decoded from an address is escaped again: a header is ASCII. */
export const seeOther = (reply: FastifyReply, path: string): FastifyReply =>
  reply
    .code(303)
    .header('location', path.replace(/[^!-~]+/g, encodeURIComponent))
    .send()

export function redirectWithNotice(reply: FastifyReply, notice: NoticeName, path = '/cuenta'): FastifyReply {
  reply.server.cookies.set(reply, NOTICE_COOKIE, notice, NOTICE_SECONDS)
  return seeOther(reply, path)
}

/** The notice that this page shows, if any. A part that refreshes itself must not take it from its page. */
export function takeNotice(request: FastifyRequest, reply: FastifyReply): string | undefined {
  if (request.method !== 'GET' || isPartial(request)) return undefined
  const { cookies } = reply.server
  const [name] = cookies.values(request, NOTICE_COOKIE)
  if (name) cookies.set(reply, NOTICE_COOKIE, '', 0)
  return textOrElse(`notices.${name}`, undefined)
}

const NOTICE_COOKIE = 'rodado_hecho'
const NOTICE_SECONDS = 60

export interface SignedInContext extends TimeContext, SealedParams {
  country: Country
  /** Of the request. */
  path: string
  account: Account
  notice: string | undefined
  /** The CSS colour of a colour of the catalogue. */
  cssColour(name: string | null): string | undefined
  /** Where this person may read (store/replicas.ts). */
  reader(): Promise<Db>
  /** Writes to the audit log what is about to be shown, or sent to a receiver, or was resent: a resend retries its transactions. */
  audit(act: string, subject: string, detail?: AuditedAct['detail']): Promise<void>
  /** Makes a change and writes it to the audit log in one transaction; without an entry where `audited` returns none. */
  change<T>(
    audited: AuditedAct | ((result: T) => AuditedAct | undefined),
    work: (tx: Transactional) => Promise<T>,
  ): Promise<T>
}

/** An entry of the audit log: what was done, and to what. */
export type AuditedAct = Pick<Audited, 'act' | 'subject' | 'detail'>

export function signedInContext(
  { store, seal, clock, config, catalogue: { colores } }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
  via: Audited['via'],
): SignedInContext {
  const by = { accountId: account.id, via }
  return {
    account,
    ...sealedParams(seal, account),
    now: clock(),
    timeZone: config.timeZone,
    country: config.country,
    path: request.url.split('?')[0] as string,
    notice: takeNotice(request, reply),
    cssColour: (name) => colores.find(({ nombre }) => nombre === name)?.html ?? undefined,
    reader: () => store.reader(`account:${account.id}`),
    async audit(act, subject, detail) {
      await audit(store, { ...by, act, subject, ...(detail && { detail }) })
      await store.wrote(`account:${account.id}`) // pages that only show something have no other mark
    },
    change: (audited, work) =>
      store.transaction(async (tx) => {
        const result = await work(tx)
        const entry = typeof audited === 'function' ? audited(result) : audited
        if (entry) await audit(tx, { ...by, ...entry })
        return result
      }),
  }
}

/** Notices that the page after an act shows once. A cookie can only name one of these. */
export type NoticeName = MessageKey extends infer Key ? (Key extends `notices.${infer Name}` ? Name : never) : never
