import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock.ts'
import type { Country } from '../../config.ts'
import { addDays, dayOf, startOfDay } from '../../http/dates.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { AgenciasDeps } from '../../resources/agencias/context.ts'
import { catalogueAuto, listedAuto } from '../../resources/consultas/auto.ts'
import { CATALOGO, type Consulta, type EstadoConsulta, newConsulta } from '../../resources/consultas/consulta.ts'
import { addCounts, rebuildCountsIfTimeZoneChanged } from '../../resources/consultas/counts.ts'
import { consultaEvents } from '../../resources/consultas/events.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { insertPublicaciones } from '../../resources/publicaciones/write.ts'
import { type Chance, chanceOf } from '../../sandbox/fiction/chance.ts'
import { ORIGINS, personAsking } from '../../sandbox/fiction/interesados.ts'
import type { CountryFacts, DemoAgencia } from '../../sandbox/fiction/market.ts'
import { CARS, stockOf } from '../../sandbox/fiction/publicaciones.ts'
import type { Db } from '../../store/db.ts'
import { momentOf, ulid } from '../../ulid.ts'
import type { EventRow } from '../../webhooks/events.ts'
import { loadConsultas, loadEvents, type PastConsulta } from './load.ts'

const OF_CATALOGUE = 0.08
const ASKS_AGAIN = 0.04

/** The agency and the listings that inquiries are about, its country, and the current time. */
type Setting = { agencia: Agencia; publicaciones: readonly Publicacion[]; facts: CountryFacts; now: Date }

/** The inquiries of those moments, oldest first. */
function consultasOf(of: Setting, moments: readonly Date[], chance: Chance): PastConsulta[] {
  const past: PastConsulta[] = []
  for (const moment of moments) {
    const former = past.at(-1)
    const again = former && chance.next() < ASKS_AGAIN && withinADay(former, moment)
    past.push(again ? repeatedConsulta(former, moment, chance) : randomConsulta(of, moment, chance))
  }
  return past
}

const withinADay = ({ consulta }: PastConsulta, moment: Date): boolean =>
  moment.getTime() - momentOf(consulta.sid).getTime() < DAY_MS && consulta.tipoAnuncio === 'publicacion'

function randomConsulta({ agencia, publicaciones, facts, now }: Setting, moment: Date, chance: Chance): PastConsulta {
  const { marca, modelo, version } = chance.pick(CARS)
  const publicacion = publicaciones.length > 0 && chance.next() > OF_CATALOGUE ? chance.pick(publicaciones) : undefined
  const auto = publicacion ? listedAuto(publicacion) : catalogueAuto({ marca, modelo, version })
  const estado = workedOn(now.getTime() - moment.getTime(), chance)
  const origenLead = chance.weighted(ORIGINS)
  const consulta = newConsulta({
    sid: sidAt(moment, chance),
    modo: agencia.modo,
    agenciaId: agencia.id,
    fuente: publicacion?.appId ?? CATALOGO,
    tipoAnuncio: publicacion ? 'publicacion' : 'catalogo',
    origenLead,
    auto: JSON.stringify(auto),
    interesado: JSON.stringify(personAsking(auto, origenLead, agencia, facts, chance)),
    operador: publicacion?.operador ?? agencia.adminMail,
    estado,
  })
  const estadoAt = estado === 'nueva' ? null : later(moment, now, chance)
  return { consulta, publicacionId: publicacion?.id ?? null, externalId: publicacion?.externalId ?? null, estadoAt }
}

/** The same person asks again, because nobody answered. */
function repeatedConsulta({ consulta, ...about }: PastConsulta, moment: Date, chance: Chance): PastConsulta {
  const interesado = { ...JSON.parse(consulta.interesado), Comentario: 'Hola, ¿pudieron ver mi consulta? Gracias' }
  const own = { sid: sidAt(moment, chance), interesado: JSON.stringify(interesado), estado: 'nueva' } as const
  return { ...about, consulta: { ...consulta, ...own, repite: consulta.repite ?? consulta.sid }, estadoAt: null }
}

/** A ULID from the seeded generator, so that it is the same every time. */
const sidAt = (moment: Date, chance: Chance): string =>
  ulid(moment.getTime(), Buffer.from(Array.from({ length: 10 }, () => chance.between(0, 255))))

const SOONEST_MS = 4 * MINUTE_MS
const LATEST_MS = 30 * HOUR_MS

/** Half of them within an hour and a half, some a day after the inquiry, but not in the future. */
const later = (moment: Date, now: Date, chance: Chance): Date =>
  new Date(Math.min(now.getTime(), moment.getTime() + SOONEST_MS * (LATEST_MS / SOONEST_MS) ** chance.next()))

function workedOn(ageMs: number, chance: Chance): EstadoConsulta {
  if (ageMs < 6 * HOUR_MS) return 'nueva'
  if (ageMs < 2 * DAY_MS) return chance.weighted({ nueva: 4, leida: 2, contactada: 5 })
  if (ageMs < 14 * DAY_MS) return chance.weighted({ nueva: 0.3, leida: 0.7, contactada: 11, vendida: 1 })
  return chance.weighted({ leida: 2, contactada: 6, vendida: 1, descartada: 5 })
}

/** An app that sees inquiries of an agency, and which of them. */
export interface Viewer {
  app: App
  sees: (consulta: Consulta) => boolean
}

/** The events that the apps received then: the inquiries as they were, new. */
const eventsOf = (
  viewers: readonly Viewer[],
  agencia: Agencia,
  past: readonly PastConsulta[],
  config: { timeZone: string; country: Country },
) =>
  past.flatMap(({ consulta }): EventRow[] => {
    const apps = viewers.filter(({ sees }) => sees(consulta)).map(({ app }) => app.id)
    const options = { topic: 'consulta.recibida', moment: momentOf(consulta.sid), ...config } as const
    return consultaEvents(apps, { ...consulta, estado: 'nueva' }, agencia, options)
  })

/** Inquiries per day of the week, Sunday first, as a factor of the average. */
const WEEK = [0.8, 1.3, 1.15, 1.1, 1.05, 1, 0.75] as const

/** Inquiries per hour of the day, as a weight. */
// biome-ignore format: a day is read at a glance
const DAY = [
  0.25, 0.12, 0.08, 0.05, 0.05, 0.1, 0.3, 0.7, 1.2, 1.8, 2.2, 2.3,
  2.0, 1.9, 1.7, 1.7, 1.8, 2.0, 2.3, 2.6, 2.8, 2.7, 1.9, 0.8,
] as const

/** Random moments of a period, oldest first, spread over days and hours like real inquiries. */
function momentsBetween(from: Date, until: Date, perDay: number, timeZone: string, chance: Chance): Date[] {
  const moments: Date[] = []
  const last = dayOf(until, timeZone)
  for (let day = dayOf(from, timeZone); day <= last; day = addDays(day, 1)) {
    const mean = perDay * (WEEK[new Date(`${day}T12:00:00Z`).getUTCDay()] ?? 1)
    const start = startOfDay(day, timeZone).getTime()
    for (let left = Math.round(mean * (0.6 + 0.8 * chance.next())); left > 0; left--) {
      const hour = chance.weightedIndex(DAY)
      moments.push(new Date(start + hour * HOUR_MS + chance.between(0, HOUR_MS - 1)))
    }
  }
  const within = moments.filter((moment) => moment >= from && moment <= until)
  return within.sort((a, b) => a.getTime() - b.getTime())
}

export const THREE_MONTHS = 90
const SEED = 20_260_304

interface DemoSetup {
  app: App
  agencias: Agencia[]
  market: DemoAgencia[]
  now: Date
  facts: CountryFacts
  viewersOf: (agencia: Agencia, at: number) => Viewer[]
  photosOf: (car: { carroceria: string; color: string }) => string[]
}

/** Creates the listings of every agency, and three months of inquiries with their events. */
export async function loadPublicacionesAndConsultas(
  tx: Db,
  { matcher, config }: Pick<AgenciasDeps, 'matcher' | 'config'>,
  { app, agencias, market, now, facts, viewersOf, photosOf }: DemoSetup,
  progress: (text: string) => void,
): Promise<{ publicaciones: Publicacion[]; consultas: Consulta[] }> {
  const { timeZone, country } = config
  const year = Number(dayOf(now, timeZone).slice(0, 4))
  const events: EventRow[] = []
  const published: Publicacion[] = []
  const consultas: Consulta[] = []
  await rebuildCountsIfTimeZoneChanged(tx, timeZone) // before there is anything of ours, so that none counts twice
  for (const [at, agencia] of agencias.entries()) {
    const demo = market[at] as DemoAgencia
    const chance = chanceOf(SEED + at)
    const stock = stockOf(matcher, { app, agencia, demo, at, facts, year, photosOf }, chance)
    const publicaciones = await insertPublicaciones(tx, stock)
    await datePublished(tx, publicaciones, demo.since)

    const from = new Date(now.getTime() - Math.min(THREE_MONTHS, demo.since) * DAY_MS)
    const moments = momentsBetween(from, now, demo.perDay, timeZone, chance)
    const past = consultasOf({ agencia, publicaciones, facts, now }, moments, chance)
    await loadConsultas(tx, past, country)
    events.push(...eventsOf(viewersOf(agencia, at), agencia, past, { timeZone, country }))
    published.push(...publicaciones)
    consultas.push(...past.map(({ consulta }) => consulta))
    progress(`${published.length} listings, ${consultas.length} inquiries`)
  }
  events.sort((a, b) => (a.id < b.id ? -1 : 1))
  await loadEvents(tx, events)
  await addCounts(tx, consultas, timeZone)
  return { publicaciones: published, consultas }
}

/** Published one after the other since the agency registered. */
async function datePublished(tx: Db, publicaciones: Publicacion[], sinceDays: number): Promise<void> {
  await tx.query(sql`
    update publicaciones p set created_at = published.at, updated_at = published.at
    from (select id, now() - make_interval(days => ${sinceDays}) * (1 - nth::float8 / (count(*) over () + 1)) as at
          from unnest(${publicaciones.map(({ id }) => id)}::int[]) with ordinality as listing (id, nth)) as published
    where p.id = published.id`)
}
