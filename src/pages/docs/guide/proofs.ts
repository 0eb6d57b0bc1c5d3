import { createHash, createSecretKey } from 'node:crypto'
import { sign, signatureNames, textToSign } from '../../../auth/signature.ts'
import { keyOf, signatures } from '../../../webhooks/sign.ts'

/** Invalid credentials, for readers to compare their signature with ours. */
export const PROOF_KEY = '00112233445566778899aabbccddeeff'
export const PROOF_SECRET = 'ffeeddccbbaa99887766554433221100'

/** A sample request signed by our own code, so that readers can check theirs. */
export interface Proof {
  request: string
  headers: Record<string, string>
  body?: string
  text: string
  signature: string
}

const BODY = '{"Callback":"https://example.test/hook","Activo":true}'

/** One without and one with a body: together they show every line of the signed text. */
export function signingProofs(prefix: string): Proof[] {
  const own = `X-${prefix}-`
  const digest = `sha-256=${createHash('sha256').update(BODY).digest('base64')}`
  return [
    prove(prefix, 'GET', '/v3/marcas?q=fer', { Date: 'Tue, 04 Mar 2025 12:00:00 GMT' }),
    {
      ...prove(prefix, 'POST', '/v3/appnotificaciones/agencia.registrada', {
        Digest: digest,
        [`${own}Date`]: 'Tue, 04 Mar 2025 12:00:01 GMT',
        [`${own}Nonce`]: '7f3a',
      }),
      body: BODY,
    },
  ]
}

function prove(prefix: string, method: string, target: string, headers: Record<string, string>): Proof {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const text = textToSign({ method, target, headers: lower }, signatureNames(prefix))
  const signature = sign(createSecretKey(PROOF_SECRET, 'utf8'), text).toString('base64')
  return { request: `${method} ${target}`, headers, text, signature }
}

/** A sample delivery signed by our own code. */
export function deliveryProof() {
  const secret = '96d0300081d644d3bdceae8fbfc77955'
  const [id, timestamp, topic] = ['01JNG3Y4Z5A6B7C8D9E0F1G2H3', '1741089600', 'consulta.recibida']
  const body = `{"Id":"${id}"}`
  const [, ofMessage = '', , ofNotification = ''] = signatures([keyOf(secret)], {
    ...{ id, timestamp, topic },
    body: Buffer.from(body),
  })
  return { secret, id, timestamp, topic, body, ofMessage, ofNotification }
}
