import type { App } from '../../apps/app.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { agenciaRef } from '../../resources/agencias/represent.ts'
import { catalogueAuto, listedAuto } from '../../resources/consultas/auto.ts'
import { CATALOGO, type Consulta, type EstadoConsulta } from '../../resources/consultas/consulta.ts'
import type { Past } from '../../resources/consultas/load.ts'
import { consultaEntry } from '../../resources/consultas/represent.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { CARS, type Land } from '../../sandbox/fiction/cars.ts'
import type { Chance } from '../../sandbox/fiction/chance.ts'
import { ORIGINS, personAsking } from '../../sandbox/fiction/person.ts'
import { type EventRow, freeze } from '../../webhooks/events.ts'
import { momentOf, ulid } from '../../webhooks/ulid.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const OF_CATALOGUE = 0.08
const ASKS_AGAIN = 0.04

/** Who is asked, about what, where, and what time it is. */
export interface Asked {
  agencia: Agencia
  listings: readonly Publicacion[]
  land: Land
  now: Date
}

/** The inquiries that came at those moments, oldest first. */
export function inquiriesOf(of: Asked, moments: readonly Date[], chance: Chance): Past[] {
  const past: Past[] = []
  for (const moment of moments) {
    const former = past.at(-1)
    const again = former && chance.next() < ASKS_AGAIN && withinADay(former, moment)
    past.push(again ? askedAgain(former, moment, chance) : asked(of, moment, chance))
  }
  return past
}

const withinADay = ({ consulta }: Past, moment: Date): boolean =>
  moment.getTime() - momentOf(consulta.sid).getTime() < DAY_MS && consulta.tipoAnuncio === 'publicacion'

function asked({ agencia, listings, land, now }: Asked, moment: Date, chance: Chance): Past {
  const [marca, modelo, version] = chance.pick(CARS)
  const listing = listings.length > 0 && chance.next() > OF_CATALOGUE ? chance.pick(listings) : undefined
  const auto = listing ? listedAuto(listing) : catalogueAuto({ marca, modelo, version })
  const estado = workedOn(now.getTime() - moment.getTime(), chance)
  const origenLead = chance.weighted(ORIGINS)
  const consulta: Consulta = {
    sid: sidAt(moment, chance),
    modo: agencia.modo,
    agenciaId: agencia.id,
    fuente: listing?.appId ?? CATALOGO,
    tipoAnuncio: listing ? 'publicacion' : 'catalogo',
    origenLead,
    auto: JSON.stringify(auto),
    interesado: JSON.stringify(personAsking(auto, origenLead, agencia, land, chance)),
    operador: listing?.operador ?? agencia.adminMail,
    estado,
    repite: null,
  }
  const estadoAt = estado === 'nueva' ? null : later(moment, now, chance)
  return { consulta, publicacionId: listing?.id ?? null, externalId: listing?.externalId ?? null, estadoAt }
}

/** Nobody answered yet, and the same person insists. */
function askedAgain({ consulta, publicacionId, externalId }: Past, moment: Date, chance: Chance): Past {
  const interesado = { ...JSON.parse(consulta.interesado), Comentario: 'Hola, ¿pudieron ver mi consulta? Gracias' }
  const again: Consulta = {
    ...consulta,
    sid: sidAt(moment, chance),
    interesado: JSON.stringify(interesado),
    estado: 'nueva',
    repite: consulta.repite ?? consulta.sid,
  }
  return { consulta: again, publicacionId, externalId, estadoAt: null }
}

/** A ULID of chance, so that it is the same every time. */
const sidAt = (moment: Date, chance: Chance): string =>
  ulid(moment.getTime(), Buffer.from(Array.from({ length: 10 }, () => chance.between(0, 255))))

/** Some hours after it came, but not in the future. */
const later = (moment: Date, now: Date, chance: Chance): Date =>
  new Date(Math.min(now.getTime(), moment.getTime() + chance.between(1, 40) * HOUR_MS))

/** How far the dealership got with it, by its age. */
function workedOn(ageMs: number, chance: Chance): EstadoConsulta {
  if (ageMs < 6 * HOUR_MS) return 'nueva'
  if (ageMs < 2 * DAY_MS)
    return chance.weighted([
      ['nueva', 4],
      ['leida', 4],
      ['contactada', 3],
    ])
  if (ageMs < 14 * DAY_MS)
    return chance.weighted([
      ['nueva', 1],
      ['leida', 3],
      ['contactada', 8],
      ['vendida', 1],
    ])
  return chance.weighted([
    ['leida', 2],
    ['contactada', 6],
    ['vendida', 1],
    ['descartada', 5],
  ])
}

/** What the app was told then: the inquiry as it was, new. */
export function eventsOf(
  app: App,
  agencia: Agencia,
  past: readonly Past[],
  { timeZone, catalogo }: { timeZone: string; catalogo: boolean },
): EventRow[] {
  const { id, adminMail } = agencia
  const about = { id, adminMail, ...agenciaRef(agencia) }
  return past
    .filter(({ consulta: { fuente } }) => fuente === app.id || catalogo)
    .map(({ consulta }) => {
      const Consulta = consultaEntry({ ...consulta, estado: 'nueva' }, adminMail, timeZone)
      const told = { appId: app.id, topic: 'consulta.recibida', agencia: about, sid: consulta.sid } as const
      return freeze({ ...told, moment: momentOf(consulta.sid), timeZone, body: { Consulta } })
    })
}
