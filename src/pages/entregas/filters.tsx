import { MINUTE_MS } from '../../clock.ts'
import { dayEndMs, dayStartMs, isDay, toTimestamp, wallClock } from '../../http/dates.ts'
import { t } from '../../i18n/messages.tsx'
import { firstUlid, isUlid } from '../../ulid.ts'
import { MAX_DESTINOS } from '../../webhooks/delivery-ids.ts'
import { ESTADOS_ENTREGA, type EstadoEntrega, type IdRange, type LogFilter } from '../../webhooks/delivery-log.ts'
import { TOPICS } from '../../webhooks/topics.ts'
import { type Filter, FilterField, type FilterValues, searchFilter, selectFilter } from '../filter.tsx'
import { textParam } from '../params.ts'

const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?$/

/** The first instant that a day or a local time stands for (`2026-03-14`, `2026-03-14T09:30`); undefined for anything else. */
export function firstInstant(text: string, timeZone: string): number | undefined {
  if (isDay(text)) return dayStartMs(text, timeZone)
  const [, day = '', hour, minute] = LOCAL.exec(text) ?? []
  if (!isDay(day) || day < '1971' || Number(hour) > 23 || Number(minute) > 59) return undefined
  const asUtc = Date.parse(`${text}Z`)
  return Number.isNaN(asUtc) ? undefined : asUtc - offsetMs(asUtc - offsetMs(asUtc, timeZone), timeZone)
}

/** The first instant after it: the day, the minute or the second is meant whole. */
export function instantAfter(text: string, timeZone: string): number | undefined {
  if (isDay(text)) return dayEndMs(text, timeZone)
  const first = firstInstant(text, timeZone)
  return first === undefined ? undefined : first + (text.length > 16 ? 1000 : MINUTE_MS)
}

/** The range of ids of a period: events and inquiries are found by when they were made. */
export function idsOf(desde: string | undefined, hasta: string | undefined, timeZone: string): IdRange {
  const idAt = (instant: number) => firstUlid(new Date(Math.max(0, instant)))
  const from = desde && firstInstant(desde, timeZone)
  const until = hasta && instantAfter(hasta, timeZone)
  return {
    ...(typeof from === 'number' && { from: idAt(from) }),
    ...(typeof until === 'number' && { until: idAt(until) }),
  }
}

/** A moment as the fields of a form have it, to the second. */
export const asLocal = (moment: Date, timeZone: string): string => toTimestamp(moment, timeZone).slice(0, 19)

/** How far the zone is from UTC at that instant. */
const offsetMs = (instant: number, timeZone: string): number =>
  wallClock(new Date(instant), timeZone).getTime() - instant

/** Filter value for everything that did not arrive, failed or discarded. */
export const UNSENT = 'sin-entregar'

/** A day and time in the marketplace's zone; `defaultTime` is shown where the value is a day without a time. */
const momentFilter = (label: string, defaultTime: string): Filter<string> => ({
  parse(query, name) {
    const text = textParam(query, name)
    return text !== undefined && firstInstant(text, 'UTC') !== undefined ? text : undefined
  },
  field(name, given) {
    const text = given === undefined ? '' : String(given)
    const value = text.length === 10 ? `${text}T${defaultTime}` : text.slice(0, 16)
    return <FilterField name={name} label={label} value={value} more={{ type: 'datetime-local' }} />
  },
  valueAt: (instant, timeZone) => asLocal(instant, timeZone).slice(0, 16),
})

/** The filters of the events. `q` is the id of an event or an inquiry, or the name or email of an agency. */
export const eventFilters = () => ({
  q: searchFilter(t('entregas.filter.q'), t('entregas.filter.qHint')),
  topic: selectFilter(t('entregas.topic'), t('entregas.filter.all'), TOPICS),
  ...periodFilters(),
})

export const periodFilters = (keptDays?: number) => ({
  desde: {
    ...momentFilter(t('entregas.filter.from'), '00:00'),
    group: t('entregas.filter.dates'),
    ...(keptDays && { keptDays }),
  },
  hasta: { ...momentFilter(t('entregas.filter.until'), '23:59'), group: t('entregas.filter.dates') },
})

/** The numbers of a topic's webhooks. */
const DESTINOS = Array.from({ length: MAX_DESTINOS }, (_, at) => String(at + 1))

const ESTADOS = [UNSENT, ...ESTADOS_ENTREGA] as const

export function deliveryFilters() {
  const { q, topic, ...period } = eventFilters()
  const estados = ESTADOS.map((estado) => [estado, t(`entregas.filter.${estado}`)] as const)
  return {
    q,
    topic,
    estado: selectFilter(t('entregas.estado'), t('entregas.filter.allDeliveries'), estados),
    destino: selectFilter(t('entregas.filter.destino'), t('entregas.filter.all'), DESTINOS),
    ...period,
  }
}

export type LogFilters = Partial<FilterValues<ReturnType<typeof deliveryFilters>>>

/** At most this many agencies match a name. */
export const MAX_AGENCIAS = 20

/** The query on the log. `findAgencias` resolves a text that is no id: an agency's email, or part of its name. */
export async function toLogFilter(
  { q, topic, estado, destino, desde, hasta }: LogFilters,
  timeZone: string,
  findAgencias: (text: string) => Promise<LogFilter>,
): Promise<LogFilter> {
  const id = q?.toUpperCase()
  return {
    topic,
    estados: estadosOf(estado),
    ...(destino && { destino: Number(destino) }),
    ...idsOf(desde, hasta, timeZone),
    ...(q && id && (isUlid(id) ? { about: id } : await findAgencias(q))),
  }
}

function estadosOf(estado: LogFilters['estado']): EstadoEntrega[] | undefined {
  if (estado === undefined) return undefined
  return estado === UNSENT ? ['fallida', 'descartada'] : [estado]
}
