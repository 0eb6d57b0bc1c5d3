import type { App } from '../../../apps/app.ts'
import { dayEndMs, dayStartMs, isDay } from '../../../http/dates.ts'
import { type FaultMap, fault, invalid, refuse } from '../../../http/problems.ts'
import type { Db } from '../../../store/db.ts'
import { firstUlid } from '../../../ulid.ts'
import { FIRST_DESTINO } from '../../../webhooks/delivery-ids.ts'
import { ESTADOS_ENTREGA, type EstadoEntrega } from '../../../webhooks/delivery-log.ts'
import type { TopicFilter } from '../../../webhooks/topic-log.ts'
import { findAgencia } from '../../agencias/read.ts'
import type { Filters, ReenviarQuery } from './schema.ts'

/** The filter in a query, without the agency; 400 with all faults. */
export function readFilter(query: Filters, timeZone: string): TopicFilter {
  const errors: FaultMap = {}
  const estados = query.estado?.split(',').map((estado) => estado.trim())
  if (estados && !estados.every(isEstado))
    errors.estado = [fault('opcion', `Debe ser uno de: ${ESTADOS_ENTREGA.join(', ')}.`)]
  const first = query.desde === undefined ? undefined : firstInstant(query.desde, timeZone)
  const end = query.hasta === undefined ? undefined : instantAfter(query.hasta, timeZone)
  if (Number.isNaN(first)) errors.desde = [NO_MOMENT]
  if (Number.isNaN(end)) errors.hasta = [NO_MOMENT]
  if (first !== undefined && end !== undefined && end <= first)
    errors.hasta = [fault('fuera-de-rango', 'No puede ser anterior a desde.')]
  refuse(errors)
  return {
    destino: query.destino ?? FIRST_DESTINO,
    estados: estados as EstadoEntrega[] | undefined,
    evento: query.evento,
    sid: query.sid,
    from: first === undefined ? undefined : idAt(first),
    until: end === undefined ? undefined : idAt(end),
  }
}

export const filtersOf = ({ destino, ...query }: Filters) => ({ ...narrowing(query), destino })

/** Those that select some of a webhook's deliveries. */
const narrowing = ({ estado, adminMail, evento, sid, desde, hasta }: Filters) => {
  return { estado, adminMail, evento, sid, desde, hasta }
}

/** 400 unless a resend has either a filter or `todo=true`. */
export function requireScope(query: ReenviarQuery): void {
  const isFiltered = hasFilter(query)
  if (query.todo && isFiltered)
    throw invalid({ todo: [fault('incompatible', 'Con todo=true no van filtros: quite todo=true o los filtros.')] })
  if (!query.todo && !isFiltered)
    throw invalid({ _: [fault('requerido', 'Indique al menos un filtro, o todo=true para reenviar todo.')] })
}

export const hasFilter = (query: Filters) => Object.values(narrowing(query)).some((value) => value !== undefined)

/** Refuses filters in the body: ignoring them would resend everything. */
export function refuseBodyFilters(body: unknown): void {
  const names = Object.keys(typeof body === 'object' && body !== null ? body : {})
  refuse(Object.fromEntries(names.map((name) => [name, [IN_BODY]])))
}

/**
 * The agency of a filter, by its present address or a former one. Of an agency that left, the app still sees
 * `agencia.desasociada`, under the address of then; other agencies do not exist for it.
 */
export async function agenciaFilter(db: Db, app: App, topic: string, adminMail: string | undefined) {
  if (adminMail === undefined) return undefined
  const agencia = await findAgencia(db, app, adminMail)
  if (agencia) return { id: agencia.id }
  return topic === 'agencia.desasociada' ? { adminMail: adminMail.toLowerCase() } : null
}

const NO_MOMENT = fault('formato', 'Debe ser una fecha y hora ISO 8601.')
const IN_BODY = fault('desconocido', 'Los filtros van en la dirección, no en el cuerpo.')

const isEstado = (text: string): text is EstadoEntrega => (ESTADOS_ENTREGA as readonly string[]).includes(text)

const firstInstant = (value: string, timeZone: string) =>
  isDay(value) ? dayStartMs(value, timeZone) : Date.parse(value)

const instantAfter = (value: string, timeZone: string) =>
  isDay(value) ? dayEndMs(value, timeZone) : Date.parse(value) + 1

const idAt = (ms: number): string => firstUlid(new Date(Math.max(0, ms)))
