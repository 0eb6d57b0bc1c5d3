import { createHash, createSecretKey, randomUUID } from 'node:crypto'
import { sign, signatureNames, textToSign } from './signature.ts'

/** Who signs. */
export interface Signer {
  appKey: string
  secret: string
  /** SIGNATURE_PREFIX. */
  prefix: string
}

/** A request that is to be signed; a body is JSON. */
export interface Unsigned {
  method: string
  /** Path and query exactly as the server gets them. */
  target: string
  headers?: Record<string, string>
  body?: string | undefined
}

/** The headers of a request as a partner sends it, and the text under its signature. */
export interface Signed {
  headers: Record<string, string>
  text: string
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Signs as decisions, "Signed request" has it. A nonce makes each change one of its own: a signature is good once. */
export function signRequest({ method, target, headers: given, body }: Unsigned, signer: Signer, now: Date): Signed {
  const names = signatureNames(signer.prefix)
  const headers: Record<string, string> = {
    ...given,
    ...(body !== undefined && {
      'content-type': 'application/json',
      digest: `sha-256=${createHash('sha256').update(body).digest('base64')}`,
    }),
    [names.dateHeader]: now.toUTCString(),
    ...(!READS.has(method) && { [`${names.headerPrefix}nonce`]: randomUUID() }),
  }
  const text = textToSign({ method, target, headers }, names)
  const signature = sign(createSecretKey(signer.secret, 'utf8'), text).toString('base64')
  return { headers: { ...headers, authorization: `${names.scheme} ${signer.appKey}:${signature}` }, text }
}
