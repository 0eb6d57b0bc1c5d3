import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Signer, signRequest } from '../../../auth/sign-request.ts'
import { type Asked, WITH_BODY } from './params.ts'

/** A request as it is sent, and the text under its signature. */
export interface SignedCall {
  method: Asked['metodo']
  target: string
  headers: Record<string, string>
  body: string | undefined
  text: string
}

export interface CallAnswer {
  status: number
  reason: string
  ms: number
  headers: [name: string, value: string][]
  body: string
  /** Bytes of the whole answer; `body` may be only the beginning. */
  bytes: number
}

const MOST_SHOWN_BYTES = 200_000

/** What was asked for, signed as the app that asks. */
export function signedCall(asked: Asked, target: string, signer: Signer, now: Date): SignedCall {
  const method = asked.metodo
  const body = WITH_BODY.has(method) && asked.cuerpo !== '' ? asked.cuerpo : undefined
  const headers = {
    ...(asked.accept && { accept: asked.accept }),
    ...(asked.etag && { 'if-none-match': asked.etag }),
  }
  return { method, target, body, ...signRequest({ method, target, headers, body }, signer, now) }
}

/** Asks this very server, through everything that stands before the API: limits too. */
export async function perform(
  app: Pick<FastifyInstance, 'inject'>,
  { method, target, headers, body }: SignedCall,
  nowMs: () => number,
): Promise<CallAnswer> {
  const began = nowMs()
  const answer = await app.inject({
    method,
    url: target,
    headers: { 'user-agent': 'Rodado (portal)', ...headers },
    ...(body !== undefined && { payload: body }),
  })
  return {
    status: answer.statusCode,
    reason: STATUS_CODES[answer.statusCode] ?? '',
    ms: nowMs() - began,
    headers: Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
    body: answer.rawPayload.subarray(0, MOST_SHOWN_BYTES).toString('utf8'),
    bytes: answer.rawPayload.length,
  }
}
