import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { sign, signatureNames, textToSign } from '../src/auth/signature.ts'
import type { FuzzRequest } from './requests.ts'

/** The credentials of an app and of a site. */
export interface Keys {
  appKey: string
  secret: string
  token: string
  sitioKey: string
}

/** A request as sent. */
export interface Sent {
  method: string
  target: string
  headers: [string, string][]
  body: Buffer | undefined
  bytes: Buffer
  /** Nothing follows, although the headers announce more. */
  last: boolean
}

const NAMES = signatureNames('SVC')
const secrets = new Map<string, KeyObject>()
let nonce = 0

/** Signs and serializes a request; `fill` replaces the placeholders. */
export function prepare(request: FuzzRequest, keys: Keys, fill: (text: string) => string): Sent {
  const { method, credential, framing } = request
  const target = Buffer.from(fill(request.target), 'utf8').toString('latin1')
  const body = request.body && corrupted(Buffer.from(fill(request.body.text), 'utf8'), request.body.corruption)
  const headers: [string, string][] = [['Host', 'rodado.test']]
  if (request.body?.type !== undefined) headers.push(['Content-Type', request.body.type])
  if (!/^(http:\/\/[^/]*)?\/\/?v3/i.test(target)) headers.push(...siteCredential(request, keys))
  else if (credential === 'token') headers.push(['Authorization', `Bearer ${keys.token}`])
  else if (credential === 'babble')
    headers.push([
      'Authorization',
      fill(request.target)
        .slice(0, 40)
        .replace(/[^ -~]/g, ''),
    ])
  else if (credential !== 'none') headers.push(...signed(request, target, body, keys))
  headers.push(...request.headers)
  const { head, payload } = framed(framing, body)
  headers.push(...head)
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const whole = Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1'), payload])
  const bytes = framing === 'cut' ? whole.subarray(0, whole.length >> 1) : whole
  return {
    method,
    target,
    headers,
    body,
    bytes,
    last: framing === 'cut' || (framing === 'short' && body !== undefined),
  }
}

function siteCredential({ credential }: FuzzRequest, { sitioKey }: Keys): [string, string][] {
  if (credential === 'none') return []
  return [['Authorization', credential === 'forged' ? 'Bearer sitio_no' : `Bearer ${sitioKey}`]]
}

function signed(
  request: FuzzRequest,
  target: string,
  body: Buffer | undefined,
  { appKey, secret }: Keys,
): [string, string][] {
  const { method, credential } = request
  const date = new Date(Date.now() - (credential === 'stale' ? 3_600_000 : 0)).toUTCString()
  const digested = credential === 'other-digest' ? Buffer.from('otro') : body
  const own: [string, string][] = [
    ['Date', date],
    ['X-SVC-Nonce', credential === 'twice' ? 'la misma' : String(++nonce)],
    ...(digested
      ? [['Digest', `sha-256=${createHash('sha256').update(digested).digest('base64')}`] as [string, string]]
      : []),
  ]
  const headers = Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value]))
  const key = secrets.get(secret) ?? createSecretKey(secret, 'utf8')
  secrets.set(secret, key)
  const proof = sign(key, textToSign({ method, target: originOf(target), headers }, NAMES)).toString('base64')
  const shown = credential === 'forged' ? proof.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) : proof
  return [...own, ['Authorization', `SVC-HMAC ${appKey}:${shown}`]]
}

/** The path of an absolute URL. */
const originOf = (target: string) => target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'

function corrupted(bytes: Buffer, corruption: { at: number; byte: number } | undefined): Buffer {
  if (corruption && bytes.length > 0) bytes[corruption.at % bytes.length] = corruption.byte
  return bytes
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** The headers that say where a body ends, and bytes that may contradict them. */
function framed(
  framing: FuzzRequest['framing'],
  body: Buffer | undefined,
): { head: [string, string][]; payload: Buffer } {
  if (body === undefined) return { head: [], payload: Buffer.alloc(0) }
  const half = body.length >> 1
  const pieces = [body.subarray(0, half), body.subarray(half)].filter((each) => each.length > 0).map(chunk)
  const chunked = Buffer.concat([...pieces, LAST_CHUNK])
  const length: [string, string] = ['Content-Length', String(body.length)]
  const transfer: [string, string] = ['Transfer-Encoding', 'chunked']
  if (framing === 'chunked') return { head: [transfer], payload: chunked }
  if (framing === 'both') return { head: [length, transfer], payload: chunked }
  if (framing === 'bad-chunk') return { head: [transfer], payload: Buffer.concat([Buffer.from('zz\r\n'), body]) }
  if (framing === 'two-lengths') return { head: [length, ['Content-Length', String(body.length + 1)]], payload: body }
  if (framing === 'short') return { head: [['Content-Length', String(body.length + 7)]], payload: body }
  return { head: [length], payload: body }
}

/** A request as a curl command, with its original signature. Binary bytes come from printf. */
export function asCurl({ method, target, headers, body }: Sent, url: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const shown = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const data =
    body &&
    `--data-binary @<(printf ${quoted([...body].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''))})`
  return ['curl -i --path-as-is', `-X ${method}`, ...shown, ...(data ? [data] : []), quoted(`${url}${target}`)].join(
    ' ',
  )
}
