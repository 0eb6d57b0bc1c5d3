import { createHash, createSecretKey, randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sign, signatureNames, textToSign } from '../../../auth/signature.ts'
import { type Asked, WITH_BODY } from './asked.ts'

export interface Signer {
  appKey: string
  secret: string
  /** SIGNATURE_PREFIX. */
  prefix: string
}

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

/** Signs as decisions, "Signed request" has it. A nonce makes each change one of its own: a signature is good once. */
export function signedCall(asked: Asked, target: string, { appKey, secret, prefix }: Signer, now: Date): SignedCall {
  const names = signatureNames(prefix)
  const method = asked.metodo
  const body = WITH_BODY.has(method) && asked.cuerpo !== '' ? asked.cuerpo : undefined
  const headers: Record<string, string> = {
    ...(asked.accept && { accept: asked.accept }),
    ...(asked.etag && { 'if-none-match': asked.etag }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      digest: `sha-256=${createHash('sha256').update(body).digest('base64')}`,
    }),
    [names.dateHeader]: now.toUTCString(),
    ...((WITH_BODY.has(method) || method === 'DELETE') && { [`${names.headerPrefix}nonce`]: randomUUID() }),
  }
  const text = textToSign({ method, target, headers }, names)
  const signature = sign(createSecretKey(secret, 'utf8'), text).toString('base64')
  return {
    method,
    target,
    headers: { ...headers, authorization: `${names.scheme} ${appKey}:${signature}` },
    body,
    text,
  }
}

/** Asks this very server, through everything that stands before the API: limits too. */
export async function perform(
  app: FastifyInstance,
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
