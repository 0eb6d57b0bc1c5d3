import sql, { type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { dayOf } from '../../http/dates.ts'
import type { Store } from '../../store/db.ts'
import { type EventRow, freeze, written } from '../../webhooks/events.ts'
import { ulid } from '../../webhooks/ulid.ts'
import { agenciaRef } from '../agencias/represent.ts'
import type { Candidate } from './about.ts'
import { type Auto, CATALOGO, type Consulta, type Interesado, type OrigenLead } from './consulta.ts'
import { countSql } from './counts.ts'
import { claimSql, type Once } from './idempotency.ts'
import { postedSql } from './notify.ts'
import { keysOf } from './person.ts'
import { consultaEntry } from './represent.ts'
import { showsSource } from './sight.ts'

export interface ReceiveNeeds {
  store: Store
  matcher: Matcher
  clock: Clock
  config: Pick<Config, 'timeZone'>
}

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

/** An inquiry that is kept, and the agency's mail, under which it is found. */
export interface Received {
  consulta: Consulta
  adminMail: string
}

/** An inquiry that has been understood. */
export interface Draft {
  origenLead: OrigenLead
  interesado: Interesado
  moment: Date
  meant: Candidate
  auto: Auto
  operador: string
}

/** One statement, and so one transaction; undefined where another request under the same key came first. */
export async function keep(needs: ReceiveNeeds, origin: Origin, draft: Draft): Promise<Received | undefined> {
  const { interesado, moment, meant, operador } = draft
  const consulta = consultaFrom(origin, draft)
  const { sid, agenciaId, fuente } = consulta
  const events = eventsOf(needs, origin, consulta, meant, moment)
  const day = dayOf(moment, needs.config.timeZone)
  const kept = sql`exists (select from received)`
  const [done] = await needs.store.query<{ kept: boolean; lanes: number[] }>(
    sql`
      with ${claimSql(origin.once, sid)},
      received as (${insertSql(origin, draft, consulta)}),
      counted as (${countSql({ agenciaId, day, fuente, operador }, kept)}),
      ${postedSql(operador, interesado)},
      seeing as materialized (
        select s.app_id from asociaciones s
        where s.agencia_id = ${agenciaId} and s.ended_at is null and ${showsSource(fuente)} for share),
      ${written(events, sql`${kept} and event.app_id in (select app_id from seeing)`)}
      select ${kept} as kept, array(select distinct webhook_id from put where estado = 'pendiente') as lanes`,
    'keep-plan',
  )
  if (!done?.kept) return undefined
  needs.store.ring('mails')
  for (const lane of done.lanes) needs.store.ring(`deliveries:${lane}`)
  return { consulta, adminMail: meant.adminMail }
}

const consultaFrom = (
  { modo }: Origin,
  { origenLead, interesado, moment, meant, auto, operador }: Draft,
): Consulta => ({
  sid: ulid(moment.getTime()),
  modo,
  agenciaId: meant.agenciaId,
  fuente: meant.appId ?? CATALOGO,
  tipoAnuncio: meant.publicacionId === null ? 'catalogo' : 'publicacion',
  origenLead,
  auto: JSON.stringify(auto),
  interesado: JSON.stringify(interesado),
  operador,
  estado: 'nueva',
  repite: meant.repite,
})

function insertSql({ sitioId, consentimiento }: Origin, { interesado, meant }: Draft, row: Consulta): Sql {
  const { email, telefono } = keysOf(interesado)
  return sql`
    insert into consultas (sid, modo, agencia_id, fuente, publicacion_id, external_key, tipo_anuncio, origen_lead, auto,
      interesado, email, telefono, operador, estado, repite, consentimiento, sitio_id)
    select sid, ${row.modo}, ${row.agenciaId}::int, ${row.fuente}::int, ${meant.publicacionId}::int,
      ${meant.externalId?.toLowerCase() ?? null}, ${row.tipoAnuncio}, ${row.origenLead}, ${row.auto}, ${row.interesado},
      ${email}, ${telefono}, ${row.operador}, ${row.estado}, ${row.repite}, ${consentimiento ?? null}, ${sitioId}::int
    from claimed returning sid`
}

/** What each app that sees it is told: the inquiry as it would read it, frozen. */
function eventsOf(
  { config: { timeZone } }: ReceiveNeeds,
  { traceparent }: Origin,
  consulta: Consulta,
  { apps, agenciaId, adminMail, agencia }: Candidate,
  moment: Date,
): EventRow[] {
  const about = { id: agenciaId, adminMail, ...agenciaRef({ adminMail, nombre: agencia }) }
  const body = { Consulta: consultaEntry(consulta, adminMail, timeZone) }
  const common = { topic: 'consulta.recibida', agencia: about, moment, timeZone, sid: consulta.sid, body } as const
  return apps.map((appId) => freeze({ ...common, appId, traceparent }))
}
