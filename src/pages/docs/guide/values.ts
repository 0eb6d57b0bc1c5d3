import { createSecretKey, hash } from 'node:crypto'
import { sign, signatureNames, textToSign } from '../../../auth/signature.ts'
import { fault, invalid, problemBody } from '../../../http/problems.ts'
import { currentLocale } from '../../../i18n/locale.ts'
import { t } from '../../../i18n/messages.tsx'
import { TEST_DOMAIN } from '../../../mail/email.ts'
import { keyOf, signatures } from '../../../webhooks/headers.ts'
import type { Names } from '../examples.ts'

export function textValues({ signaturePrefix }: Names) {
  const [proofWithoutBody = '', proofWithBody = ''] = signingProofs(signaturePrefix)
  return {
    signaturePrefix,
    testDomain: TEST_DOMAIN,
    proofKey: PROOF_KEY,
    proofSecret: PROOF_SECRET,
    signedText: signedText(signaturePrefix),
    proofWithoutBody,
    proofWithBody,
    deliveryProof: deliveryProof(),
  }
}

const PROBLEM = invalid({ Telefono: [fault('muy-corto', 'Debe tener al menos 8 caracteres.')] })

export const sampleProblem = ({ publicUrl }: Names) =>
  problemBody(PROBLEM, publicUrl, '/v3/agencias', { locale: currentLocale() })

/** Invalid credentials, for readers to compare their signature with ours. */
const PROOF_KEY = '00112233445566778899aabbccddeeff'
const PROOF_SECRET = 'ffeeddccbbaa99887766554433221100'

const BODY = '{"Callback":"https://example.test/hook","Activo":true}'

/** Sample requests signed by our own code: one without and one with a body show every line of the signed text. */
function samples(prefix: string) {
  const own = `X-${prefix}-`
  return [
    { method: 'GET', target: '/v3/marcas?q=fer', headers: { Date: 'Tue, 04 Mar 2025 12:00:00 GMT' } },
    {
      method: 'POST',
      target: '/v3/appnotificaciones/agencia.registrada',
      headers: {
        Digest: `sha-256=${hash('sha256', BODY, 'base64')}`,
        [`${own}Date`]: 'Tue, 04 Mar 2025 12:00:01 GMT',
        [`${own}Nonce`]: '7f3a',
      },
      body: BODY,
    },
  ].map((request) => {
    const lower = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])
    return { ...request, text: textToSign({ ...request, headers: Object.fromEntries(lower) }, signatureNames(prefix)) }
  })
}

const signingProofs = (prefix: string): string[] =>
  samples(prefix).map(({ headers, body, text }) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const signature = sign(createSecretKey(PROOF_SECRET, 'utf8'), text).toString('base64')
    return [...lines, ...(body ? ['', body] : []), '', `firma  ${signature}`].join('\n')
  })

const notes = () => [
  t('docs.signed.method'),
  t('docs.signed.digest'),
  t('docs.signed.date'),
  t('docs.signed.headers'),
  '',
  t('docs.signed.path'),
]

/** Each note follows its line: in a column of their own they are beyond the width of the sample. */
const signedText = (prefix: string): string =>
  (samples(prefix)[1]?.text ?? '')
    .split('\n')
    .map((line, at) => (notes()[at] ? `${line}  ← ${notes()[at]}` : line))
    .join('\n')

/** A sample delivery signed by our own code. */
function deliveryProof(): string {
  const secret = '96d0300081d644d3bdceae8fbfc77955'
  const id = '01JNG3Y4Z5A6B7C8D9E0F1G2H3'
  const timestamp = '1741089600'
  const topic = 'consulta.recibida'
  const body = `{"Id":"${id}"}`
  const [, ofMessage = '', , ofNotification = ''] = signatures([keyOf(secret)], {
    id,
    timestamp,
    topic,
    body: Buffer.from(body),
  })
  return [
    `Secret: ${secret}`,
    '',
    `webhook-id: ${id}`,
    `webhook-timestamp: ${timestamp}`,
    `Notification-Topic: ${topic}`,
    '',
    body,
    '',
    `webhook-signature: ${ofMessage}`,
    `Notification-Signature: ${ofNotification}`,
  ].join('\n')
}
