import type { Account } from '../../accounts/account.ts'
import { type Catalogue, loadCatalogue } from '../../catalogue/load.ts'
import { createMatcher } from '../../catalogue/match/matcher.ts'
import { DAY_MS } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { dayOf } from '../../http/dates.ts'
import { openPhotoStorage } from '../../photos/storage.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { AgenciasDeps } from '../../resources/agencias/context.ts'
import { type Consulta, interesadoOf } from '../../resources/consultas/consulta.ts'
import { erasePerson } from '../../resources/consultas/erase-person.ts'
import { createConsultaMonths } from '../../resources/consultas/retention.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { type Chance, chanceOf } from '../../sandbox/fiction/chance.ts'
import { DRAWINGS, drawingNames } from '../../sandbox/fiction/drawing.tsx'
import { type CountryFacts, countryFacts, demoMarket } from '../../sandbox/fiction/market.ts'
import type { Opened } from '../../store/open.ts'
import { momentOf } from '../../ulid.ts'
import { createLogMonths } from '../../webhooks/sweep.ts'
import { connectOther, inviteAgencias, registerAgencia } from './agencias.ts'
import { loadPublicacionesAndConsultas, type Viewer } from './consultas.ts'
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
import { lockDemo, saveDemo } from './record.ts'
import { loadStatus } from './status.ts'
import { type Access, createTeams, type Teams } from './teams.ts'
import { loadWebhooks } from './webhooks.ts'

export type OnProgress = (text?: string) => void

const SEED = 20_260_711
/** The second app sees all inquiries of these agencies, since so many days. The first agency has one app, as most do. */
const OTHER_AGENCIES: [from: number, until: number] = [1, 4]
const OTHER_SINCE = 60
const APP_SINCE = 130

/** Adds the demo's apps, agencies and people, and three months of what they did. */
export async function fillDemo({ store, seal }: Pick<Opened, 'store' | 'seal'>, config: Config, progress: OnProgress) {
  const now = new Date()
  progress('reading the catalogue')
  const catalogue = loadCatalogue(config.country, config.catalogueDir)
  const matcher = createMatcher(catalogue, config)
  const made = await store.transaction(async (tx) => {
    await lockDemo(tx)
    // The transaction's methods replace the pool's.
    return fill({ store: { ...store, ...tx }, seal, matcher, clock: () => now, config }, catalogue, progress)
  })
  progress()
  // A running server may be reading: it then creates the monthly tables itself, within the hour.
  await createConsultaMonths(store, now).catch(() => [])
  await createLogMonths(store, now).catch(() => [])
  return made
}

/** `store` is the transaction. */
type DemoDeps = AgenciasDeps & { config: Config }

async function fill(deps: DemoDeps, catalogue: Catalogue, progress: OnProgress) {
  const { store: tx, seal, config, clock } = deps
  const ago = (days: number) => new Date(clock().getTime() - days * DAY_MS)
  const market = demoMarket(catalogue, dayOf(clock(), config.timeZone))
  const facts = countryFacts(catalogue.country)
  const teams = await createTeams(tx, seal, ago(APP_SINCE))
  const { app, other, staff, developer, sitio } = teams

  const agencias: Agencia[] = []
  const accounts: Account[] = [teams.colleague]
  for (const [at, agencia] of market.entries()) {
    progress(`agency ${at + 1} of ${market.length}: ${agencia.data.nombre}`)
    const registered = await registerAgencia(deps, teams, agencia)
    agencias.push(registered.agencia)
    accounts.push(...registered.accounts)
  }
  const shared = agencias.slice(...OTHER_AGENCIES)
  for (const agencia of shared) await connectOther(deps, other, agencia, ago(OTHER_SINCE))

  const viewersOf = (agencia: Agencia, at: number): Viewer[] => {
    const catalogo = market[at]?.paquete?.consultasDeCatalogo ?? false
    const own: Viewer = { app, sees: ({ fuente }) => fuente === app.id || catalogo }
    const others: Viewer = { app: other, sees: ({ sid }) => momentOf(sid) > ago(OTHER_SINCE) }
    return shared.includes(agencia) ? [own, others] : [own]
  }
  const colours = new Map(catalogue.colores.map(({ nombre, html }) => [nombre, html]))
  // The API takes photos by https only, and a partner may put back what it read; pages show the copies.
  const drawings = config.publicUrl.replace(/^http:/, 'https:') + DRAWINGS
  const photosOf = ({ carroceria, color }: { carroceria: string; color: string }) =>
    drawingNames(carroceria, colours.get(color) ?? '#808080').map((name) => drawings + name)
  const setup = { app, agencias, market, now: clock(), facts, viewersOf, photosOf }
  const { publicaciones, consultas } = await loadPublicacionesAndConsultas(tx, deps, setup, progress)

  progress('deliveries')
  const chance = chanceOf(SEED)
  const past = { chance, ago, since: ago(APP_SINCE), publicUrl: config.publicUrl }
  const entregas = await loadWebhooks(tx, seal, teams, past)

  progress('requests, emails, visits and photos')
  const { incidents, until } = await loadActivity(deps, teams, {
    agencias,
    accounts,
    publicaciones,
    consultas,
    facts,
    past,
  })
  await saveDemo(tx, {
    apps: [app.id, other.id],
    agencias: agencias.map(({ id }) => id),
    accounts: [staff, developer, ...accounts].map(({ id }) => id),
    sitios: [sitio.id],
    incidents: incidents.map(({ id }) => id),
    statusUntil: until?.toISOString(),
  })
  const access: Access = { ...teams.access, agencias: agencias.map(({ adminMail }) => adminMail) }
  return { access, publicaciones: publicaciones.length, consultas: consultas.length, entregas }
}

interface Market {
  agencias: Agencia[]
  accounts: Account[]
  publicaciones: Publicacion[]
  consultas: Consulta[]
  facts: CountryFacts
  past: { chance: Chance; since: Date }
}

/** What apps, people and staff did besides, and the history of the status page. */
async function loadActivity(deps: DemoDeps, { app, other, staff, developer }: Teams, market: Market) {
  const { store: tx, config } = deps
  const { timeZone } = config
  const { agencias, accounts, publicaciones, consultas, facts, past } = market
  const now = deps.clock()
  const shares = [
    { app, share: 1 },
    { app: other, share: 0.35 },
  ]
  await loadUsage(tx, shares, timeZone)
  for (const each of [app, other]) await loadMilestones(tx, each, past.since)
  await loadEmails(tx, consultas)
  await loadVisits(tx, publicaciones, timeZone)
  await storeDrawings(tx, openPhotoStorage(config), publicaciones)
  await loadSucursales(tx, agencias, app, facts)
  const moderated = await endPublicaciones(tx, publicaciones)
  const administrators = accounts.filter(({ email }) => agencias.some(({ adminMail }) => adminMail === email))
  await loadInbox(tx, { agencias, administrators, consultas }, now, timeZone)
  await inviteAgencias(deps, app)
  const email = consultas.map((each) => interesadoOf(each).Email).find(Boolean)
  await erasePerson(deps, { email, modo: 'produccion' }, { accountId: staff.id, via: 'consola' })
  const ids = { apps: [app.id, other.id], agencias: agencias.map(({ id }) => id) }
  const { incidents, until } = await loadStatus(tx, { ...ids, now })
  const office = { staff, developer, administrators, app, agencias, consultas, moderated, incidents }
  await loadAudit(tx, office, now, past.chance)
  return { incidents, until }
}
