import type { Account } from '../../src/accounts/account.ts'
import { hashPassword } from '../../src/accounts/password.ts'
import { createAccount } from '../../src/accounts/store.ts'
import { type Answer, send } from './caller.ts'
import type { TestServer } from './server.ts'

/** The password of every test account. */
export const PASSWORD = 'una frase larga'
const hashes = new Map<string, Promise<string>>()

interface Person {
  email: string
  nombre?: string
  apellido?: string
  modo?: Account['modo']
  clave?: string
}

/** Creates an account. */
export async function makeAccount(
  { store }: Pick<TestServer, 'store'>,
  { email, nombre = 'Ana', apellido = 'Paz', modo = 'produccion', clave = PASSWORD }: Person,
): Promise<Account> {
  const hash = hashes.get(clave) ?? hashPassword(clave)
  hashes.set(clave, hash)
  const account = await createAccount(store, { modo, email, nombre, apellido, passwordHash: await hash })
  if (!account) throw new Error(`${email} has an account already.`)
  return account
}

type Fields = Record<string, string>

/** A browser without JavaScript: keeps session and device cookies, sends forms, follows no redirect. */
export interface Visitor {
  get(path: string, headers?: Fields): Promise<Answer>
  head(path: string): Promise<Answer>
  post(path: string, form?: Fields | string, headers?: Fields): Promise<Answer>
  /** Signs in, or fails. */
  enter(email: string, clave?: string): Promise<Visitor>
  /** The session cookie, for another browser. */
  cookie(): string
}

const KEPT = /(?:__Host-)?rodado_(session|device|oidc)=([^;,]*)/g

export function visitor({ url }: Pick<TestServer, 'url'>, session = ''): Visitor {
  const cookies = new Map([['session', session]])
  async function ask(method: string, path: string, headers: Fields, body?: string): Promise<Answer> {
    const cookie = [...cookies.values()].filter(Boolean).join('; ')
    const answer = await send(url, path, {
      method,
      headers: { ...(cookie && { cookie }), ...headers },
      ...(body !== undefined && { body }),
    })
    for (const [pair, name = '', value] of (answer.headers['set-cookie'] ?? '').matchAll(KEPT))
      cookies.set(name, value ? pair : '')
    return answer
  }
  const self: Visitor = {
    get: (path, headers = {}) => ask('GET', path, headers),
    head: (path) => ask('HEAD', path, {}),
    post(path, form = {}, headers = {}) {
      const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
      return ask('POST', path, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body)
    },
    async enter(email, clave = PASSWORD) {
      const { status } = await self.post('/entrar', { Email: email, Clave: clave })
      if (status !== 303) throw new Error(`${email} could not sign in: ${status}`)
      return self
    },
    cookie: () => cookies.get('session') ?? '',
  }
  return self
}
