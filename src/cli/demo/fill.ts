import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import { setMember } from '../../accounts/members.ts'
import { hashPassword } from '../../accounts/password.ts'
import { addStaff } from '../../accounts/staff.ts'
import { createAccount } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import { saveCall } from '../../apps/saved-calls.ts'
import { addSecret, liveSecrets } from '../../apps/secrets.ts'
import { createApp, findAppById } from '../../apps/store.ts'
import { loadCatalogue } from '../../catalogue/load.ts'
import { createMatcher } from '../../catalogue/match/matcher.ts'
import { DAY_MS, HOUR_MS } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { dayOf } from '../../http/dates.ts'
import { TEST_DOMAIN } from '../../mail/email.ts'
import { openPhotoStorage } from '../../photos/storage.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { associate, establish } from '../../resources/agencias/associations.ts'
import type { AgenciasDeps } from '../../resources/agencias/context.ts'
import { invite } from '../../resources/agencias/invite.ts'
import { setPackage } from '../../resources/agencias/packages.ts'
import { findAgenciaById } from '../../resources/agencias/read.ts'
import { interesadoOf } from '../../resources/consultas/consulta.ts'
import { erasePerson } from '../../resources/consultas/erase-person.ts'
import { createConsultaMonths } from '../../resources/consultas/retention.ts'
import { chanceOf } from '../../sandbox/fiction/chance.ts'
import { DRAWINGS, drawingNames } from '../../sandbox/fiction/drawing.tsx'
import { type DemoAgencia, demoMarket, landOf, type Person } from '../../sandbox/fiction/market.ts'
import { createSitio, revokeSitio } from '../../sitios/store.ts'
import type { Db, Store } from '../../store/db.ts'
import type { Opened } from '../../store/open.ts'
import type { Seal } from '../../store/sealed.ts'
import { momentOf, ulid } from '../../ulid.ts'
import { addWebhook } from '../../webhooks/store.ts'
import { createLogMonths } from '../../webhooks/sweep.ts'
import type { Topic } from '../../webhooks/topics.ts'
import { loadAlerts } from './alerts.ts'
import { loadPublicacionesAndConsultas, type Viewer } from './consultas.ts'
import { loadDeliveries, type Outage, type PastReceiver } from './deliveries.ts'
import {
  endPublicaciones,
  loadAudit,
  loadEmails,
  loadInbox,
  loadMilestones,
  loadSucursales,
  loadUsage,
  loadVisits,
} from './history.ts'
import { storeDrawings } from './photos.ts'
import { type DemoRecord, lockDemo, saveDemo } from './record.ts'
import { loadStatus } from './status.ts'

export type OnProgress = (text?: string) => void

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

const MARK = '(demo)'
const SITE = { nombre: `Mercado ${MARK}`, modo: 'produccion' } as const
const STAFF = { email: `personal@${TEST_DOMAIN}`, nombre: 'Camila', apellido: 'Ríos' }
const DEVELOPER = { email: `dev@gestion-automotor.${TEST_DOMAIN}`, nombre: 'Tomás', apellido: 'Luna' }
const COLLEAGUE = { email: `julieta@gestion-automotor.${TEST_DOMAIN}`, nombre: 'Julieta', apellido: 'Soria' }
export const CALLBACK = `https://webhooks.gestion-automotor.${TEST_DOMAIN}/rodado`
const OTHER_CALLBACK = `https://crm.motor-norte.${TEST_DOMAIN}/hooks/rodado`
const INVITED = ['Autos del Litoral', 'Cuyo Usados']
const TOPICS = ['consulta.recibida', 'agencia.registrada'] as const
const DESCRIPTION = 'Consultas al CRM'

const PASSWORD_BYTES = 12
const SEED = 20_260_711
/** The second app sees all inquiries of these agencies, since so many days. The first agency has one app, as most do. */
const OTHER_AGENCIES: [from: number, until: number] = [1, 4]
const OTHER_SINCE = 60
const APP_SINCE = 130

/** Adds the demo's apps, agencies and people, and three months of what they did. */
export async function fillDemo({ store, seal }: Pick<Opened, 'store' | 'seal'>, config: Config, progress: OnProgress) {
  const now = new Date()
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  progress('reading the catalogue')
  const catalogue = loadCatalogue(config.country, config.catalogueDir)
  const market = demoMarket(catalogue, dayOf(now, config.timeZone))
  const matcher = createMatcher(catalogue, config)
  const land = landOf(catalogue.country)
  const colours = new Map(catalogue.colores.map(({ nombre, html }) => [nombre, html]))

  const made = await store.transaction(async (tx) => {
    await lockDemo(tx)
    const within: Store = { ...store, query: tx.query, notify: tx.notify, transaction: (work) => work(tx) }
    const deps: AgenciasDeps = { store: within, seal, matcher, clock: () => now, config }
    const password = newPassword()
    const passwordHash = await hashPassword(password)
    const newAccount = (person: Person) => account(tx, person, passwordHash)

    const { app: other } = await createApp(within, seal, { nombre: `CRM Motor Norte ${MARK}`, modo: 'produccion' })
    // Last: without an AppKey, commands take the newest app.
    const { app, secret } = await createApp(within, seal, {
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
    await dateTeams(tx, { apps: [app.id, other.id], staff, sitio }, ago(APP_SINCE))
    for (const call of SAVED_CALLS) await saveCall(tx, app.id, { ...call, cuerpo: '', accept: '', etag: '' })

    const agencias: Agencia[] = []
    const accounts: Account[] = [colleague]
    for (const [at, agencia] of market.entries()) {
      progress(`agency ${at + 1} of ${market.length}: ${agencia.data.nombre}`)
      const settled = await settle(tx, deps, app, agencia, newAccount)
      agencias.push(settled.agencia)
      accounts.push(...settled.accounts)
    }
    const shared = agencias.slice(...OTHER_AGENCIES)
    for (const agencia of shared) await connectOther(tx, deps, other, agencia, ago(OTHER_SINCE))

    const viewersOf = (agencia: Agencia, at: number): Viewer[] => {
      const catalogo = market[at]?.paquete?.consultasDeCatalogo ?? false
      const own: Viewer = { app, sees: ({ fuente }) => fuente === app.id || catalogo }
      const others: Viewer = { app: other, sees: ({ sid }) => momentOf(sid) > ago(OTHER_SINCE) }
      return shared.includes(agencia) ? [own, others] : [own]
    }
    const photosOf = ({ carroceria, color }: { carroceria: string; color: string }) =>
      drawingNames(carroceria, colours.get(color) ?? '#808080').map((name) => config.publicUrl + DRAWINGS + name)
    const trade = { app, agencias, market, now, land, viewersOf, photosOf }
    const { publicaciones, consultas } = await loadPublicacionesAndConsultas(tx, deps, trade, progress)

    progress('deliveries')
    const chance = chanceOf(SEED)
    const outages = await pastOutages(tx, app, ago)
    const receivers = await subscribe(tx, seal, [app, other], ago, outages)
    const receiverOf = ({ appId, topic }: { appId: number; topic: string }) => receivers.get(`${appId} ${topic}`)
    const entregas = await loadDeliveries(tx, [app.id, other.id], receiverOf, chance)
    await dateWebhooks(tx, [app.id, other.id], ago(APP_SINCE))
    const webhook = { topic: TOPICS[0], description: DESCRIPTION }
    await loadAlerts(tx, seal, { app, developer, webhook, outages, publicUrl: config.publicUrl })

    progress('requests, emails, visits and photos')
    await loadUsage(
      tx,
      [
        { app, share: 1 },
        { app: other, share: 0.35 },
      ],
      config.timeZone,
    )
    for (const each of [app, other]) await loadMilestones(tx, each, ago(APP_SINCE))
    await loadEmails(tx, consultas)
    await loadVisits(tx, publicaciones, config.timeZone)
    await storeDrawings(tx, openPhotoStorage(config), publicaciones)
    await loadSucursales(tx, agencias, app, land)
    const moderated = await endPublicaciones(tx, publicaciones)
    const administrators = accounts.filter(({ email }) => agencias.some(({ adminMail }) => adminMail === email))
    await loadInbox(tx, { agencias, administrators, consultas }, now, config.timeZone)
    for (const nombre of INVITED) await inviteAgency(deps, app, nombre)
    const email = consultas.map((each) => interesadoOf(each).Email).find(Boolean)
    await erasePerson({ ...deps }, { email, modo: 'produccion' }, { accountId: staff.id, via: 'consola' })
    const demoIds = { apps: [app.id, other.id], agencias: agencias.map(({ id }) => id) }
    const { incidents, until } = await loadStatus(within, { ...demoIds, now })
    const office = { staff, developer, administrators, app, agencias, consultas, moderated, incidents }
    await loadAudit(tx, office, now, chance)

    await saveDemo(tx, {
      ...demoIds,
      accounts: [staff, developer, ...accounts].map(({ id }) => id),
      sitios: [sitio.id],
      incidents: incidents.map(({ id }) => id),
      statusUntil: until?.toISOString(),
    })
    const access: Access = {
      appKey: app.appKey,
      secret,
      sitioKey,
      staff: STAFF.email,
      developer: DEVELOPER.email,
      password,
      agencias: agencias.map(({ adminMail }) => adminMail),
    }
    return { access, publicaciones: publicaciones.length, consultas: consultas.length, entregas }
  })
  progress()
  // A running server may be reading: it then creates the monthly tables itself, within the hour.
  await createConsultaMonths(store, now).catch(() => [])
  await createLogMonths(store, now).catch(() => [])
  return made
}

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
      sitioKey,
      password,
      staff: STAFF.email,
      developer: DEVELOPER.email,
      agencias: agencias.map(({ mail }) => mail),
    }
  })

const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url')

async function account(tx: Db, person: Person, passwordHash: string): Promise<Account> {
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

/** An agency with its people and package, registered some weeks ago. */
async function settle(
  tx: Db,
  deps: AgenciasDeps,
  app: App,
  made: DemoAgencia,
  newAccount: (person: Person) => Promise<Account>,
): Promise<{ agencia: Agencia; accounts: Account[] }> {
  const then = new Date(deps.clock().getTime() - made.since * DAY_MS)
  const accounts = [await newAccount(made.administrador)]
  const data = { ...made.data, nombre: `${made.data.nombre} ${MARK}` }
  const agencia = await establish(tx, { ...deps, clock: () => then }, app, accounts[0] as Account, data)
  if (!agencia) throw new Error(`${data.nombre} is there twice.`)
  for (const person of made.vendedores) {
    const seller = await newAccount(person)
    accounts.push(seller)
    await tx.query(
      sql`insert into operadores (agencia_id, account_id, rol) values (${agencia.id}, ${seller.id}, 'vendedor')`,
    )
  }
  if (made.paquete) await setPackage(tx, agencia.id, made.paquete)
  await tx.query(sql`update agencias set created_at = ${then}, updated_at = ${then} where id = ${agencia.id}`)
  await tx.query(sql`
    update asociaciones set created_at = ${then}, consultas_de_catalogo = ${made.paquete?.consultasDeCatalogo ?? false}
    where agencia_id = ${agencia.id}`)
  await tx.query(sql`update events set created_at = ${then} where agencia_id = ${agencia.id}`)
  return { agencia: (await findAgenciaById(tx, agencia.id)) ?? agencia, accounts }
}

/** The second app sees all inquiries of an agency. */
async function connectOther(tx: Db, deps: AgenciasDeps, other: App, agencia: Agencia, since: Date): Promise<void> {
  const permisos = { editar: false, consultasDeCatalogo: true, consultasDeOtros: true }
  await associate(tx, { ...deps, clock: () => since }, { app: other, agencia, permisos })
  await tx.query(sql`
    update asociaciones set created_at = ${since} where agencia_id = ${agencia.id} and app_id = ${other.id}`)
  await tx.query(sql`update events set created_at = ${since} where agencia_id = ${agencia.id} and app_id = ${other.id}`)
}

/** Webhooks of both apps: the first's receiver failed twice and recovered, the second's failed until it was disabled. */
async function subscribe(
  tx: Db,
  seal: Seal,
  [app, other]: [App, App],
  ago: (days: number) => Date,
  outages: readonly Outage[],
) {
  const receivers = new Map<string, PastReceiver>()
  const add = async (to: App, topic: Topic, callback: string, past: Pick<PastReceiver, 'outages' | 'disabledAt'>) => {
    const secret = randomBytes(32).toString('base64url')
    const settings = { callback, description: DESCRIPTION, activo: true, headers: NO_HEADERS, secret }
    const webhook = await addWebhook(tx, seal, to, topic, settings)
    if (!webhook) throw new Error(`The app has a webhook for ${topic} already.`)
    receivers.set(`${to.id} ${topic}`, { webhookId: webhook.id, steadyFrom: ago(0.5), ...past })
    return webhook
  }
  for (const topic of TOPICS) await add(app, topic, CALLBACK, { outages })
  const failing = ago(11)
  const disabledAt = ago(6)
  const off = await add(other, 'consulta.recibida', OTHER_CALLBACK, {
    outages: [{ from: failing, until: disabledAt, how: 503 }],
    disabledAt,
  })
  await tx.query(sql`
    update webhooks set failures = 412, failing_since = ${failing}, last_error = 'El receptor respondió 503.', warnings = 3,
      disabled_at = ${disabledAt}, disabled_by = 'fallas' where id = ${off.id}`)
  return receivers
}

async function pastOutages(tx: Db, app: App, ago: (days: number) => Date): Promise<Outage[]> {
  const hours = (from: Date, count: number) => ({ from, until: new Date(from.getTime() + count * HOUR_MS) })
  return [
    { ...hours(ago(12.3), 6), how: 503 },
    { ...hours(await recentConsulta(tx, app), 1.5), how: 'timeout' },
  ]
}

/** When one of the last inquiries came, long enough ago for its retries. */
async function recentConsulta(tx: Db, app: App): Promise<Date> {
  const [event] = await tx.query<{ id: string }>(sql`
    select id from events where app_id = ${app.id} and topic = 'consulta.recibida' and created_at < now() - interval '4 hours'
    order by id desc offset 3 limit 1`)
  return momentOf(event?.id ?? ulid(0))
}

const NO_HEADERS: [null, null, null] = [null, null, null]

/** When each was created, first answered and last received something. */
const dateWebhooks = (tx: Db, apps: number[], since: Date): Promise<unknown> =>
  tx.query(sql`
    update webhooks w
    set created_at = ${since}, updated_at = ${since}, verified_at = ${since},
      last_delivery_at = (select max(settled_at) from deliveries d where d.webhook_id = w.id and d.estado = 'entregada')
    where app_id = any (${apps}::int[])`)

/** An invitation that nobody has accepted yet; its email is stored, because its domain gets none. */
const inviteAgency = (deps: AgenciasDeps, app: App, nombre: string): Promise<string> =>
  invite(deps, app, {
    AdminMail: `ventas@${nombre.toLowerCase().replaceAll(' ', '-')}.${TEST_DOMAIN}`,
    Nombre: `${nombre} ${MARK}`,
    AdminNombre: 'Elena',
    AdminApellido: 'Vera',
  })
