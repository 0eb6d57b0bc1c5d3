import { hmacKey, toBase64, utf8 } from './bytes.ts'

/** The signer; `prefix` is the server's SIGNATURE_PREFIX. */
export interface Signer {
  appKey: string
  appSecret: string
  prefix: string
}

export interface Signable {
  method: string
  /** Path and query exactly as sent. */
  target: string
  body: string | Uint8Array<ArrayBuffer> | undefined
}

/** Makes two requests of the same second different: a signature is valid once. */
export interface Moment {
  date: Date
  nonce: string
}

/** Creates the headers that sign a request sent by other means than the client. The key is imported once, on first use. */
export function createSigner({ appKey, appSecret, prefix }: Signer) {
  let key: Promise<CryptoKey> | undefined
  const [dateHeader, nonceHeader] = [`x-${prefix.toLowerCase()}-date`, `x-${prefix.toLowerCase()}-nonce`]

  return async ({ method, target, body }: Signable, { date, nonce }: Moment): Promise<Record<string, string>> => {
    const headers: Record<string, string> = { [dateHeader]: date.toUTCString(), [nonceHeader]: nonce }
    if (body !== undefined) {
      const bytes = typeof body === 'string' ? utf8(body) : body
      headers.digest = `sha-256=${toBase64(await crypto.subtle.digest('SHA-256', bytes))}`
    }
    const text = textToSign(method, target, headers)
    const signature = toBase64(await crypto.subtle.sign('HMAC', await (key ??= hmacKey(utf8(appSecret))), utf8(text)))
    return { ...headers, authorization: `${prefix}-HMAC ${appKey}:${signature}` }
  }
}

/** One line each: method, digest, date (empty, since it is in our own header), our headers by name, target. */
function textToSign(method: string, target: string, { digest = '', ...own }: Record<string, string>): string {
  const lines = Object.keys(own)
    .sort()
    .map((name) => `${name}:${own[name]}`)
  return [method, digest, '', ...lines, target].join('\n')
}
