import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { dayOf } from '../../http/dates.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { AgenciasDeps } from '../../resources/agencias/context.ts'
import { keepCountsIn, rebuildCounts } from '../../resources/consultas/counts.ts'
import { loadConsultas, loadEvents } from '../../resources/consultas/insert.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { insertPublicaciones } from '../../resources/publicaciones/write.ts'
import type { Land } from '../../sandbox/fiction/cars.ts'
import { chanceOf } from '../../sandbox/fiction/chance.ts'
import { stockOf } from '../../sandbox/fiction/listings.ts'
import type { DemoAgencia } from '../../sandbox/fiction/market.ts'
import type { Db } from '../../store/db.ts'
import type { EventRow } from '../../webhooks/events.ts'
import { eventsOf, inquiriesOf, momentsBetween } from './inquiries.ts'

const DAY_MS = 86_400_000
const THREE_MONTHS = 90
const SEED = 20_260_304

export interface Trade {
  app: App
  agencias: Agencia[]
  market: DemoAgencia[]
  now: Date
  land: Land
}

/** Creates the listings of every agency, and three months of inquiries with their events. */
export async function liven(
  tx: Db,
  { matcher, config }: AgenciasDeps,
  { app, agencias, market, now, land }: Trade,
  progress: (text: string) => void,
): Promise<{ avisos: number; consultas: number }> {
  const { timeZone } = config
  const year = Number(dayOf(now, timeZone).slice(0, 4))
  const events: EventRow[] = []
  const made = { avisos: 0, consultas: 0 }
  for (const [at, agencia] of agencias.entries()) {
    const demo = market[at] as DemoAgencia
    const chance = chanceOf(SEED + at)
    const stock = stockOf(matcher, { app, agencia, made: demo, at, land, year }, chance)
    const listings = await insertPublicaciones(tx, stock)
    await datePublished(tx, listings, demo.since)

    const from = new Date(now.getTime() - Math.min(THREE_MONTHS, demo.since) * DAY_MS)
    const moments = momentsBetween(from, now, demo.perDay, timeZone, chance)
    const past = inquiriesOf({ agencia, listings, land, now }, moments, chance)
    await loadConsultas(tx, past)
    const catalogo = demo.paquete?.consultasDeCatalogo ?? false
    events.push(...eventsOf(app, agencia, past, { timeZone, catalogo }))
    made.avisos += listings.length
    made.consultas += past.length
    progress(`${made.avisos} listings, ${made.consultas} inquiries`)
  }
  progress(`telling the app of ${events.length}`)
  await loadEvents(
    tx,
    events.sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
  await keepCountsIn(tx, timeZone)
  await rebuildCounts(tx, timeZone)
  return made
}

/** Published one after the other since the agency registered. */
async function datePublished(tx: Db, listings: Publicacion[], sinceDays: number): Promise<void> {
  await tx.query(sql`
    update publicaciones p set created_at = published.at, updated_at = published.at
    from (select id, now() - make_interval(days => ${sinceDays}) * (1 - nth::float8 / (count(*) over () + 1)) as at
          from unnest(${listings.map(({ id }) => id)}::int[]) with ordinality as listing (id, nth)) as published
    where p.id = published.id`)
}
