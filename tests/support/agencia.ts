import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Account } from '../../src/accounts/account.ts'
import type { App } from '../../src/apps/app.ts'
import { type Contents, openContents } from '../../src/mail/email.ts'
import type { Agencia } from '../../src/resources/agencias/agencia.ts'
import type { AgenciasDeps } from '../../src/resources/agencias/context.ts'
import { invite } from '../../src/resources/agencias/invite.ts'
import { type RegistrationForm, register } from '../../src/resources/agencias/register.ts'
import type { AgenciaCreate } from '../../src/resources/agencias/schema.ts'
import { matcherOf } from './catalogue.ts'
import type { TestServer } from './server.ts'

/** A valid registration form, to be changed by tests. */
export const FORM: RegistrationForm = {
  Nombre: 'Automotores del Sur',
  AdminNombre: 'Ana',
  AdminApellido: 'Paz',
  Telefono: '011 4555-1234',
  Region: 'Buenos Aires',
  Ciudad: 'Temperley',
  Clave: 'una frase larga',
}

let made = 0

/** The dependencies of the use cases, taken from the test server. */
export function depsOf({ store, seal, config }: Pick<TestServer, 'store' | 'seal' | 'config'>): AgenciasDeps {
  return { store, seal, matcher: matcherOf(config), clock: () => new Date(), config }
}

/** An address that no other test of this process uses. */
export const newMail = (name = 'ana'): string => `${name}${++made}@agencia.test`

/** The decrypted emails to an address, oldest first. */
export async function emailsTo(
  { store, seal }: Pick<AgenciasDeps, 'store' | 'seal'>,
  email: string,
): Promise<(Contents & { kind: string })[]> {
  const rows = await store.query<{ kind: string; sealed: Buffer }>(
    sql`select kind, sealed from mails where to_address = ${email} and sealed is not null order by id`,
  )
  return rows.map(({ kind, sealed }) => ({ kind, ...openContents(seal, sealed) }))
}

/** Invites an agency and returns the token from the email. */
export async function invitedToken(deps: AgenciasDeps, app: App, body: AgenciaCreate): Promise<string> {
  const email = await invite(deps, app, body)
  const text = (await emailsTo(deps, email)).at(-1)?.text ?? ''
  return /\/registro\/([\w-]{43})/.exec(text)?.[1] ?? ''
}

/** An agency that registered by an invitation of this app. */
export async function makeAgencia(
  deps: AgenciasDeps,
  app: App,
  { mail = newMail(), ...form }: RegistrationForm & { mail?: string } = {},
): Promise<{ mail: string; account: Account; agencia: Agencia }> {
  const token = await invitedToken(deps, app, { AdminMail: mail })
  const registered = await register(deps, token, { ...FORM, ...form })
  assert.ok(registered.kind === 'registered', JSON.stringify(registered))
  return { mail, account: registered.account, agencia: registered.agencia }
}

/** The events about an agency for an app, oldest first. */
export async function eventsOf({ store }: Pick<AgenciasDeps, 'store'>, app: App, agenciaId: number) {
  const rows = await store.query<{ payload: string }>(
    sql`select payload from events where app_id = ${app.id} and agencia_id = ${agenciaId} order by position`,
  )
  return rows.map(({ payload }) => JSON.parse(payload))
}
