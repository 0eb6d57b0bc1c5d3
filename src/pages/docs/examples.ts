import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`./examples/${name}`, import.meta.url), 'utf8')
const FIRMAR = read('firmar.mjs')

/** The script that receives what we send and makes sure that it is ours. */
export const receivingScript = read('recibir.mjs').trimEnd()

/** The script that signs, with this installation's names in it. It is a file of its own, so that a test can run it. */
export const signingScript = (publicUrl: string, prefix: string): string =>
  FIRMAR.replaceAll('http://127.0.0.1:3000', publicUrl)
    .replaceAll('x-svc-', `x-${prefix.toLowerCase()}-`)
    .replaceAll('X-SVC-', `X-${prefix}-`)
    .replaceAll('SVC-HMAC', `${prefix}-HMAC`)
    .trimEnd()

/** A token, and a call with it. */
export const tokenScript = (publicUrl: string): string => `TOKEN=$(curl -s '${publicUrl}/oauth/token' \\
  -u "$APP_KEY:$APP_SECRET" \\
  -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl '${publicUrl}/v3/colores' \\
  -H "Authorization: Bearer $TOKEN"`
