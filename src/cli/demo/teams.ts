import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import { setMember } from '../../accounts/members.ts'
import { hashPassword } from '../../accounts/password.ts'
import { addStaff } from '../../accounts/staff.ts'
import { createAccount } from '../../accounts/store.ts'
import { saveCall } from '../../apps/saved-calls.ts'
import { addSecret, liveSecrets } from '../../apps/secrets.ts'
import { createApp, findAppById } from '../../apps/store.ts'
import { TEST_DOMAIN } from '../../mail/email.ts'
import type { DemoPerson } from '../../sandbox/fiction/market.ts'
import { createSitio, revokeSitio } from '../../sitios/store.ts'
import type { Db, Store } from '../../store/db.ts'
import type { Opened } from '../../store/open.ts'
import type { Seal } from '../../store/sealed.ts'
import { type DemoRecord, lockDemo, saveDemo } from './record.ts'

/** What people and programs sign in with. */
export interface Access {
  appKey: string
  secret: string
  sitioKey: string
  staff: string
  developer: string
  agencias: string[]
  password: string
}

export const MARK = '(demo)'
const SITE = { nombre: `Mercado ${MARK}`, modo: 'produccion' } as const
const STAFF = { email: `personal@${TEST_DOMAIN}`, nombre: 'Camila', apellido: 'Ríos' }
const DEVELOPER = { email: `dev@gestion-automotor.${TEST_DOMAIN}`, nombre: 'Tomás', apellido: 'Luna' }
const COLLEAGUE = { email: `julieta@gestion-automotor.${TEST_DOMAIN}`, nombre: 'Julieta', apellido: 'Soria' }
const PASSWORD_BYTES = 12

export type Teams = Awaited<ReturnType<typeof createTeams>>

/** Two apps, the site and the staff. `other` is the app of a second partner. */
export async function createTeams(tx: Store, seal: Seal, since: Date) {
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  const newAccount = (person: DemoPerson) => account(tx, person, passwordHash)

  const { app: other } = await createApp(tx, seal, { nombre: `CRM Motor Norte ${MARK}`, modo: 'produccion' })
  // Last: without an AppKey, commands take the newest app.
  const { app, secret } = await createApp(tx, seal, {
    nombre: `Gestión Automotor ${MARK}`,
    modo: 'produccion',
    contacto: DEVELOPER.email,
  })
  const { sitio, sitioKey } = await createSitio(tx, SITE)
  const staff = await newAccount(STAFF) // sets up the second factor at the first sign-in
  await addStaff(tx, staff.id)
  const developer = await newAccount(DEVELOPER)
  await setMember(tx, app.id, developer.id, 'titular')
  const colleague = await newAccount(COLLEAGUE)
  await setMember(tx, app.id, colleague.id, 'desarrollador')
  await dateTeams(tx, { apps: [app.id, other.id], staff, sitio }, since)
  for (const call of SAVED_CALLS) await saveCall(tx, app.id, { ...call, cuerpo: '', accept: '', etag: '' })
  const access = { ...accessOf(password, sitioKey), appKey: app.appKey, secret }
  return { app, other, sitio, staff, developer, colleague, newAccount, access }
}

const accessOf = (password: string, sitioKey: string) => ({
  password,
  sitioKey,
  staff: STAFF.email,
  developer: DEVELOPER.email,
})

/** For data that is there already: a new password and SitioKey, because the former ones cannot be shown. */
export const renewAccess = ({ store, seal }: Opened, demo: DemoRecord): Promise<Access> =>
  store.transaction(async (tx) => {
    await lockDemo(tx)
    const password = newPassword()
    await tx.query(sql`
      update accounts set password_hash = ${await hashPassword(password)} where id = any (${demo.accounts}::int[])`)
    for (const id of demo.sitios) await revokeSitio(tx, id)
    const { sitio, sitioKey } = await createSitio(tx, SITE)
    await saveDemo(tx, { ...demo, sitios: [...demo.sitios, sitio.id] })
    const app = await findAppById(tx, demo.apps[0] ?? 0)
    if (!app) throw new Error('The app of the demo was removed. Remove the rest with `rodado demo --borrar`.')
    const [newest] = await liveSecrets(tx, seal, app.id)
    const agencias = await tx.query<{ mail: string }>(sql`
      select admin_mail as mail from agencias where id = any (${demo.agencias}::int[]) order by id`)
    return {
      appKey: app.appKey,
      secret: newest?.secret ?? (await addSecret(tx, seal, app.id)),
      ...accessOf(password, sitioKey),
      agencias: agencias.map(({ mail }) => mail),
    }
  })

const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url')

async function account(tx: Db, person: DemoPerson, passwordHash: string): Promise<Account> {
  const created = await createAccount(tx, { ...person, modo: 'produccion', passwordHash })
  if (!created) throw new Error(`${person.email} is there twice.`)
  return created
}

const SAVED_CALLS = [
  { nombre: 'Buscar un Cronos en el catálogo', metodo: 'GET', ruta: '/v3/modelos/bestmatch?make=Fiat&model=Cronos' },
  { nombre: 'Últimos eventos', metodo: 'GET', ruta: '/v3/eventos' },
]

/** The apps with their keys and people, the staff and the site are there since then; the keys are in use. */
async function dateTeams(
  tx: Db,
  { apps, staff, sitio }: { apps: number[]; staff: Account; sitio: { id: number } },
  since: Date,
): Promise<void> {
  await tx.query(sql`update apps set created_at = ${since} where id = any (${apps}::int[])`)
  await tx.query(sql`update app_members set created_at = ${since} where app_id = any (${apps}::int[])`)
  await tx.query(sql`update staff set created_at = ${since} where account_id = ${staff.id}`)
  await tx.query(sql`update sitios set created_at = ${since} where id = ${sitio.id}`)
  await tx.query(sql`
    with secrets as (
      update app_secrets set created_at = ${since}, nombre = 'Servidor' where app_id = any (${apps}::int[]) returning id)
    insert into app_secret_uses (secret_id, used_at) select id, date_trunc('minute', now()) from secrets`)
}
