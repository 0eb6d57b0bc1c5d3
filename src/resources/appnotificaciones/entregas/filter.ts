import type { App } from '../../../apps/app.ts'
import { addDays, isDay, startOfDay } from '../../../http/dates.ts'
import { type Errors, invalid } from '../../../http/problems.ts'
import type { Db } from '../../../store/db.ts'
import { ESTADOS_ENTREGA, type EstadoEntrega, type TopicFilter } from '../../../webhooks/delivery-log.ts'
import { firstUlid } from '../../../webhooks/ulid.ts'
import { findAgencia } from '../../agencias/read.ts'
import type { Filters, ReenviarQuery } from './schema.ts'

/** What a query asks for, the agency aside; 400 where it cannot be. */
export function readFilter(query: Filters, timeZone: string): TopicFilter {
  const errors: Errors = {}
  const estados = query.estado?.split(',').map((estado) => estado.trim())
  if (estados && !estados.every(isEstado)) errors.estado = [`Debe ser uno de: ${ESTADOS_ENTREGA.join(', ')}.`]
  const first = query.desde === undefined ? undefined : firstInstant(query.desde, timeZone)
  const end = query.hasta === undefined ? undefined : instantAfter(query.hasta, timeZone)
  if (Number.isNaN(first)) errors.desde = [NO_MOMENT]
  if (Number.isNaN(end)) errors.hasta = [NO_MOMENT]
  if (first !== undefined && end !== undefined && end <= first) errors.hasta = ['No puede ser anterior a desde.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return {
    estados: estados as EstadoEntrega[] | undefined,
    evento: query.evento,
    sid: query.sid,
    from: first === undefined ? undefined : idAt(first),
    until: end === undefined ? undefined : idAt(end),
  }
}

export const filtersOf = ({ estado, adminMail, evento, sid, desde, hasta }: Filters) => {
  return { estado, adminMail, evento, sid, desde, hasta }
}

/** 400 unless a resend says which deliveries it means: by a filter, or by `todo=true`; both would contradict each other. */
export function requireScope(query: ReenviarQuery): void {
  const isFiltered = hasFilter(query)
  if (query.todo && isFiltered) throw invalid({ todo: ['Con todo=true no van filtros: quite uno u otros.'] })
  if (!query.todo && !isFiltered) throw invalid({ _: ['Indique al menos un filtro, o todo=true para reenviar todo.'] })
}

export const hasFilter = (query: Filters): boolean =>
  Object.values(filtersOf(query)).some((value) => value !== undefined)

/** Filters stand in the address: one in the body would be passed by, and everything there is sent again instead. */
export function refuseFilters(body: unknown): void {
  const names = Object.keys(typeof body === 'object' && body !== null ? body : {})
  if (names.length > 0)
    throw invalid(
      Object.fromEntries(names.map((name) => [name, ['Los filtros van en la dirección, no en el cuerpo.']])),
    )
}

/**
 * Which agency is meant: as everywhere, by its present address or a former one. Of one that is no longer the app's, only
 * the end of the association stays told, under the address it had then; any other is as absent as one that never was.
 */
export async function agenciaMeant(
  db: Db,
  app: App,
  topic: string,
  adminMail: string | undefined,
): Promise<TopicFilter['agencia']> {
  if (adminMail === undefined) return undefined
  const agencia = await findAgencia(db, app, adminMail)
  if (agencia) return { id: agencia.id }
  return topic === 'agencia.desasociada' ? { adminMail: adminMail.toLowerCase() } : null
}

const NO_MOMENT = 'Debe ser una fecha y hora ISO 8601.'

const isEstado = (text: string): text is EstadoEntrega => (ESTADOS_ENTREGA as readonly string[]).includes(text)

const firstInstant = (value: string, timeZone: string): number =>
  isDay(value) ? startOf(value, timeZone) : Date.parse(value)

const instantAfter = (value: string, timeZone: string): number =>
  isDay(value) ? Math.max(1, startOf(addDays(value, 1), timeZone)) : Date.parse(value) + 1

/** Ids begin in 1970, and end long after the four digits of a year, which the day after 9999 no longer has. */
function startOf(day: string, timeZone: string): number {
  if (day.startsWith('+')) return FAR_MS
  return day < '1971' ? 0 : startOfDay(day, timeZone).getTime()
}

const FAR_MS = Date.UTC(10_000, 0)

const idAt = (ms: number): string => firstUlid(new Date(Math.max(0, ms)))
