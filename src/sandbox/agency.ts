import { randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import { ensureAccount, setName } from '../accounts/store.ts'
import type { App } from '../apps/app.ts'
import { findAppById } from '../apps/store.ts'
import type { Catalogue } from '../catalogue/load.ts'
import { addDays, dayOf } from '../http/dates.ts'
import { TEST_DOMAIN } from '../mail/email.ts'
import type { Agencia, AgenciaData, Invitacion } from '../resources/agencias/agencia.ts'
import { associate, establish, INVITER } from '../resources/agencias/associations.ts'
import type { AgenciasDeps } from '../resources/agencias/context.ts'
import { lockAddress, markAccepted } from '../resources/agencias/invitacion-store.ts'
import { setPaquete } from '../resources/agencias/paquetes.ts'
import { findAgenciaById } from '../resources/agencias/read.ts'
import { insertPublicaciones } from '../resources/publicaciones/write.ts'
import type { Db, Joining } from '../store/db.ts'
import { type Chance, chanceOf } from './fiction/chance.ts'
import { countryFacts, type DemoAgencia, fictionalAgencia } from './fiction/market.ts'
import { stockOf } from './fiction/publicaciones.ts'

interface SandboxDeps extends AgenciasDeps {
  catalogue: Catalogue
}

/** Leaves room for what the partner publishes. */
const PAQUETE = { nombre: 'Plan de prueba', alta: 20, media: 40, baja: 200, consultasDeCatalogo: true }
/** The stock is two thirds of the package, so this gives a few cars of each exposure. */
const SHOWN = { ...PAQUETE, alta: 3, media: 3, baja: 6 }
const PAQUETE_DAYS = 3650

/**
 * Creates an invented agency for an app in test mode, with a package and listings. What is known of it
 * from an invitation stays as it is. Undefined if the address already has an agency.
 */
async function makeAgency(
  tx: Db,
  deps: Joining<SandboxDeps>,
  app: App,
  { email, known = {}, chance }: { email: string; known?: Partial<AgenciaData>; chance: Chance },
): Promise<Agencia | undefined> {
  if (app.modo !== 'prueba') throw new Error('Made-up agencies are for apps in test mode.')
  const { catalogue, clock, config, matcher } = deps
  const today = dayOf(clock(), config.timeZone)
  const fiction = fictionalAgencia(catalogue, chance.between(0, 1_000_000), today)
  const account = await ensureAccount(tx, app.modo, email)
  const data = { ...fiction.data, razonSocial: null, idFiscal: null, sitioWeb: null, ...known }
  const agencia = await establish(tx, deps, app, account, data)
  if (!agencia) return undefined
  await setName(tx, account.id, fiction.administrador.nombre, fiction.administrador.apellido)
  await setPaquete(tx, agencia.id, { ...PAQUETE, desde: today, hasta: addDays(today, PAQUETE_DAYS) })
  const demo: DemoAgencia = { ...fiction, paquete: { ...SHOWN, desde: today, hasta: today }, lapsed: false }
  const facts = countryFacts(catalogue.country)
  const stock = stockOf(matcher, { app, agencia, demo, at: 0, facts, year: Number(today.slice(0, 4)) }, chance)
  await insertPublicaciones(tx, stock)
  return agencia
}

const AGENCIES = ['norte', 'centro', 'sur'] as const

/** The addresses of the agencies that an app in test mode has from the beginning. */
export const sandboxMails = ({ appKey, modo }: Pick<App, 'appKey' | 'modo'>): string[] =>
  modo === 'prueba' ? AGENCIES.map((name) => `${name}.${keyPrefixOf(appKey)}@${TEST_DOMAIN}`) : []

const keyPrefixOf = (appKey: string): string => appKey.slice(0, 8)

/** Gives a new app in test mode agencies with listings; again, it creates what is missing. */
export async function openSandbox(deps: Joining<SandboxDeps>, app: App): Promise<Agencia[]> {
  return deps.store.transaction(async (tx) => {
    const created: Agencia[] = []
    for (const [nth, email] of sandboxMails(app).entries()) {
      const chance = chanceOf(Number.parseInt(keyPrefixOf(app.appKey), 16) + nth)
      const agencia = await makeAgency(tx, deps, app, { email, chance })
      if (agencia) created.push(agencia)
    }
    return created
  })
}

const AT_ONCE = 20

/**
 * Accepts the invitations of test mode to reserved domains: each creates an agency. An address that begins
 * with `rebota` bounces, and one that begins with `ignora` is never answered, so that a partner can see those too.
 * One that fails does not hold up the others; its error is thrown at the end.
 */
export async function answerInvitaciones(deps: SandboxDeps): Promise<number> {
  const waiting = await deps.store.query<Waiting>(sql`
    select i.id, i.modo, i.admin_mail as "adminMail"
    from invitaciones i join apps a on a.id = i.app_id and a.disabled_at is null
    where i.modo = 'prueba' and i.estado = 'pendiente' and i.admin_mail like ${`%@${TEST_DOMAIN}`}
      and i.admin_mail not like 'ignora%' and i.vence > now()
    order by i.enviada desc limit ${AT_ONCE}`) // newest first, so that rows that always fail do not hold up new ones
  const faults: unknown[] = []
  for (const each of waiting)
    await deps.store.transaction((tx) => answer(tx, deps, each)).catch((fault) => faults.push(fault))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} invitations were not answered.`)
  return waiting.length
}

type Waiting = Pick<Invitacion, 'id' | 'modo' | 'adminMail'>

async function answer(tx: Db, deps: SandboxDeps, { id, modo, adminMail }: Waiting): Promise<void> {
  await lockAddress(tx, modo, adminMail) // before the row, as everywhere
  const [invitacion] = await tx.query<Answered>(sql`
    select app_id as "appId", nombre, telefono, region_id as "regionId", region,
           ciudad_id as "ciudadId", ciudad, direccion
    from invitaciones where id = ${id} and estado = 'pendiente' for update`)
  if (!invitacion) return // another worker answered it
  const { appId, nombre, telefono, direccion, ...place } = invitacion
  const app = await findAppById(tx, appId)
  if (!app) return
  if (adminMail.startsWith('rebota')) {
    await tx.query(sql`update invitaciones set estado = 'rebotada', ended_at = now() where id = ${id}`)
    return
  }
  // If another app's invitation came first, its agency is associated with this app too; an agency that only had this
  // address is not (docs/decisions/agencies.md).
  const present = sql`(select id from agencias where modo = ${modo} and admin_mail = ${adminMail})`
  let agencia = await findAgenciaById(tx, present)
  if (agencia) await associate(tx, deps, { app, agencia, permisos: INVITER }, { keep: true })
  else {
    const fields = Object.entries({ nombre, telefono, direccion, ...(place.ciudad && place) })
    const known = Object.fromEntries(fields.filter(([, value]) => value !== null))
    agencia = await makeAgency(tx, deps, app, { email: adminMail, known, chance: chanceOf(randomInt(2 ** 32)) })
  }
  if (agencia) await markAccepted(tx, id, agencia.id)
}

type Answered = Pick<
  Invitacion,
  'appId' | 'nombre' | 'telefono' | 'regionId' | 'region' | 'ciudadId' | 'ciudad' | 'direccion'
>
