import { errors } from 'undici'
import { MAX_WAIT_SECONDS } from '../../outbox/settlement.ts'

/** An error in Spanish for partners, and its code for the log. */
export interface Explained {
  error: string
  code: string
}

const UNKNOWN_AUTHORITY =
  'El certificado no es de una autoridad conocida: es propio, o falta el certificado intermedio.'
const CUT = 'La conexión se cortó antes de la respuesta.'
/** One text for all of these: otherwise a partner could find out which names exist in our network. The log has the code. */
const NO_PUBLIC_ADDRESS =
  'No encontramos una dirección pública del receptor: su nombre no existe, su servidor de nombres no responde o la dirección es privada o reservada.'
const UNREACHABLE = 'No se puede llegar al receptor.'
const RESOLVING = /^(query|getaddrinfo)/ // the system calls of c-ares and of the system resolver

const MESSAGES: Record<string, string> = {
  'blocked-address': NO_PUBLIC_ADDRESS,
  'connect-timeout': 'No se pudo conectar en 5 s.',
  stopped: 'El servidor que enviaba se detuvo antes de la respuesta: se envía de nuevo.',
  timeout: 'No hubo respuesta en 15 s.',
  ECONNREFUSED: 'El receptor rechazó la conexión.',
  ECONNRESET: CUT,
  EPIPE: CUT,
  closed: CUT,
  'not-http': 'La respuesta del receptor no es HTTP.',
  'long-headers': 'Los encabezados de la respuesta son demasiado largos.',
  'bad-header': 'Un encabezado propio tiene caracteres que HTTP no admite.',
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  CERT_HAS_EXPIRED: 'El certificado del receptor venció.',
  CERT_NOT_YET_VALID: 'El certificado del receptor todavía no vale.',
  CERT_REVOKED: 'El certificado del receptor fue revocado.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'El certificado del receptor es de otro nombre.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
}

export function explainError(error: Error): Explained {
  const code = codeOf(error)
  if (RESOLVING.test((error as NodeJS.ErrnoException).syscall ?? '')) return { code, error: NO_PUBLIC_ADDRESS }
  if (/^(EPROTO|ERR_SSL_)/.test(code)) return { code, error: 'No se pudo acordar una conexión TLS con el receptor.' }
  return { code, error: MESSAGES[code] ?? `No se pudo enviar (${code}).` }
}

export function explainStatus(status: number): Explained {
  const code = String(status)
  if (status === 410) return { code, error: 'El receptor respondió 410: no quiere recibir más notificaciones.' }
  if (status >= 300 && status < 400 && status !== 304)
    return { code, error: `El receptor respondió ${status}: las redirecciones no se siguen.` }
  return { code, error: `El receptor respondió ${status}.` }
}

/** undici's codes in our own words, so that the log does not depend on the library. */
const UNDICI_CODES: Record<string, string> = {
  UND_ERR_SOCKET: 'closed',
  UND_ERR_HEADERS_OVERFLOW: 'long-headers',
  UND_ERR_INVALID_ARG: 'bad-header',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'not-http',
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
