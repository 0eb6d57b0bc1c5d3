import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { PROBLEM_TYPE, Problem, problemBody } from './problems.ts'

/** What Node's parser gives up on, by its code; anything else is a request that cannot be read. */
const REFUSALS: Record<string, { status: number; detail: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'Los encabezados son demasiado grandes.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'La solicitud no llegó completa a tiempo.' },
}
const UNREADABLE = { status: 400, detail: 'La solicitud no se puede leer como HTTP/1.1.' }

/** Answers in the house's shape what never becomes a request, because Node refuses it before any route or hook. */
export function refuseUnreadable(publicUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const { status, detail } = REFUSALS[error.code ?? ''] ?? UNREADABLE
    const body = JSON.stringify({ ...problemBody(unreadable(detail), publicUrl, ''), Status: status })
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\nX-Request-Id: ${randomUUID()}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
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
      connection: 'close',
    })
    response.end(body)
  }
}

const unreadable = (detail: string): Problem => new Problem('solicitud-invalida', detail, { errors: { _: [detail] } })
