import { toBase64, utf8 } from './bytes.ts'
import { problemOf, RodadoError, readText } from './problems.ts'

/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000

interface TokenDeps {
  baseUrl: string
  appKey: string
  appSecret: string
  fetch: typeof fetch
  now: () => number
  timeoutMs: number
}

/** Requests a token when there is no valid one; concurrent calls share the request. */
export function createTokens({ baseUrl, appKey, appSecret, fetch, now, timeoutMs }: TokenDeps) {
  let current: Promise<{ token: string; until: number }> | undefined

  async function ask() {
    const response = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${toBase64(utf8(`${appKey}:${appSecret}`).buffer)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw await problemOf(response)
    const { access_token, expires_in } = parseToken(await readText(response))
    if (typeof access_token !== 'string' || typeof expires_in !== 'number')
      throw new RodadoError(`${baseUrl}/oauth/token answers no token: check the server's address.`)
    return { token: access_token, until: now() + expires_in * 1000 - MARGIN_MS }
  }

  /** A failed request is forgotten, so that the next call sends another. */
  function renew() {
    const pending = ask()
    current = pending
    pending.catch(() => {
      if (current === pending) current = undefined
    })
    return pending
  }

  return {
    async get(): Promise<string> {
      const pending = current ?? renew()
      const { token, until } = await pending
      if (now() < until) return token
      const newer = current === pending ? undefined : current
      return (await (newer ?? renew())).token
    },
    /** The server refused it: its secret or the keys were revoked. */
    forget(): void {
      current = undefined
    },
  }
}

/** Empty if a website answers instead of the server. */
function parseToken(text: string): { access_token?: unknown; expires_in?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
