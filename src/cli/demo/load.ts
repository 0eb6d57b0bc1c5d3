import sql from 'sql-template-tag'
import type { Country } from '../../config.ts'
import { type Consulta, INSERT_COLUMNS, interesadoOf } from '../../resources/consultas/consulta.ts'
import { insertRow } from '../../resources/consultas/insert.ts'
import { columnNames, rowsAsTable, sqlColumn } from '../../store/columns.ts'
import type { Db } from '../../store/db.ts'
import { momentOf } from '../../ulid.ts'
import type { EventRow } from '../../webhooks/events.ts'

export interface PastConsulta {
  consulta: Consulta
  publicacionId: number | null
  externalId: string | null
  /** When its state was last set; null: it is new. */
  estadoAt: Date | null
}

const AT_ONCE = 500

const PAST_COLUMNS = { ...INSERT_COLUMNS, estadoAt: sqlColumn<Date | null>('estado_at', 'timestamptz') }

/** Inserts inquiries of the past in bulk, without events or counts: `rebuildCounts` counts them afterwards. */
export async function loadConsultas(tx: Db, past: PastConsulta[], country: Country): Promise<void> {
  for (let at = 0; at < past.length; at += AT_ONCE) {
    const rows = past.slice(at, at + AT_ONCE).map((each) => ({
      ...insertRow(each.consulta, interesadoOf(each.consulta), each, { country }),
      estadoAt: each.estadoAt,
    }))
    await tx.query(sql`
      insert into consultas (${columnNames(PAST_COLUMNS)})
      select ${columnNames(PAST_COLUMNS)} from ${rowsAsTable(PAST_COLUMNS, rows)}`)
  }
}

/** Inserts events of the past in bulk; webhooks that exist now do not receive them. */
export async function loadEvents(tx: Db, events: EventRow[]): Promise<void> {
  for (let at = 0; at < events.length; at += AT_ONCE) {
    const rows = events.slice(at, at + AT_ONCE).map((event) => ({ ...event, at: momentOf(event.id) }))
    await tx.query(sql`
      insert into events (id, app_id, agencia_id, topic, sid, payload, created_at)
      select id, "appId", "agenciaId", topic, sid, payload, at
      from json_to_recordset(${JSON.stringify(rows)}) as row (
        id text, "appId" int, "agenciaId" int, topic text, sid text, payload text, at timestamptz)`)
  }
}
