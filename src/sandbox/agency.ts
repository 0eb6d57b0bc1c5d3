import { ensureAccount, setName } from '../accounts/store.ts'
import type { App } from '../apps/app.ts'
import type { Catalogue } from '../catalogue/load.ts'
import { createMatcher, type Matcher } from '../catalogue/match/matcher.ts'
import { addDays, dayOf } from '../http/dates.ts'
import type { Agencia, AgenciaData } from '../resources/agencias/agencia.ts'
import { establish } from '../resources/agencias/associations.ts'
import type { AgenciasDeps } from '../resources/agencias/context.ts'
import { setPackage } from '../resources/agencias/packages.ts'
import { insertPublicaciones } from '../resources/publicaciones/write.ts'
import type { Db } from '../store/db.ts'
import { landOf } from './fiction/cars.ts'
import type { Chance } from './fiction/chance.ts'
import { stockOf } from './fiction/listings.ts'
import { type DemoAgencia, fictionalAgencia } from './fiction/market.ts'

/** The dependencies of invented agencies. */
export interface SandboxDeps extends Omit<AgenciasDeps, 'matcher'> {
  catalogue: Catalogue
}

/** Built with the first agency: most installations never need it. */
const matchers = new WeakMap<Catalogue, Matcher>()
function matcherOf(catalogue: Catalogue, publicUrl: string): Matcher {
  const matcher = matchers.get(catalogue) ?? createMatcher(catalogue, { publicUrl })
  matchers.set(catalogue, matcher)
  return matcher
}

/** The same, as the functions of `agencias` take it. */
export const depsOf = (deps: SandboxDeps): AgenciasDeps => ({
  ...deps,
  matcher: matcherOf(deps.catalogue, deps.config.publicUrl),
})

/** Leaves room for what the partner publishes. */
const PACKAGE = { nombre: 'Plan de prueba', alta: 20, media: 40, baja: 200, consultasDeCatalogo: true }
/** The stock is two thirds of the package, so this gives a few cars of each exposure. */
const SHOWN = { ...PACKAGE, alta: 3, media: 3, baja: 6 }
const PACKAGE_DAYS = 3650

/**
 * Creates an invented agency for an app in test mode, with a package and listings. What is known of it
 * from an invitation stays as it is. Undefined if the address already has an agency.
 */
export async function makeAgency(
  tx: Db,
  deps: SandboxDeps,
  app: App,
  { email, known = {}, chance }: { email: string; known?: Partial<AgenciaData>; chance: Chance },
): Promise<Agencia | undefined> {
  if (app.modo !== 'prueba') throw new Error('Made-up agencies are for apps in test mode.')
  const { catalogue, clock, config } = deps
  const { matcher } = depsOf(deps)
  const today = dayOf(clock(), config.timeZone)
  const fiction = fictionalAgencia(catalogue, chance.between(0, 1_000_000), today)
  const account = await ensureAccount(tx, app.modo, email)
  const data = { ...fiction.data, razonSocial: null, idFiscal: null, sitioWeb: null, ...known }
  const agencia = await establish(tx, depsOf(deps), app, account, data)
  if (!agencia) return undefined
  await setName(tx, account.id, fiction.administrador.nombre, fiction.administrador.apellido)
  await setPackage(tx, agencia.id, { ...PACKAGE, desde: today, hasta: addDays(today, PACKAGE_DAYS) })
  const made: DemoAgencia = { ...fiction, paquete: { ...SHOWN, desde: today, hasta: today }, lapsed: false }
  const land = landOf(catalogue.country)
  const stock = stockOf(matcher, { app, agencia, made, at: 0, land, year: Number(today.slice(0, 4)) }, chance)
  await insertPublicaciones(tx, stock)
  return agencia
}
