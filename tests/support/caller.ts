import { createHash, createSecretKey } from 'node:crypto'
import { type Agent, request as httpRequest } from 'node:http'
import { sign, signatureNames, textToSign } from '../../src/auth/signature.ts'
import { noteCodes } from './seen-codes.ts'

/** A response as received: header names in lower case, the body as bytes. */
export interface Answer {
  status: number
  headers: Record<string, string>
  bytes: Buffer
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any JSON
  json: any
}

export interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Keeps connections open; by default each request has its own. */
  agent?: Agent
}

export interface Caller {
  /** A request signed as in docs/decisions/api.md, with these headers. */
  call(method: string, path: string, options?: Omit<Sent, 'method'>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** The headers of a signed request, for tests that change one. */
  signed(method: string, path: string, options?: Omit<Sent, 'method'>): Record<string, string>
}

interface Signing {
  prefix?: string
  clock?: () => Date
}

let nonce = 0

/** Sends signed requests as an app. */
export function callerFor(
  url: string,
  appKey: string,
  secret: string,
  { prefix = 'SVC', clock = () => new Date() }: Signing = {},
): Caller {
  const names = signatureNames(prefix)
  const key = createSecretKey(secret, 'utf8')

  function signed(
    method: string,
    path: string,
    { headers: given = {}, body }: Omit<Sent, 'method'> = {},
  ): Record<string, string> {
    const headers: Record<string, string> = { date: clock().toUTCString() }
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      headers.digest = `sha-256=${createHash('sha256').update(body).digest('base64')}`
    }
    if (method !== 'GET' && method !== 'HEAD') headers[`${names.headerPrefix}nonce`] = String(++nonce)
    for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value
    const text = textToSign({ method, target: path, headers }, names)
    return { authorization: `${names.scheme} ${appKey}:${sign(key, text).toString('base64')}`, ...headers }
  }

  const call: Caller['call'] = (method, path, options = {}) =>
    send(url, path, {
      method,
      headers: signed(method, path, options),
      ...(options.body !== undefined && { body: options.body }),
    })
  return { call, signed, get: (path, headers = {}) => call('GET', path, { headers }) }
}

/** Sends one request exactly as given: no header is added. */
export function send(url: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, agent = false } = sent
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: hostname, port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        noteCodes(text)
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          bytes,
          text,
          get json() {
            return JSON.parse(text)
          },
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}
