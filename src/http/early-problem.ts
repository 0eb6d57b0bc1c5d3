import { randomUUID } from 'node:crypto'
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { negotiateLocale } from '../i18n/locale.ts'
import { baseHeaders } from './access-log.ts'
import { pathOf } from './negotiation.ts'
import { PROBLEM_TYPE, type Problem, problemBody } from './problems.ts'

interface EarlyProblem {
  problem: Problem
  publicUrl: string
  /** The status, where no kind of problem has it. */
  status?: number
  /** Unknown if Node could not parse it. */
  request?: IncomingMessage
}

/** Answers with a problem what reaches neither route nor hook of Fastify; to a socket if there is no response for it. */
export function sendEarlyProblem(
  to: ServerResponse | Socket,
  { problem, publicUrl, status = problem.status, request }: EarlyProblem,
): void {
  const instance = request ? pathOf(request.url ?? '') : ''
  const locale = negotiateLocale(request?.headers['accept-language'])
  const body = JSON.stringify(problemBody(problem, publicUrl, instance, { status, locale }))
  const headers = {
    ...baseHeaders(randomUUID()),
    ...hstsOf(publicUrl),
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    ...(request && { vary: 'Accept-Language' }),
    ...problem.headers,
  }
  if (to instanceof ServerResponse) return void to.writeHead(status, headers).end(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  to.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** `Strict-Transport-Security` (RFC 6797), if the public URL is https. */
export const hstsOf = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
