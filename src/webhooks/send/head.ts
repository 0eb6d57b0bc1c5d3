import { NotSent } from './connect.ts'

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/
const WANTED = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'retry-after']
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/ // a header's name (RFC 9110, 5.6.2): no blank before the colon

/** What the head of an answer says, as far as a delivery needs it. */
export interface Head {
  status: number
  /** How the end of the body is known (RFC 9112, 6.3). */
  framing: 'length' | 'chunks' | 'close'
  /** Bytes of the body, where they are known beforehand. */
  length: number
  /** Whether the connection can carry another call when the body is over. */
  mayKeep: boolean
  /** How long the receiver will keep the connection, where it says so. */
  keptSeconds: number | undefined
  retryAfter: string | undefined
}

/** Understands a head without the empty line at its end; undefined where the answer is yet to come (1xx). */
export function headOf(text: string): Head | undefined {
  const lines = text.split('\r\n')
  const [, minor, code] = STATUS_LINE.exec(lines[0] ?? '') ?? []
  const status = Number(code)
  if (!code || status === 101) throw new NotSent('not-http') // we did not ask for another protocol
  if (status < 200) return undefined
  const [length, coding, connection, keepAlive, retryAfter] = wantedIn(lines)
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new NotSent('not-http')

  const isBodiless = status === 204 || status === 304
  const framing = isBodiless ? 'length' : framingOf(coding, length)
  const mayKeep =
    minor === '1' &&
    framing !== 'close' &&
    !(coding !== undefined && (isBodiless || length !== undefined)) &&
    !(isBodiless && Number(length ?? 0) > 0) && // a body that must not be may follow all the same
    !(connection !== undefined && /(^|,)\s*close\s*(,|$)/i.test(connection))
  const bytes = isBodiless ? 0 : Number(length ?? 0)
  return { status, framing, length: bytes, mayKeep, keptSeconds: secondsIn(keepAlive), retryAfter }
}

function framingOf(coding: string | undefined, length: string | undefined): Head['framing'] {
  if (coding !== undefined) return /(^|,)\s*chunked$/i.test(coding) ? 'chunks' : 'close'
  return length === undefined ? 'close' : 'length'
}

/** The values of the headers that matter here, each in its place. */
function wantedIn(lines: string[]): (string | undefined)[] {
  const values: (string | undefined)[] = WANTED.map(() => undefined)
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] as string
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    if (!TOKEN.test(name)) throw new NotSent('not-http')
    const place = WANTED.indexOf(name.toLowerCase())
    if (place < 0) continue
    const value = line.slice(colon + 1).trim()
    const before = values[place]
    values[place] = before === undefined ? value : `${before}, ${value}` // said twice is said as a list (RFC 9110, 5.3)
  }
  return values
}

function secondsIn(keepAlive: string | undefined): number | undefined {
  const [, seconds] = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(keepAlive ?? '') ?? []
  return seconds === undefined ? undefined : Number(seconds)
}
