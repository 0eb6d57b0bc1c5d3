import { TOTP } from 'otpauth'
import type { BrowserContextOptions, Cookie } from 'playwright-core'
import sql from 'sql-template-tag'
import type { Account } from '../../src/accounts/account.ts'
import { offerSetup, setUp } from '../../src/accounts/second-factor.ts'
import { addStaff, type StaffRol } from '../../src/accounts/staff.ts'
import { SESSION_COOKIE } from '../../src/auth/session.ts'
import type { TestServer } from './server.ts'
import { makeAccount, PASSWORD, type Visitor, visitor } from './visitor.ts'

let made = 0

interface StaffOptions {
  email?: string
  nombre?: string
  apellido?: string
  rol?: StaffRol
}

/** A member of staff with password and second factor. */
export interface MadeStaff {
  account: Account
  email: string
  /** The current code of the second factor. */
  code(at?: Date): string
  recoveryCodes: string[]
  /** The secret of the second factor. */
  totp: string
  /** Their browser, signed in with both factors. */
  visitor: Visitor
}

type Deps = Pick<TestServer, 'store' | 'seal' | 'url'>

export async function makeStaff(
  server: Deps,
  { email = `personal${++made}@rodado.test`, nombre = 'Sol', apellido = 'Vega', rol = 'personal' }: StaffOptions = {},
): Promise<MadeStaff> {
  const account = await makeAccount(server, { email, nombre, apellido })
  await addStaff(server.store, account.id)
  await server.store.query(sql`update staff set rol = ${rol} where account_id = ${account.id}`)
  const offered = { ...account, session: 'the telephone is set up before anyone signs in' }
  const { secret } = offerSetup(server.seal, offered)
  const telephone = new TOTP({ secret, digits: 6, period: 30, algorithm: 'SHA1' })
  const code = (at = new Date()) => telephone.generate({ timestamp: at.getTime() })
  const recoveryCodes = await setUp(server.store, server.seal, offered, code(), new Date())
  if (!recoveryCodes) throw new Error('The second factor was not set up.')
  const staff = {
    account: { ...account, version: account.version + 1, staff: true },
    email,
    code,
    recoveryCodes,
    totp: secret,
  }
  return { ...staff, visitor: await enterStaff(server, staff) }
}

/** Signs staff in with both factors. */
export async function enterStaff(
  server: Deps,
  { account, email, code }: Pick<MadeStaff, 'account' | 'email' | 'code'>,
): Promise<Visitor> {
  const who = await visitor(server).enter(email, PASSWORD)
  // A code is valid once, and tests do not wait for the next one.
  await server.store.query(sql`update second_factors set totp_step = 0 where account_id = ${account.id}`)
  const { status, text } = await who.post('/entrar/codigo', { Codigo: code() })
  if (status !== 303) throw new Error(`${email} could not show the second factor: ${status} ${text}`)
  return who
}

/** The session cookie for a real browser. */
export function sessionOf(server: Pick<TestServer, 'url'>, who: Visitor): Cookie {
  const [name, value] = [SESSION_COOKIE, who.cookie().slice(SESSION_COOKIE.length + 1)]
  const domain = new URL(server.url).hostname
  return { name, value, domain, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' }
}

/** The session as options of a browser context. */
export const signedInAs = (server: Pick<TestServer, 'url'>, who: Visitor): BrowserContextOptions => ({
  baseURL: server.url,
  storageState: { cookies: [sessionOf(server, who)], origins: [] },
})
