import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { sign, signatureNames, textToSign } from '../src/auth/signature.ts'
import type { Asked } from './requests.ts'

/** Who speaks: an app with its secret and a token, a site with its key. */
export interface Keys {
  appKey: string
  secret: string
  token: string
  sitioKey: string
}

/** A request as it leaves. */
export interface Sent {
  method: string
  target: string
  headers: [string, string][]
  body: Buffer | undefined
  bytes: Buffer
  /** Nothing follows, though more was announced. */
  last: boolean
}

const NAMES = signatureNames('SVC')
const secrets = new Map<string, KeyObject>()
let nonce = 0

/** Signs and prints a request; `fill` puts the stage's things in place of their names. */
export function prepare(asked: Asked, keys: Keys, fill: (text: string) => string): Sent {
  const { method, credential, framing } = asked
  const target = Buffer.from(fill(asked.target), 'utf8').toString('latin1')
  const body = asked.body && harmed(Buffer.from(fill(asked.body.text), 'utf8'), asked.body.harm)
  const headers: [string, string][] = [['Host', 'rodado.test']]
  if (asked.body?.type !== undefined) headers.push(['Content-Type', asked.body.type])
  if (!/^(http:\/\/[^/]*)?\/\/?v3/i.test(target)) headers.push(...siteCredential(asked, keys))
  else if (credential === 'token') headers.push(['Authorization', `Bearer ${keys.token}`])
  else if (credential === 'babble')
    headers.push([
      'Authorization',
      fill(asked.target)
        .slice(0, 40)
        .replace(/[^ -~]/g, ''),
    ])
  else if (credential !== 'none') headers.push(...signed(asked, target, body, keys))
  headers.push(...asked.headers)
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

function siteCredential({ credential }: Asked, { sitioKey }: Keys): [string, string][] {
  if (credential === 'none') return []
  return [['Authorization', credential === 'forged' ? 'Bearer sitio_no' : `Bearer ${sitioKey}`]]
}

function signed(asked: Asked, target: string, body: Buffer | undefined, { appKey, secret }: Keys): [string, string][] {
  const { method, credential } = asked
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

/** A whole address means its path. */
const originOf = (target: string) => target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'

function harmed(bytes: Buffer, harm: { at: number; byte: number } | undefined): Buffer {
  if (harm && bytes.length > 0) bytes[harm.at % bytes.length] = harm.byte
  return bytes
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** The headers that say where a body ends, and the bytes that keep to it or do not. */
function framed(framing: Asked['framing'], body: Buffer | undefined): { head: [string, string][]; payload: Buffer } {
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

/** The same request for a terminal, with its signature as it was; bytes that a shell cannot hold come from printf. */
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
