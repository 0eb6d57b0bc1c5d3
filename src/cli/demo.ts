import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Account } from '../accounts/account.ts'
import { setMember } from '../accounts/members.ts'
import { hashPassword } from '../accounts/password.ts'
import { addStaff } from '../accounts/staff.ts'
import { createAccount } from '../accounts/store.ts'
import type { App } from '../apps/app.ts'
import { createApp } from '../apps/store.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher } from '../catalogue/match/matcher.ts'
import { dayOf } from '../http/dates.ts'
import type { Agencia } from '../resources/agencias/agencia.ts'
import { establish } from '../resources/agencias/associations.ts'
import type { AgenciasDeps } from '../resources/agencias/context.ts'
import { setPackage } from '../resources/agencias/packages.ts'
import { findAgenciaById } from '../resources/agencias/read.ts'
import { createConsultaMonths } from '../resources/consultas/retention.ts'
import { type DemoAgencia, demoMarket, landOf, type Person } from '../sandbox/fiction/market.ts'
import { createSitio } from '../sitios/store.ts'
import type { Db } from '../store/db.ts'
import { createLogMonths } from '../webhooks/sweep.ts'
import { defineCommand, type Io } from './command.ts'
import { liven } from './demo/inquiries.ts'
import { withStore } from './with-store.ts'

const APP_NAME = 'Demo Gestión Automotor'
const DAY_MS = 86_400_000
const PASSWORD_BYTES = 12

/** Fills an empty store with sample data. */
export const run = defineCommand('', {}, async (_values, io) => {
  const created = await fill(io)
  return { json: describe(created, io), text: report(created, io) }
})

type Made = Awaited<ReturnType<typeof fill>>

async function fill({ config, err }: Io) {
  const progress = progressOn(err)
  progress('reading the catalogue')
  const now = new Date()
  const catalogue = loadCatalogue(config.country, config.catalogueDir)
  const market = demoMarket(catalogue, dayOf(now, config.timeZone))
  const matcher = createMatcher(catalogue, { publicUrl: config.publicUrl })
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')

  return withStore(config, async ({ store, seal }) => {
    const created = await store.transaction(async (tx) => {
      await refuseMarket(tx)
      const deps: AgenciasDeps = { store, seal, matcher, clock: () => now, config }
      const within = { ...store, query: tx.query, transaction: <T>(work: (tx: Db) => Promise<T>) => work(tx) }
      const app = await createApp(within, seal, { nombre: APP_NAME, modo: 'produccion' })
      const { sitioKey } = await createSitio(tx, { nombre: 'Demo Mercado', modo: 'produccion' })
      const passwordHash = await hashPassword(password)
      const staff = await account(tx, STAFF, passwordHash) // sets up the second factor at the first sign-in
      await addStaff(tx, staff.id)
      const developer = await account(tx, DEVELOPER, passwordHash)
      await setMember(tx, app.app.id, developer.id, 'titular')
      const agencias: Agencia[] = []
      for (const [at, agencia] of market.entries()) {
        progress(`agency ${at + 1} of ${market.length}: ${agencia.data.nombre}`)
        agencias.push(await settle(tx, deps, app.app, agencia, passwordHash))
      }
      const trade = { app: app.app, agencias, market, now, land: landOf(catalogue.country) }
      const { avisos, consultas } = await liven(tx, deps, trade, progress)
      progress()
      const mails = agencias.map(({ adminMail }) => adminMail)
      return {
        ...app,
        staff: STAFF.email,
        developer: DEVELOPER.email,
        sitioKey,
        password,
        avisos,
        consultas,
        agencias: mails,
      }
    })
    // A running server may be reading: it then creates the monthly tables itself, within the hour.
    await createConsultaMonths(store, now).catch(() => [])
    await createLogMonths(store, now).catch(() => [])
    return created
  })
}

/** Refuses a store with real agencies. Apps, staff and sandbox agencies do not count. */
async function refuseMarket(tx: Db): Promise<void> {
  await tx.query(sql`lock table agencias in share row exclusive mode`) // two demos at once
  const [found] = await tx.query<{ agencias: number; demo: boolean }>(sql`
    select count(*) as agencias, exists (select from apps where nombre = ${APP_NAME}) as demo
    from agencias where modo = 'produccion'`)
  if (!found?.agencias) return
  throw new Error(
    `${found.demo ? 'the demo data is already in this database' : `this database already has ${found.agencias} agencies`}. ` +
      'Start the server and the demo with another DATA_DIR or DATABASE_URL.',
  )
}

/** An agency with its people and package, registered some weeks ago. */
async function settle(tx: Db, deps: AgenciasDeps, app: App, made: DemoAgencia, passwordHash: string): Promise<Agencia> {
  const then = new Date(deps.clock().getTime() - made.since * DAY_MS)
  const past = { ...deps, clock: () => then }
  const agencia = await establish(tx, past, app, await account(tx, made.administrador, passwordHash), made.data)
  if (!agencia) throw new Error(`${made.data.nombre} is there twice.`)
  for (const person of made.vendedores) {
    const { id } = await account(tx, person, passwordHash)
    await tx.query(sql`insert into operadores (agencia_id, account_id, rol) values (${agencia.id}, ${id}, 'vendedor')`)
  }
  if (made.paquete) await setPackage(tx, agencia.id, made.paquete)
  await tx.query(sql`update agencias set created_at = ${then}, updated_at = ${then} where id = ${agencia.id}`)
  await tx.query(sql`
    update asociaciones set created_at = ${then}, consultas_de_catalogo = ${made.paquete?.consultasDeCatalogo ?? false}
    where agencia_id = ${agencia.id}`)
  await tx.query(sql`update events set created_at = ${then} where agencia_id = ${agencia.id}`)
  return (await findAgenciaById(tx, agencia.id)) ?? agencia
}

/** A progress line, on a terminal only. */
function progressOn(err: NodeJS.WritableStream): (text?: string) => void {
  if (!(err as NodeJS.WriteStream).isTTY) return () => undefined
  return (text) => void err.write(text ? `\r\x1b[K  ${text} …` : '\r\x1b[K')
}

const describe = ({ app, secret, sitioKey, agencias, staff, developer, password }: Made, { config }: Io) => ({
  AppKey: app.appKey,
  AppSecret: secret,
  SitioKey: sitioKey,
  Agencias: agencias,
  Console: { url: `${config.publicUrl}/consola`, email: staff, password },
  Portal: { url: `${config.publicUrl}/portal`, email: developer, password },
  Cuenta: { url: `${config.publicUrl}/entrar`, email: agencias[0], password },
})

function report(made: Made, { config }: Io): string {
  const { app, secret, sitioKey, agencias, staff, developer, password, avisos, consultas } = made
  return `${app.nombre}: ${agencias.length} agencies, ${avisos} listings, ${consultas} inquiries in three months

  AppKey     ${app.appKey}
  AppSecret  ${secret}
  SitioKey   ${sitioKey}

Sign in at ${config.publicUrl}/entrar with the password ${password}

  ${staff.padEnd(MAIL_COLUMNS)} the console; the first sign-in sets up a second factor
  ${developer.padEnd(MAIL_COLUMNS)} the portal of the app
${agencias.map((mail) => `  ${mail.padEnd(MAIL_COLUMNS)} an agency\n`).join('')}
Keys and password are shown only now.
`
}

const MAIL_COLUMNS = 50

const STAFF = { email: 'personal@rodado.example', nombre: 'Camila', apellido: 'Ríos' }
const DEVELOPER = { email: 'dev@gestion-automotor.example', nombre: 'Tomás', apellido: 'Luna' }

async function account(tx: Db, person: Person, passwordHash: string): Promise<Account> {
  const created = await createAccount(tx, { ...person, modo: 'produccion', passwordHash })
  if (!created) throw new Error(`${person.email} is there twice.`)
  return created
}
