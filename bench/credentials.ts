import { createSecretKey } from 'node:crypto'
import { sign, signatureNames, textToSign } from '../src/auth/signature.ts'
import type { Installation } from './installation.ts'

/** The headers by which a request to that target is believed; `turn` is how many were made before. */
export type Credential = (target: string, turn: number) => Record<string, string>

/**
 * Real signatures, made before the clock runs. Each turn has a date of its own, a second from the last and all of them
 * inside the server's window of 300 s for the next three minutes, so that no two signatures are alike.
 */
export const SIGNATURES = 300
const OLDEST_SECONDS = 120

export function signature({ app }: Installation, now: Date): Credential {
  const names = signatureNames('SVC')
  const key = createSecretKey(app.secret, 'utf8')
  return (target, turn) => {
    const offsetSeconds = (turn % SIGNATURES) - OLDEST_SECONDS
    const headers = { date: new Date(now.getTime() + offsetSeconds * 1000).toUTCString() }
    const proof = sign(key, textToSign({ method: 'GET', target, headers }, names)).toString('base64')
    return { ...headers, authorization: `${names.scheme} ${app.key}:${proof}` }
  }
}

/** One token for all requests, as a partner uses it for an hour. */
export async function bearer({ app }: Installation, port: number): Promise<Credential> {
  const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${app.key}:${app.secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`)
  const { access_token } = (await response.json()) as { access_token: string }
  return () => ({ authorization: `Bearer ${access_token}` })
}
