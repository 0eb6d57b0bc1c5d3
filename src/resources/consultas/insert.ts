import sql, { type Sql } from 'sql-template-tag'
import type { Country } from '../../config.ts'
import { dayOf } from '../../http/dates.ts'
import { notExpired, OWN_FORM_SITIO } from '../../http/idempotency.ts'
import { MAIL_TABLES, RECEIPTS_PER_DAY } from '../../mail/email.ts'
import { columnNames, type RowOf, rowsAsTable, sqlColumn } from '../../store/columns.ts'
import type { Db } from '../../store/db.ts'
import { opaqueNumbers } from '../../store/prepared.ts'
import { ulid } from '../../ulid.ts'
import type { DirectDelivery } from '../../webhooks/direct.ts'
import { type EventRow, insertEventsSql } from '../../webhooks/events.ts'
import type { Auto } from './auto.ts'
import { CATALOGO, type Consulta, type ConsultaCreate, INSERT_COLUMNS, newConsulta } from './consulta.ts'
import { countSql } from './counts.ts'
import { consultaEvents } from './events.ts'
import type { AgenciaCandidate, Origin } from './lookup.ts'
import { type Interesado, personKeys } from './person.ts'
import { showsSource } from './scope.ts'

/** An inquiry that is resolved and not stored yet. */
export interface Draft {
  origin: Origin
  body: ConsultaCreate
  interesado: Interesado
  recipient: AgenciaCandidate
  auto: Auto
  operador: string
}

const consultaFrom = ({ origin, body, interesado, recipient, auto, operador }: Draft, moment: Date): Consulta =>
  newConsulta({
    sid: ulid(moment.getTime()),
    modo: origin.modo,
    agenciaId: recipient.agenciaId,
    fuente: recipient.appId ?? CATALOGO,
    tipoAnuncio: recipient.publicacionId === null ? 'catalogo' : 'publicacion',
    origenLead: body.OrigenLead,
    auto: JSON.stringify(auto),
    interesado: JSON.stringify(interesado),
    operador,
    repite: recipient.repite,
  })

interface RowOptions {
  /** Of the market, by which a telephone is understood. */
  country: Country
  sitioId?: number | null
  consentimiento?: string | null
}

/** The row with the columns that serve to find it. */
export const insertRow = (
  consulta: Consulta,
  interesado: Interesado,
  publicacion: { publicacionId: number | null; externalId: string | null },
  { country, sitioId = null, consentimiento = null }: RowOptions,
): RowOf<typeof INSERT_COLUMNS> => ({
  ...consulta,
  ...personKeys(interesado, country),
  publicacionId: publicacion.publicacionId,
  externalKey: publicacion.externalId?.toLowerCase() ?? null,
  consentimiento,
  sitioId,
})

const DRAFT_COLUMNS = {
  ...INSERT_COLUMNS,
  key: sqlColumn<string | null>('key', 'text'),
  digest: sqlColumn<Buffer | null>('digest', 'bytea'),
}

/** The second of two concurrent requests waits here until the first commits, and is not among the claimed. */
const CLAIMED: Sql = sql`
  claimed as (
    insert into idempotency_keys (sitio_id, key, digest, sid)
    select coalesce(sitio_id, ${OWN_FORM_SITIO}), key, digest, sid from drafted where key is not null order by 1, 2
    on conflict (sitio_id, key) do update
      set digest = excluded.digest, sid = excluded.sid, created_at = now() where not (${notExpired(sql`idempotency_keys`)})
    returning sid
  )`

const INSERT = sql`
  insert into consultas (${columnNames(INSERT_COLUMNS)})
  select ${columnNames(INSERT_COLUMNS)} from drafted where key is null or sid in (select sid from claimed)
  returning sid`

export interface InsertOptions {
  timeZone: string
  country: Country
  /** True if this process would only store the emails: they are inserted as stored, and no worker reads them. */
  storesEmails: boolean
}

/**
 * Inserts inquiries, their counts, events and emails in one statement, and so in one transaction. Undefined for those
 * whose idempotency key another request took first.
 *
 * The parts of the statement name each other: `drafted` are the given rows, `claimed` those whose key was free,
 * `inserted` the sids in `consultas`, `stored` their rows. `counted` and `emails` read `stored`; `new_events`,
 * `inserted_events` and `new_deliveries` (webhooks/events.ts) read `inserted` and `current_associations`.
 */
export async function insertConsultas(
  db: Db,
  drafts: Draft[],
  moment: Date,
  { timeZone, country, storesEmails }: InsertOptions,
  direct?: DirectDelivery,
): Promise<(Consulta | undefined)[]> {
  const consultas = drafts.map((draft) => consultaFrom(draft, moment))
  const events = consultas.flatMap((consulta, at) =>
    eventsOf(drafts[at] as Draft, consulta, { moment, timeZone, country }),
  )
  const rows = consultas.map((consulta, at) => {
    const { origin, recipient, interesado } = drafts[at] as Draft
    return {
      ...insertRow(consulta, interesado, recipient, { ...origin, country }),
      key: origin.idempotencyKey?.value ?? null,
      digest: origin.idempotencyKey?.digest ?? null,
    }
  })
  const reservation = direct?.reserve(events)
  const [done] = await db.query<{ sids: string[]; webhooks: number[]; leased: string[] }>(
    sql`/* insert consultas */
      with drafted as (select * from ${rowsAsTable(DRAFT_COLUMNS, rows)}), ${CLAIMED}, inserted as (${INSERT}),
      stored as (select drafted.* from drafted join inserted using (sid)),
      counted as (${countSql(dayOf(moment, timeZone))}), ${storesEmails ? STORED_EMAILS : PENDING_EMAILS},
      current_associations as materialized (${lockAssociations(events, consultas)}),
      ${insertEventsSql(events, reservation, sql`sid in (select sid from inserted) and (app_id, sid) in (select * from current_associations)`)}
      select array(select sid from inserted) as sids,
        array(select distinct webhook_id from new_deliveries where is_queued) as webhooks,
        array(select id from new_deliveries where is_leased) as leased`,
    'keep-plan',
  )
  await reservation?.deliver(done?.leased ?? [])
  if (!storesEmails) for (const table of MAIL_TABLES) db.notify(table)
  for (const webhook of done?.webhooks ?? []) db.notify(`deliveries:${webhook}`)
  const stored = new Set(done?.sids)
  return consultas.map((consulta) => (stored.has(consulta.sid) ? consulta : undefined))
}

function eventsOf(
  { origin, recipient }: Draft,
  consulta: Consulta,
  about: { moment: Date; timeZone: string; country: Country },
): EventRow[] {
  const agencia = { id: recipient.agenciaId, adminMail: recipient.adminMail, nombre: recipient.agencia }
  const options = { topic: 'consulta.recibida', ...about, traceparent: origin.traceparent } as const
  return consultaEvents(recipient.apps, consulta, agencia, options)
}

/**
 * Only those that still show the inquiry: ending one deletes its events. A locking read sees what changed while it waited; a
 * snapshot would not.
 */
function lockAssociations(events: EventRow[], consultas: Consulta[]): Sql {
  const sources = new Map(consultas.map(({ sid, fuente }) => [sid, fuente]))
  return sql`
    select s.app_id, notified.sid from asociaciones s
    join unnest(
      ${opaqueNumbers(events.map(({ appId }) => appId))}, ${events.map(({ agenciaId }) => agenciaId)}::int[],
      ${events.map(({ sid }) => sources.get(sid ?? ''))}::int[], ${events.map(({ sid }) => sid)}::text[]
    ) as notified (app_id, agencia_id, fuente, sid) on s.app_id = notified.app_id and s.agencia_id = notified.agencia_id
    where s.ended_at is null and ${showsSource(sql`notified.fuente`)} for share of s`
}

/**
 * The emails about the inquiries in `stored`, one row for each inquiry: to the operador, and the receipt to the person who
 * left an address. Their text is composed when they are sent (`emails.ts`), so that erasure reaches it.
 */
const emailsSql = (estado: Sql, settledAt: Sql): Sql => sql`
  emails as (
    insert into mails (kind, to_address, sid, estado, settled_at, receipt_settled_at, receipt_due_at,
      receipt_to, receipt_id, receipt_estado)
    select 'consulta', operador, sid, ${estado}, ${settledAt}, ${settledAt}, now(),
      receipt_to, case when receipt_to is not null then nextval('mails_id_seq') end,
      case when receipt_to is not null then ${estado} end
    from (
      select operador, sid, case when
        row_number() over (partition by email order by sid)
        + (select count(*) from mails earlier
           where earlier.receipt_to = email and earlier.created_at > now() - interval '1 day')
        <= ${RECEIPTS_PER_DAY} then email end as receipt_to
      from stored
    ) as drafts
  )`

const PENDING_EMAILS = emailsSql(sql`text 'pendiente'`, sql`null::timestamptz`)
const STORED_EMAILS = emailsSql(sql`text 'guardada'`, sql`now()`)
