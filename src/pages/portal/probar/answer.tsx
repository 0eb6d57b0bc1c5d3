import { withQuery } from '../../../http/links.ts'
import { CopyCode } from '../../copy.tsx'
import { signedCurl } from '../../docs/curl.ts'
import { inFigures } from '../../figures.ts'
import { Code, Json, Status } from '../../parts.tsx'
import type { CallAnswer, SignedCall } from './call.ts'

interface AnswerProps {
  answer: CallAnswer
  /** The page that tries things. */
  at: string
}

/** What was answered: how, in how long, and what; addresses of the API in it can be followed. */
export function AnswerSection({ answer, at }: AnswerProps) {
  const { status, reason, ms, headers, body, bytes } = answer
  const value = jsonOf(answer)
  return (
    <section aria-labelledby="respuesta">
      <h2 id="respuesta">Respuesta</h2>
      <p class="facts" role="status">
        <span>
          <Status code={status} /> {reason}
        </span>
        <span>{inFigures(Math.max(1, Math.round(ms)))} ms</span>
        <span>{inFigures(bytes)} bytes</span>
      </p>
      {bytes > 0 && (
        <Code label={value === undefined && body.length < bytes ? 'El comienzo del cuerpo' : 'Cuerpo'}>
          {value === undefined ? body : <Json value={value} hrefOf={(text) => followed(text, at)} />}
        </Code>
      )}
      <details>
        <summary>Encabezados de la respuesta</summary>
        <Code label="Encabezados">{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</Code>
      </details>
    </section>
  )
}

/** The answer's value, where it is all there and is JSON. */
function jsonOf({ headers, body, bytes }: CallAnswer): unknown {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  if (!/json/.test(type) || Buffer.byteLength(body) !== bytes) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** An address of the API is tried at once; one with places to fill in waits in the form. */
function followed(text: string, at: string): string | undefined {
  if (!/^\/v3(\/|\?|$)/.test(text)) return undefined
  return withQuery(at, { ruta: text, ...(text.includes('{') && { preparar: 'si' }) })
}

interface RequestProps {
  call: SignedCall
  publicUrl: string
  scheme: string
}

/** What was sent, what was signed, and the same for a shell. */
export const RequestSection = ({ call, publicUrl, scheme }: RequestProps) => (
  <section aria-labelledby="solicitud">
    <h2 id="solicitud">Cómo se firmó</h2>
    <CopyCode id="texto-a-firmar" label="El texto que se firma, con su AppSecret" what="el texto que se firma">
      {call.text}
    </CopyCode>
    <Code label="La solicitud, como salió">
      {[
        `${call.method} ${call.target} HTTP/1.1`,
        ...Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`),
        ...(call.body === undefined ? [] : ['', call.body]),
      ].join('\n')}
    </Code>
    <CopyCode id="curl" label="La misma en una terminal, con APP_KEY y APP_SECRET" what="la orden para la terminal">
      {signedCurl(curlOf(call), publicUrl, scheme)}
    </CopyCode>
  </section>
)

const curlOf = ({ method, target, body }: SignedCall) => ({
  method: method.toLowerCase() as Lowercase<SignedCall['method']>,
  target,
  ...(body !== undefined && { body }),
})
