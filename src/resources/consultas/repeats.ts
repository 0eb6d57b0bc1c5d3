import sql, { type Sql } from 'sql-template-tag'
import { firstUlid } from '../../webhooks/ulid.ts'
import type { Interesado } from './consulta.ts'
import { keysOf } from './person.ts'

const WITHIN_MS = 24 * 3_600_000 // decisions, issue of "Consultas": repeats within 24 h

/** The first inquiry by the same person, by mail or telephone, about the listing `p` in the last day. */
export function firstByPerson(interesado: Interesado, moment: Date): Sql {
  const { email, telefono } = keysOf(interesado)
  return sql`(
    select min(c.sid) from consultas c
    where c.publicacion_id = p.id and c.sid >= ${firstUlid(new Date(moment.getTime() - WITHIN_MS))}
      and (c.email = ${email} or c.telefono = ${telefono}))`
}
