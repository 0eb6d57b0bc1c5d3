import { addDays, isDay, startOfDay, toTimestamp } from '../../http/dates.ts'
import { ESTADOS_ENTREGA, type EstadoEntrega, type LogFilter } from '../../webhooks/delivery-log.ts'
import { TOPICS } from '../../webhooks/topics.ts'
import { firstUlid } from '../../webhooks/ulid.ts'
import { fieldId } from '../fields.tsx'
import { FilterField, FilterSelect } from '../filter.tsx'
import { choiceParam, type Query, textParam } from '../params.ts'

const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?$/
const MINUTE_MS = 60_000

/** The first instant that a day or a local time stands for (`2026-03-14`, `2026-03-14T09:30`); undefined for anything else. */
export function firstInstant(text: string, timeZone: string): number | undefined {
  if (isDay(text)) return text < '1971' ? 0 : startOfDay(text, timeZone).getTime()
  const [, day = '', hour, minute] = LOCAL.exec(text) ?? []
  if (!isDay(day) || day < '1971' || Number(hour) > 23 || Number(minute) > 59) return undefined
  const asUtc = Date.parse(`${text}Z`)
  return Number.isNaN(asUtc) ? undefined : asUtc - offsetMs(asUtc - offsetMs(asUtc, timeZone), timeZone)
}

/** The first instant after it: the day, the minute or the second is meant whole. */
export function instantAfter(text: string, timeZone: string): number | undefined {
  if (isDay(text)) return text >= '9999' ? undefined : firstInstant(addDays(text, 1), timeZone)
  const first = firstInstant(text, timeZone)
  return first === undefined ? undefined : first + (text.length > 16 ? 1000 : MINUTE_MS)
}

/** The ids of a period: events are found by when they were made. */
export const idAt = (instant: number): string => firstUlid(new Date(Math.max(0, instant)))

/** A moment as the fields of a form have it, to the second. */
export const asLocal = (moment: Date, timeZone: string): string => toTimestamp(moment, timeZone).slice(0, 19)

/** How far the zone is from UTC at that instant. */
function offsetMs(instant: number, timeZone: string): number {
  return Date.parse(`${toTimestamp(new Date(instant), timeZone).slice(0, 23)}Z`) - instant
}

/** Filter value for everything that did not arrive, failed or discarded. */
export const UNSENT = 'sin-entregar'
const ESTADOS = [...ESTADOS_ENTREGA, UNSENT] as const

const ESTADO_CHOICES = [
  [UNSENT, 'Sin entregar (fallidas y descartadas)'],
  ['pendiente', 'Pendientes'],
  ['entregada', 'Entregadas'],
  ['fallida', 'Fallidas'],
  ['descartada', 'Descartadas'],
] as const

/** The filters of the delivery log, as they stand in the query string. */
export interface Filters {
  /** The id of an event or an inquiry, or the name or email of an agency. */
  q?: string | undefined
  topic?: string | undefined
  estado?: (typeof ESTADOS)[number] | undefined
  desde?: string | undefined
  hasta?: string | undefined
}

/** Invalid values count as absent. */
export function parseFilters(query: Query, timeZone: string): Filters {
  const moment = (name: string) => {
    const text = textParam(query, name)
    return text !== undefined && firstInstant(text, timeZone) !== undefined ? text : undefined
  }
  return {
    q: textParam(query, 'q'),
    topic: choiceParam(query, 'topic', TOPICS),
    estado: choiceParam(query, 'estado', ESTADOS),
    desde: moment('desde'),
    hasta: moment('hasta'),
  }
}

const FILTER_NAMES = ['q', 'topic', 'estado', 'desde', 'hasta'] as const

/** The filters that are set. */
export const setFilters = (filters: Filters): Filters =>
  Object.fromEntries(FILTER_NAMES.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])))

/** Whether every filter in the query is valid. A search may ignore an invalid one; an action would affect too much. */
export const areFiltersValid = (query: Query, filters: Filters): boolean =>
  FILTER_NAMES.every((name) => filters[name] !== undefined || !query[name])

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** At most this many agencies match a name. */
export const MAX_AGENCIAS = 20

/** The query on the log. `findAgencias` resolves a text that is no id: an agency's email, or part of its name. */
export async function toLogFilter(
  { q, topic, estado, desde, hasta }: Filters,
  timeZone: string,
  findAgencias: (text: string) => Promise<LogFilter>,
): Promise<LogFilter> {
  const [from, until] = [desde && firstInstant(desde, timeZone), hasta && instantAfter(hasta, timeZone)]
  const id = q?.toUpperCase()
  return {
    topic,
    estados: estadosOf(estado),
    ...(typeof from === 'number' && { from: idAt(from) }),
    ...(typeof until === 'number' && { until: idAt(until) }),
    ...(q && id && (ULID.test(id) ? { about: id } : await findAgencias(q))),
  }
}

function estadosOf(estado: Filters['estado']): EstadoEntrega[] | undefined {
  if (estado === undefined) return undefined
  return estado === UNSENT ? ['fallida', 'descartada'] : [estado]
}

/** The fields of the search form. Events have no state of their own. */
export const FilterFields = ({ filters, of }: { filters: Filters; of: 'deliveries' | 'events' }) => (
  <>
    <FilterField
      name="q"
      label="Id, sid o agencia"
      value={filters.q}
      more={{ type: 'search', placeholder: 'Id del evento, sid de la consulta, correo o nombre de la agencia' }}
    />
    <FilterSelect name="topic" label="Topic" value={filters.topic} all="Todos" choices={TOPICS} />
    {of === 'deliveries' && (
      <FilterSelect name="estado" label="Estado" value={filters.estado} all="Todos" choices={ESTADO_CHOICES} />
    )}
    <LocalMoment name="desde" label="Desde" value={filters.desde} defaultTime="00:00" />
    <LocalMoment name="hasta" label="Hasta" value={filters.hasta} defaultTime="23:59" />
  </>
)

interface LocalMomentProps {
  name: string
  label: string
  value: string | undefined
  /** Shown where the value is a day without a time. */
  defaultTime: string
}

/** A day and time in the marketplace's zone. */
const LocalMoment = ({ name, label, value, defaultTime }: LocalMomentProps) => (
  <div>
    <label for={fieldId(name)}>{label}</label>
    <input
      id={fieldId(name)}
      name={name}
      type="datetime-local"
      value={value && (value.length === 10 ? `${value}T${defaultTime}` : value.slice(0, 16))}
    />
  </div>
)
