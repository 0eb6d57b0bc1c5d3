import type { Account, MemberRol } from '../../src/accounts/account.ts'
import { setMember } from '../../src/accounts/members.ts'
import type { TestApp, TestServer } from './server.ts'
import { makeAccount, type Visitor, visitor } from './visitor.ts'

let made = 0

interface DeveloperOptions {
  email?: string
  nombre?: string
  apellido?: string
  rol?: MemberRol
}

/** A developer of an app and their signed-in browser. For another app use `setMember`. */
export interface MadeDeveloper {
  account: Account
  email: string
  visitor: Visitor
}

/** A member of an app's team. The account is in production mode, whatever the app's mode. */
export async function makeDeveloper(
  server: Pick<TestServer, 'store' | 'url'>,
  { app }: Pick<TestApp, 'app'>,
  { email = `dev${++made}@partner.test`, nombre = 'Dana', apellido = 'Soto', rol = 'titular' }: DeveloperOptions = {},
): Promise<MadeDeveloper> {
  const account = await makeAccount(server, { email, nombre, apellido })
  await setMember(server.store, app.id, account.id, rol)
  return { account, email, visitor: await visitor(server).enter(email) }
}
