import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { PROBLEM_TYPE, Problem, problemBody } from './problems.ts'
import { NOSNIFF } from './route.ts'

/** `Strict-Transport-Security` (RFC 6797), where people and partners reach this server by https; else nothing. */
export const hstsOf = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** What Node's parser gives up on, by its code; anything else is a request that cannot be read. */
const REFUSALS: Record<string, { status: number; detail: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'Los encabezados son demasiado grandes.' },
  [LATE]: { status: 408, detail: 'La solicitud no llegó completa a tiempo.' },
}
const UNREADABLE = { status: 400, detail: 'La solicitud no se puede leer como HTTP/1.1.' }

/** A connection that is cut while more comes in takes its last answer with it (RFC 9112, 9.6). */
const LINGER_MS = 2_000

/** Answers in the house's shape what never becomes a request, because Node refuses it before any route or hook. */
export function answerClientErrors(publicUrl: string) {
  const refused = new WeakSet<Socket>()
  const hsts = Object.entries(hstsOf(publicUrl)).map(([name, value]) => `${name}: ${value}\r\n`)
  return ({ code = '' }: NodeJS.ErrnoException, socket: Socket): void => {
    if (refused.has(socket) && code !== 'ECONNRESET' && code !== LATE) return // more of what cannot be read
    if (refused.has(socket) || code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refused.add(socket)
    const { status, detail } = REFUSALS[code] ?? UNREADABLE
    const body = JSON.stringify({ ...problemBody(unreadable(detail), publicUrl, ''), Status: status })
    const refusal =
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `${NOSNIFF.join(': ')}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n${hsts.join('')}Connection: close\r\n\r\n${body}`
    withLock(socket, (isAnswered) => {
      socket.end(isAnswered ? '' : refusal)
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
    })
  }
}

/** What Node knows of a connection: the answer that is due on it, and the request that it reads or read last. */
interface Inside extends Socket {
  _httpMessage?: ServerResponse | null
  parser?: { incoming?: IncomingMessage | null } | null
}

/**
 * Once what was asked before it on the connection is answered. Where the answer that is due is to a request that has not
 * come whole, this is what it is told: nothing else will ever be. Where that one was answered before it came whole, there
 * is nothing more to say: whoever reuses the connection would take a second answer for that to the next request.
 */
function withLock(socket: Inside, end: (isAnswered: boolean) => void): void {
  const due = socket._httpMessage
  if (due && (due.req.complete || due.headersSent)) due.once('finish', () => withLock(socket, end))
  else if (socket.writable) end(!due && socket.parser?.incoming?.complete === false)
}

/** An `Expect` other than 100-continue (RFC 9110, 10.1.1). */
export function refuseExpectation(publicUrl: string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const problem = unreadable('Solo se admite Expect: 100-continue.')
    const instance = request.url?.split('?', 1)[0] ?? ''
    const body = JSON.stringify({ ...problemBody(problem, publicUrl, instance), Status: 417 })
    response.writeHead(417, {
      'content-type': PROBLEM_TYPE,
      'content-length': Buffer.byteLength(body),
      'x-request-id': randomUUID(),
      [NOSNIFF[0]]: NOSNIFF[1],
      connection: 'close',
      ...hstsOf(publicUrl),
    })
    response.end(body)
  }
}

const unreadable = (detail: string): Problem => new Problem('solicitud-invalida', detail, { errors: { _: [detail] } })
