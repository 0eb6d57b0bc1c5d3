import sql from 'sql-template-tag'
import { toTimestamp } from '../http/dates.ts'
import type { Db } from '../store/db.ts'
import type { Topic } from './topics.ts'
import { ulid } from './ulid.ts'

export interface Announcement {
  appId: number
  topic: Topic
  agencia: { id: number; adminMail: string; href: string; title: string }
  moment: Date
  timeZone: string
  /** What the topic adds to the payload: `Consulta`, `Por` … */
  body?: Record<string, unknown>
}

/**
 * Writes what happened for the app it concerns, in the transaction of the fact, whether or not anyone listens. The
 * payload is frozen here, byte for byte (decisions, "Events and their delivery"); its id is returned.
 */
export async function announce(tx: Db, about: Announcement): Promise<string> {
  const { appId, topic, agencia, moment, timeZone, body = {} } = about
  const id = ulid(moment.getTime())
  const payload = JSON.stringify({
    Id: id,
    Topic: topic,
    Version: 1,
    Momento: toTimestamp(moment, timeZone),
    Agencia: { href: agencia.href, title: agencia.title },
    AdminMail: agencia.adminMail,
    ...body,
  })
  await tx.query(sql`
    insert into events (id, app_id, agencia_id, topic, payload)
    values (${id}, ${appId}, ${agencia.id}, ${topic}, ${payload})`)
  return id
}

/** Takes an agency's events from an app that no longer sees it; that the association ended stays told. */
export async function withdrawEvents(tx: Db, appId: number, agenciaId: number): Promise<void> {
  await tx.query(sql`
    delete from events
    where app_id = ${appId} and agencia_id = ${agenciaId} and topic <> 'agencia.desasociada'`)
}
