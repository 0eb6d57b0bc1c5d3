import sql, { type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import { dayOf } from '../../http/dates.ts'
import type { Db } from '../../store/db.ts'
import { unseenList, unseenNumbers } from '../../store/unseen.ts'
import { type EventRow, freeze, written } from '../../webhooks/events.ts'
import { ulid } from '../../webhooks/ulid.ts'
import { agenciaRef } from '../agencias/represent.ts'
import { type Auto, CATALOGO, type Consulta, type Interesado, type OrigenLead } from './consulta.ts'
import { countAllSql } from './counts.ts'
import { CLAIMED, type Once } from './idempotency.ts'
import type { Candidate } from './lookup.ts'
import { POSTED } from './notify.ts'
import { keysOf } from './person.ts'
import { consultaText } from './represent.ts'

/** Where an inquiry comes from. */
export interface Origin {
  modo: Modo
  /** The marketplace's site that hands it in; null: this server's own form. */
  sitioId: number | null
  once?: Once | undefined
  /** The version of the text that the person agreed to. */
  consentimiento?: string
  /** The W3C trace that it belongs to. */
  traceparent?: string | undefined
}

/** An inquiry that has been understood. */
export interface Draft {
  origin: Origin
  origenLead: OrigenLead
  interesado: Interesado
  meant: Candidate
  auto: Auto
  operador: string
}

/**
 * Keeps inquiries, counts them, tells the apps that see them and posts their letters: one statement, and so one
 * transaction. Undefined for those whose key another request had a moment before.
 */
export async function insertConsultas(
  db: Db,
  drafts: Draft[],
  moment: Date,
  timeZone: string,
): Promise<(Consulta | undefined)[]> {
  const consultas = drafts.map((draft) => consultaFrom(draft, moment))
  const events = consultas.flatMap((consulta, at) => eventsOf(drafts[at] as Draft, consulta, moment, timeZone))
  const [done] = await db.query<{ sids: string[]; lanes: number[] }>(
    sql`
      with drafted as (${drafted(drafts, consultas)}), ${CLAIMED}, received as (${INSERT}),
      kept as (select drafted.* from drafted join received using (sid)),
      counted as (${countAllSql(dayOf(moment, timeZone))}), ${POSTED},
      alive as materialized (${stillSeeing(events)}),
      ${written(events, sql`sid in (select sid from received) and (app_id, agencia_id) in (select * from alive)`)}
      select array(select sid from received) as sids,
        array(select distinct webhook_id from put where estado = 'pendiente') as lanes`,
    'keep-plan',
  )
  db.notify('mails')
  for (const lane of done?.lanes ?? []) db.notify(`deliveries:${lane}`)
  const kept = new Set(done?.sids)
  return consultas.map((consulta) => (kept.has(consulta.sid) ? consulta : undefined))
}

const consultaFrom = (draft: Draft, moment: Date): Consulta => ({
  sid: ulid(moment.getTime()),
  modo: draft.origin.modo,
  agenciaId: draft.meant.agenciaId,
  fuente: draft.meant.appId ?? CATALOGO,
  tipoAnuncio: draft.meant.publicacionId === null ? 'catalogo' : 'publicacion',
  origenLead: draft.origenLead,
  auto: JSON.stringify(draft.auto),
  interesado: JSON.stringify(draft.interesado),
  operador: draft.operador,
  estado: 'nueva',
  repite: draft.meant.repite,
})

function drafted(drafts: Draft[], rows: Consulta[]): Sql {
  const keys = drafts.map(({ interesado }) => keysOf(interesado))
  return sql`
    select * from unnest(
      ${unseenList(rows.map(({ sid }) => sid))}, ${rows.map(({ modo }) => modo)}::text[],
      ${rows.map(({ agenciaId }) => agenciaId)}::int[], ${rows.map(({ fuente }) => fuente)}::int[],
      ${drafts.map(({ meant }) => meant.publicacionId)}::int[],
      ${drafts.map(({ meant }) => meant.externalId?.toLowerCase() ?? null)}::text[],
      ${rows.map(({ tipoAnuncio }) => tipoAnuncio)}::text[], ${rows.map(({ origenLead }) => origenLead)}::text[],
      ${rows.map(({ auto }) => auto)}::text[], ${rows.map(({ interesado }) => interesado)}::text[],
      ${keys.map(({ email }) => email)}::text[], ${keys.map(({ telefono }) => telefono)}::text[],
      ${rows.map(({ operador }) => operador)}::text[], ${rows.map(({ repite }) => repite)}::text[],
      ${drafts.map(({ origin }) => origin.consentimiento ?? null)}::text[],
      ${drafts.map(({ origin }) => origin.sitioId)}::int[],
      ${drafts.map(({ origin }) => origin.once?.key ?? null)}::text[],
      ${drafts.map(({ origin }) => origin.once?.digest ?? null)}::bytea[]
    ) as draft (sid, modo, agencia_id, fuente, publicacion_id, external_key, tipo_anuncio, origen_lead, auto, interesado,
                email, telefono, operador, repite, consentimiento, sitio_id, key, digest)`
}

const INSERT = sql`
  insert into consultas (sid, modo, agencia_id, fuente, publicacion_id, external_key, tipo_anuncio, origen_lead, auto,
    interesado, email, telefono, operador, repite, consentimiento, sitio_id)
  select sid, modo, agencia_id, fuente, publicacion_id, external_key, tipo_anuncio, origen_lead, auto, interesado, email,
    telefono, operador, repite, consentimiento, sitio_id
  from drafted where key is null or sid in (select sid from claimed)
  returning sid`

/** What each app that sees it is told: the inquiry as it would read it, frozen. */
function eventsOf({ origin, meant }: Draft, consulta: Consulta, moment: Date, timeZone: string): EventRow[] {
  const { apps, agenciaId, adminMail, agencia } = meant
  if (apps.length === 0) return []
  const about = { id: agenciaId, adminMail, ...agenciaRef({ adminMail, nombre: agencia }) }
  const printed = `"Consulta":${consultaText(consulta, adminMail, timeZone)}`
  const common = { topic: 'consulta.recibida', agencia: about, moment, timeZone, sid: consulta.sid, printed } as const
  return apps.map((appId) => freeze({ ...common, appId, traceparent: origin.traceparent }))
}

/**
 * The associations that are still alive, held until this is committed: whatever ends one withdraws its events, and none
 * may come after. The lock looks again at a row that it waited for, which a snapshot would not.
 */
const stillSeeing = (events: EventRow[]): Sql => sql`
  select s.app_id, s.agencia_id from asociaciones s
  join unnest(${unseenNumbers(events.map(({ appId }) => appId))}, ${events.map(({ agenciaId }) => agenciaId)}::int[])
    as told (app_id, agencia_id) on s.app_id = told.app_id and s.agencia_id = told.agencia_id
  where s.ended_at is null for share of s`
