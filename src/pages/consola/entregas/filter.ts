import { agenciasWithMail, listAgenciasForStaff } from '../../../resources/agencias/staff.ts'
import type { Db } from '../../../store/db.ts'
import type { AppFilter } from '../../../webhooks/app-log.ts'
import { estadosOf, type Filters } from '../../entregas/filters.ts'
import { firstInstant, idAt, instantAfter } from '../../entregas/period.ts'

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const MOST_AGENCIAS = 20

/** What somebody looks for in the log of all apps. Words that are neither an id nor a mail are part of an agency's name. */
export async function meantBy(db: Db, filters: Filters, timeZone: string): Promise<AppFilter> {
  const { q, topic, estado, desde, hasta } = filters
  const [from, until] = [desde && firstInstant(desde, timeZone), hasta && instantAfter(hasta, timeZone)]
  return {
    topic,
    estados: estadosOf(estado),
    ...(typeof from === 'number' && { from: idAt(from) }),
    ...(typeof until === 'number' && { until: idAt(until) }),
    ...(q !== undefined && (await aboutOf(db, q, timeZone))),
  }
}

async function aboutOf(db: Db, q: string, timeZone: string): Promise<AppFilter> {
  const id = q.toUpperCase()
  if (ULID.test(id)) return { about: id }
  if (q.includes('@')) return { agencias: await agenciasWithMail(db, q) }
  const { rows } = await listAgenciasForStaff(db, { q }, timeZone, { limit: MOST_AGENCIAS })
  return { agencias: rows.map((agencia) => agencia.id) }
}
