import { errors } from 'undici'
import type { MessageKey } from '../../i18n/messages.tsx'
import { inSpanish, storedTexts } from '../../i18n/stored.ts'
import { MAX_WAIT_SECONDS } from '../../outbox/settlement.ts'

/** An error in Spanish, as the API shows it, and its code for the log. */
interface Explained {
  error: string
  code: string
}

const UNKNOWN_AUTHORITY = 'entregas.error.unknownAuthority'
const CUT = 'entregas.error.cut'
/** One text for all of these: otherwise a partner could find out which names exist in our network. The log has the code. */
const NO_PUBLIC_ADDRESS = 'entregas.error.noPublicAddress'
const UNREACHABLE = 'entregas.error.unreachable'
const RESOLVING = /^(query|getaddrinfo)/ // the system calls of c-ares and of the system resolver

const MESSAGES: Record<string, MessageKey> = {
  'blocked-address': NO_PUBLIC_ADDRESS,
  'connect-timeout': 'entregas.error.connectTimeout',
  stopped: 'entregas.error.stopped',
  timeout: 'entregas.error.timeout',
  ECONNREFUSED: 'entregas.error.refused',
  ECONNRESET: CUT,
  EPIPE: CUT,
  closed: CUT,
  'not-http': 'entregas.error.notHttp',
  'long-headers': 'entregas.error.longHeaders',
  'bad-header': 'entregas.error.badHeader',
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  CERT_HAS_EXPIRED: 'entregas.error.certExpired',
  CERT_NOT_YET_VALID: 'entregas.error.certNotYetValid',
  CERT_REVOKED: 'entregas.error.certRevoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'entregas.error.certOtherName',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
}

export function explainError(error: Error): Explained {
  const code = codeOf(error)
  if (RESOLVING.test((error as NodeJS.ErrnoException).syscall ?? ''))
    return { code, error: inSpanish(NO_PUBLIC_ADDRESS) }
  if (/^(EPROTO|ERR_SSL_)/.test(code)) return { code, error: inSpanish('entregas.error.tls') }
  const key = MESSAGES[code]
  return { code, error: key ? inSpanish(key) : inSpanish('entregas.error.other', { code }) }
}

export function explainStatus(status: number): Explained {
  const code = String(status)
  if (status === 410) return { code, error: inSpanish('entregas.error.gone') }
  if (status >= 300 && status < 400 && status !== 304)
    return { code, error: inSpanish('entregas.error.redirect', { status: code }) }
  return { code, error: inSpanish('entregas.error.status', { status: code }) }
}

/** What the log has instead of an answer that is not text: we asked for no encoding, and decode none. */
export const explainEncoding = (encoding: string): string =>
  inSpanish('entregas.answer.encoded', { encoding: /^[\w-]{1,20}/.exec(encoding)?.[0] ?? '?' })

export const translateAnswer = storedTexts(['entregas.answer.encoded'])

/** Such an error, or the reason why nothing was sent, in the language of its reader. */
export const translateError = storedTexts([
  ...new Set(Object.values(MESSAGES)),
  'entregas.error.tls',
  'entregas.error.other',
  'entregas.error.gone',
  'entregas.error.redirect',
  'entregas.error.status',
  'entregas.error.tooSlow',
  'entregas.error.abandoned',
  'entregas.error.inactive',
  'entregas.error.eventGone',
  'entregas.error.unreadableSecret',
  'portal.alert.removed',
  'portal.alert.unreadable',
])

/** undici's codes in our own words, so that the log does not depend on the library. */
const UNDICI_CODES: Record<string, string> = {
  UND_ERR_SOCKET: 'closed',
  UND_ERR_HEADERS_OVERFLOW: 'long-headers',
  UND_ERR_INVALID_ARG: 'bad-header',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'not-http',
  ERR_ASSERTION: 'not-http', // a 101 without an `Upgrade`
}

/** The code of an error; where several addresses were tried, that of the first. */
export function codeOf(error: Error): string {
  if (error instanceof errors.HTTPParserError) return 'not-http'
  const { code } = error as NodeJS.ErrnoException
  if (code) return UNDICI_CODES[code] ?? code
  const [first] = error instanceof AggregateError ? error.errors : []
  if (first instanceof Error) return codeOf(first)
  return error.cause instanceof Error ? codeOf(error.cause) : error.name
}

/** An HTTP date in any of its three forms (RFC 9110, 5.6.7) begins with a day of the week; `Date.parse` takes `1.5` for one. */
const DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i

/** The seconds of a `Retry-After` (RFC 9110, 10.2.3: seconds or a date); undefined if it is absent or invalid. */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (dateOf(text) - nowMs) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MAX_WAIT_SECONDS)
}

/** The oldest form, asctime's, has no zone: all three are GMT. */
const dateOf = (text: string): number => (DATE.test(text) ? Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`) : NaN)
