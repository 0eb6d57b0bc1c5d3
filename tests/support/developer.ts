import type { Account } from '../../src/accounts/account.ts'
import { type MemberRol, setMember } from '../../src/accounts/members.ts'
import type { TestApp, TestServer } from './server.ts'
import { makeAccount, type Visitor, visitor } from './visitor.ts'

let made = 0

interface DeveloperOptions {
  email?: string
  nombre?: string
  apellido?: string
  rol?: MemberRol
}

/** Somebody who works on an app, and their browser, signed in. A developer of a further app: `setMember`. */
export interface MadeDeveloper {
  account: Account
  email: string
  visitor: Visitor
}

/** Somebody of an app's team. Their account is of production, whatever the app's mode is. */
export async function makeDeveloper(
  server: Pick<TestServer, 'store' | 'url'>,
  { app }: Pick<TestApp, 'app'>,
  { email = `dev${++made}@partner.test`, nombre = 'Dana', apellido = 'Soto', rol = 'titular' }: DeveloperOptions = {},
): Promise<MadeDeveloper> {
  const account = await makeAccount(server, { email, nombre, apellido })
  await setMember(server.store, app.id, account.id, rol)
  return { account, email, visitor: await visitor(server).enter(email) }
}
