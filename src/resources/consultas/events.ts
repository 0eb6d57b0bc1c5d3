import sql, { empty, type Sql } from 'sql-template-tag'
import type { Country } from '../../config.ts'
import type { Db } from '../../store/db.ts'
import { momentOf } from '../../ulid.ts'
import { eraseAnswers } from '../../webhooks/event-deliveries.ts'
import { buildEvent, type EventRow, insertEvents } from '../../webhooks/events.ts'
import type { Topic } from '../../webhooks/topics.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { agenciaRef } from '../agencias/represent.ts'
import { type Consulta, consultaHref, serializeConsulta } from './consulta.ts'
import { EMPTY_PERSON } from './person.ts'
import { showsSource } from './scope.ts'

interface EventOptions {
  topic: Extract<Topic, 'consulta.recibida' | 'consulta.modificada'>
  moment: Date
  timeZone: string
  country: Country
  traceparent?: string | undefined
}

/** One event for each of the apps, with the inquiry as the API shows it. */
export function consultaEvents(
  apps: readonly number[],
  consulta: Consulta,
  { id, adminMail, nombre }: Pick<Agencia, 'id' | 'adminMail' | 'nombre'>,
  options: EventOptions,
): EventRow[] {
  if (apps.length === 0) return []
  const agencia = { id, adminMail, ...agenciaRef({ adminMail, nombre }) }
  const { country, ...about } = options
  const serialized = `"Consulta":${serializeConsulta(consulta, { adminMail, timeZone: options.timeZone, country })}`
  return apps.map((appId) => buildEvent({ ...about, appId, agencia, sid: consulta.sid, serialized }))
}

const BATCH = 500

interface ErasedConsulta {
  sid: string
  agenciaId: number
  fuente: number
}

interface Notified extends ErasedConsulta {
  appId: number
  adminMail: string
  nombre: string
}

/** Writes an event for every app that has an inquiry of the person, and says how many apps. Locks their associations. */
export async function notifyErasure(
  tx: Db,
  consultas: ErasedConsulta[],
  { moment, timeZone }: { moment: Date; timeZone: string },
): Promise<number> {
  const notified = await appsWith(tx, consultas, sql`for share of s`)
  for (let at = 0; at < notified.length; at += BATCH) {
    const events = notified.slice(at, at + BATCH).map(({ appId, sid, agenciaId, adminMail, nombre }) =>
      buildEvent({
        appId,
        topic: 'consulta.suprimida',
        agencia: { id: agenciaId, adminMail, ...agenciaRef({ adminMail, nombre }) },
        moment,
        timeZone,
        sid,
        body: { Consulta: { href: consultaHref(adminMail, sid) } },
      }),
    )
    await insertEvents(tx, events)
  }
  return countApps(notified)
}

/** How many apps `notifyErasure` would notify. */
export const countErasureApps = async (db: Db, consultas: ErasedConsulta[]): Promise<number> =>
  countApps(await appsWith(db, consultas, empty))

const countApps = (notified: Notified[]): number => new Set(notified.map(({ appId }) => appId)).size

/** Also apps that left the agency since: their events are gone, but they may still have the data. */
async function appsWith(db: Db, consultas: ErasedConsulta[], lock: Sql): Promise<Notified[]> {
  const rows = await db.query<Notified>(sql`
    select c.sid, c.agencia_id as "agenciaId", c.fuente, s.app_id as "appId", g.admin_mail as "adminMail", g.nombre
    from unnest(${consultas.map(({ sid }) => sid)}::text[], ${consultas.map(({ agenciaId }) => agenciaId)}::int[],
                ${consultas.map(({ fuente }) => fuente)}::int[], ${consultas.map(({ sid }) => momentOf(sid))}::timestamptz[])
      as c (sid, agencia_id, fuente, momento)
    join agencias g on g.id = c.agencia_id
    join asociaciones s on s.agencia_id = c.agencia_id and coalesce(s.ended_at >= c.momento, true)
    where ${showsSource(sql`c.fuente`)}
       or exists (select from events e where e.sid = c.sid collate "C" and e.app_id = s.app_id)
    order by s.id, c.sid ${lock}`)
  // An app that left and came back has several associations.
  return [...new Map(rows.map((row) => [`${row.appId} ${row.sid}`, row])).values()]
}

/** Removes the person from the payloads of events, whose members stay, and deletes what receivers answered. */
export async function eraseFromEvents(tx: Db, sids: string[]): Promise<{ eventos: number; respuestas: number }> {
  let eventos = 0
  let respuestas = 0
  for (let at = 0; at < sids.length; at += BATCH) {
    const events = await tx.query<{ id: string; payload: string }>(sql`
      select id, payload from events
      where sid = any (${sids.slice(at, at + BATCH)}::text[]) and topic in ('consulta.recibida', 'consulta.modificada')
      order by id for no key update`)
    const ids = events.map(({ id }) => id)
    await tx.query(sql`
      update events e set payload = erased.payload
      from unnest(${ids}::text[], ${events.map(({ payload }) => withoutPerson(payload))}::text[]) as erased (id, payload)
      where e.id = erased.id collate "C"`)
    eventos += events.length
    respuestas += await eraseAnswers(tx, ids)
  }
  return { eventos, respuestas }
}

function withoutPerson(payload: string): string {
  const event = JSON.parse(payload)
  return JSON.stringify({
    ...event,
    Consulta: { ...event.Consulta, Interesado: { ...EMPTY_PERSON, TelefonoE164: null } },
  })
}
