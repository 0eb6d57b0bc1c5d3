import type { App } from '../../apps/app.ts'
import { agenciasNamed } from '../../resources/agencias/named.ts'
import { findAgencia } from '../../resources/agencias/store.ts'
import type { Db } from '../../store/db.ts'
import type { AppFilter } from '../../webhooks/app-log.ts'
import { ESTADOS_ENTREGA, type EstadoEntrega } from '../../webhooks/log.ts'
import { TOPICS } from '../../webhooks/topics.ts'
import { choiceParam, type Query, textParam } from '../params.ts'
import { firstInstant, idAt, instantAfter } from './period.ts'

/** What did not arrive, whatever the reason: where most searches begin. */
export const UNSENT = 'sin-entregar'
const ESTADOS = [...ESTADOS_ENTREGA, UNSENT] as const
type Estado = (typeof ESTADOS)[number]

/** What people wrote into the form above the log; it stands in the address, so that a search can be sent to a colleague. */
export interface Filters {
  /** An event, an inquiry or an agency. */
  q?: string | undefined
  topic?: string | undefined
  estado?: Estado | undefined
  desde?: string | undefined
  hasta?: string | undefined
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const MOST_AGENCIAS = 20

/** What makes no sense is as if it had not been said. */
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

/** Whether all that was written means something: a search may leave the rest out, an action would do more than was meant. */
export const isUnderstood = (query: Query, filters: Filters): boolean =>
  Object.entries(addressed(filters)).every(([name, value]) => value !== undefined || !query[name])

/** Without what was not asked for, as an address has it. */
export const addressed = ({ q, topic, estado, desde, hasta }: Filters) => ({ q, topic, estado, desde, hasta })

/** What that means to the log. Words that are neither an id nor a mail are part of an agency's name. */
export async function filterOf(db: Db, app: App, filters: Filters, timeZone: string): Promise<AppFilter> {
  const { q, topic, estado, desde, hasta } = filters
  const [from, until] = [desde && firstInstant(desde, timeZone), hasta && instantAfter(hasta, timeZone)]
  return {
    topic,
    estados: estadosOf(estado),
    ...(typeof from === 'number' && { from: idAt(from) }),
    ...(typeof until === 'number' && { until: idAt(until) }),
    ...(q !== undefined && (await meantBy(db, app, q))),
  }
}

export function estadosOf(estado: Estado | undefined): EstadoEntrega[] | undefined {
  if (estado === undefined) return undefined
  return estado === UNSENT ? ['fallida', 'descartada'] : [estado]
}

async function meantBy(db: Db, app: App, q: string): Promise<AppFilter> {
  const id = q.toUpperCase()
  if (ULID.test(id)) return { about: id }
  if (!q.includes('@')) return { agencias: await agenciasNamed(db, app, q, MOST_AGENCIAS) }
  const agencia = await findAgencia(db, app, q)
  return agencia ? { agencias: [agencia.id] } : { formerMail: q.toLowerCase() }
}
