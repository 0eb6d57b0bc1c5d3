import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { EventRow } from '../../webhooks/events.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import { type Consulta, interesadoOf } from './consulta.ts'
import { keysOf } from './person.ts'

/** An inquiry that came some time ago, and the listing it is about. */
export interface Past {
  consulta: Consulta
  publicacionId: number | null
  externalId: string | null
  /** When its state was last set; null: it is new. */
  estadoAt: Date | null
}

const AT_ONCE = 500

/** Puts inquiries in that came some time ago, many at once. Whoever does so counts them afterwards (`rebuildCounts`). */
export async function loadConsultas(tx: Db, past: Past[]): Promise<void> {
  for (let at = 0; at < past.length; at += AT_ONCE) {
    const rows = past.slice(at, at + AT_ONCE).map(({ consulta, publicacionId, externalId, estadoAt }) => ({
      ...consulta,
      ...keysOf(interesadoOf(consulta)),
      ...{ publicacionId, externalKey: externalId?.toLowerCase() ?? null, estadoAt },
    }))
    await tx.query(sql`
      insert into consultas (sid, modo, agencia_id, fuente, publicacion_id, external_key, tipo_anuncio, origen_lead, auto,
        interesado, email, telefono, operador, estado, estado_at, repite)
      select sid, modo, "agenciaId", fuente, "publicacionId", "externalKey", "tipoAnuncio", "origenLead", auto, interesado,
        email, telefono, operador, estado, "estadoAt", repite
      from json_to_recordset(${JSON.stringify(rows)}) as row (
        sid text, modo text, "agenciaId" int, fuente int, "publicacionId" int, "externalKey" text, "tipoAnuncio" text,
        "origenLead" text, auto text, interesado text, email text, telefono text, operador text, estado text,
        "estadoAt" timestamptz, repite text)`)
  }
}

/** Puts in what apps were told then; whoever has a webhook by now is not told again. */
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
