import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { freeze, writeEvents } from '../../webhooks/events.ts'
import { forgetAnswers } from '../../webhooks/forget.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import { agenciaRef } from '../agencias/represent.ts'
import { ERASED } from './consulta.ts'
import { consultaHref } from './represent.ts'
import { showsSource } from './sight.ts'

const BATCH = 500

interface Suppressed {
  sid: string
  agenciaId: number
  fuente: number
}

interface Told extends Suppressed {
  appId: number
  adminMail: string
  nombre: string
}

/**
 * Tells every app that has an inquiry of that person, by an event or because it sees it, and says how many there are.
 * Their associations are held until the transaction ends.
 */
export async function tellSuppressed(
  tx: Db,
  consultas: Suppressed[],
  { moment, timeZone }: { moment: Date; timeZone: string },
): Promise<number> {
  const told = await appsWith(tx, consultas)
  for (let at = 0; at < told.length; at += BATCH) {
    const events = told.slice(at, at + BATCH).map(({ appId, sid, agenciaId, adminMail, nombre }) =>
      freeze({
        appId,
        topic: 'consulta.suprimida',
        agencia: { id: agenciaId, adminMail, ...agenciaRef({ adminMail, nombre }) },
        moment,
        timeZone,
        sid,
        body: { Consulta: { href: consultaHref(adminMail, sid) } },
      }),
    )
    await writeEvents(tx, events)
  }
  return new Set(told.map(({ appId }) => appId)).size
}

/**
 * An app that no longer sees the inquiry but was told of it has it too; and so has one that left the agency after the
 * inquiry came, whose other events are gone: whoever received it must hear that it was erased.
 */
async function appsWith(tx: Db, consultas: Suppressed[]): Promise<Told[]> {
  const rows = await tx.query<Told>(sql`
    select c.sid, c.agencia_id as "agenciaId", c.fuente, s.app_id as "appId", g.admin_mail as "adminMail", g.nombre
    from unnest(${consultas.map(({ sid }) => sid)}::text[], ${consultas.map(({ agenciaId }) => agenciaId)}::int[],
                ${consultas.map(({ fuente }) => fuente)}::int[], ${consultas.map(({ sid }) => momentOf(sid))}::timestamptz[])
      as c (sid, agencia_id, fuente, momento)
    join agencias g on g.id = c.agencia_id
    join asociaciones s on s.agencia_id = c.agencia_id and coalesce(s.ended_at >= c.momento, true)
    where ${showsSource(sql`c.fuente`)}
       or exists (select from events e where e.sid = c.sid collate "C" and e.app_id = s.app_id)
    order by s.id, c.sid for share of s`)
  // One that left and came back has several associations.
  return [...new Map(rows.map((told) => [`${told.appId} ${told.sid}`, told])).values()]
}

/** The events that say who asked say so no more, their members where they were; and what receivers answered is forgotten. */
export async function emptyEvents(tx: Db, sids: string[]): Promise<{ eventos: number; respuestas: number }> {
  let [eventos, respuestas] = [0, 0]
  for (let at = 0; at < sids.length; at += BATCH) {
    const events = await tx.query<{ id: string; payload: string }>(sql`
      select id, payload from events
      where sid = any (${sids.slice(at, at + BATCH)}::text[]) and topic in ('consulta.recibida', 'consulta.modificada')
      order by id for no key update`)
    const ids = events.map(({ id }) => id)
    await tx.query(sql`
      update events e set payload = emptied.payload
      from unnest(${ids}::text[], ${events.map(({ payload }) => emptied(payload))}::text[]) as emptied (id, payload)
      where e.id = emptied.id collate "C"`)
    eventos += events.length
    respuestas += await forgetAnswers(tx, ids)
  }
  return { eventos, respuestas }
}

function emptied(payload: string): string {
  const event = JSON.parse(payload)
  return JSON.stringify({ ...event, Consulta: { ...event.Consulta, Interesado: ERASED } })
}
