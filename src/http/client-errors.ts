import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { message } from '../i18n/messages.tsx'
import { sendEarlyProblem } from './early-problem.ts'
import { type Detail, type Fault, fault, Problem } from './problems.ts'

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** What Node's parser gives up on, by its code; anything else is a request that cannot be read. */
const REFUSALS: Record<string, { status: number; reason: Fault }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: fault('encabezados-muy-grandes', 'Los encabezados son demasiado grandes.'),
  },
  [LATE]: { status: 408, reason: fault('tiempo-agotado', 'La solicitud no llegó completa a tiempo.') },
}
const UNREADABLE = { status: 400, reason: fault('ilegible', 'La solicitud no se puede leer como HTTP/1.1.') }

/** Closing while data still arrives would reset the connection and lose the response (RFC 9112, 9.6). */
const LINGER_MS = 2_000

/** Answers with a problem what Node's parser refuses, which reaches neither route nor hook. */
export function answerClientErrors(publicUrl: string) {
  const refused = new WeakSet<Socket>()
  return ({ code = '' }: NodeJS.ErrnoException, socket: Socket): void => {
    if (refused.has(socket) && code !== 'ECONNRESET' && code !== LATE) return // more of the same request
    if (refused.has(socket) || code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refused.add(socket)
    const { status, reason } = REFUSALS[code] ?? UNREADABLE
    endAfterResponses(socket, (isAnswered) => {
      if (isAnswered) socket.end()
      else sendEarlyProblem(socket, { problem: unreadable(reason), status, publicUrl })
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
    })
  }
}

/** Node's internals: the pending response of a connection, and the request being parsed. */
interface Inside extends Socket {
  _httpMessage?: ServerResponse | null
  parser?: { incoming?: IncomingMessage | null } | null
}

/**
 * Ends the connection after the responses to earlier requests. If the pending request is incomplete, the refusal is its
 * response. If it was already answered, nothing is sent: a client would take it for the response to its next request.
 */
function endAfterResponses(socket: Inside, end: (isAnswered: boolean) => void): void {
  const due = socket._httpMessage
  if (due && (due.req.complete || due.headersSent)) due.once('finish', () => endAfterResponses(socket, end))
  else if (socket.writable) end(!due && socket.parser?.incoming?.complete === false)
}

/** An `Expect` other than 100-continue (RFC 9110, 10.1.1). */
export function refuseExpectation(publicUrl: string) {
  const reason = fault('expect-no-admitido', 'Solo se admite Expect: 100-continue.')
  return (request: IncomingMessage, response: ServerResponse): void => {
    const problem = unreadable(reason, message('problema.expect'))
    sendEarlyProblem(response, { problem, status: 417, publicUrl, request })
  }
}

const unreadable = (reason: Fault, detail: Detail = reason.text): Problem =>
  new Problem('solicitud-invalida', detail, { faults: { _: [reason] }, headers: { connection: 'close' } })
