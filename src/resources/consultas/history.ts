import sql, { type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { momentOf } from '../../ulid.ts'
import type { Consulta, EstadoConsulta } from './consulta.ts'
import { type Notification, newestNotifications } from './staff.ts'

/** Who changes an inquiry: somebody of the agency, or an app. */
export type Actor = { accountId: number } | { appId: number }

type Kind = 'estado' | 'operador'

export const NOTE_CHARACTERS = 2_000
/** An equal note within this time is a double click. */
const REPEATED_SECONDS = 60

/** Records what somebody did with inquiries, for their timelines. */
export async function recordHistory(
  tx: Db,
  sids: readonly string[],
  { kind, detail, by }: { kind: Kind; detail: string; by: Actor | undefined },
): Promise<void> {
  const [account, app] = by === undefined ? [null, null] : 'appId' in by ? [null, by.appId] : [by.accountId, null]
  await tx.query(sql`
    insert into consulta_history (sid, account_id, app_id, act, detail)
    select sid, ${account}::int, ${app}::int, ${kind}, ${detail} from unnest(${sids}::text[]) as given (sid)`)
}

/** Adds a note to an inquiry, which the transaction has locked: of two equal ones at once it stores one. */
export async function addNote(tx: Db, sid: string, accountId: number, text: string): Promise<void> {
  await tx.query(sql`
    insert into consulta_history (sid, account_id, act, detail)
    select ${sid}, ${accountId}::int, 'nota', ${text}
    where not exists (
      select from consulta_history h
      where h.sid = ${sid} and h.account_id = ${accountId} and h.act = 'nota' and h.detail = ${text}
        and h.at > now() - make_interval(secs => ${REPEATED_SECONDS}))`)
}

/** Deletes the notes, which may name the person, and the reminders. */
export async function eraseFromHistory(tx: Db, sids: readonly string[]): Promise<void> {
  await tx.query(sql`delete from consulta_history where sid = any (${sids}::text[]) and act = 'nota'`)
  await tx.query(sql`delete from consulta_reminders where sid = any (${sids}::text[])`)
}

/** Something that happened to an inquiry. `who` is a person, or an app. */
export type TimelineEntry = { at: Date } & (
  | { kind: 'recibida' }
  | { kind: 'abierta'; who: string }
  | { kind: 'nota' | 'operador'; who: string | null; detail: string }
  | { kind: 'estado'; who: string | null; detail: EstadoConsulta }
  | { kind: 'correo'; who: string; detail: string; estado: string }
  | { kind: 'app'; who: string; detail: string; estado: Notification['estado'] }
)

const MAX_ENTRIES = 200

/**
 * Oldest first: received, apps notified, opened, states, notes and emails. Emails and
 * notifications stand at the time they arrived or were given up; pending ones, when they were written. The receipt's address is not shown.
 */
export async function timelineOf(db: Db, { sid }: Pick<Consulta, 'sid'>): Promise<TimelineEntry[]> {
  const rows = await db.query<TimelineEntry>(sql`
    select * from (
      select h.at, h.act as kind, coalesce(${NAME}, p.nombre) as who, h.detail, null as estado
      from consulta_history h left join accounts a on a.id = h.account_id left join apps p on p.id = h.app_id
      where h.sid = ${sid}
      union all
      select min(l.at), 'abierta', ${NAME}, null, null
      from audit_log l join accounts a on a.id = l.account_id
      where l.subject = ${sid} and l.act = 'consulta.leer' and l.via = 'agencia' and not coalesce(l.detail ? 'formulario', false)
      group by a.id
      union all
      select coalesce(m.settled_at, m.created_at), 'correo', case when m.kind = 'consulta-recibo' then '' else m.to_address end, m.kind, m.estado
      from mail_recipients m where m.sid = ${sid}
    ) as entry order by at desc limit ${MAX_ENTRIES}`)
  const { notifications } = await newestNotifications(db, { sid })
  const notified = notifications.map(
    ({ app, evento, topic, estado, terminada }): TimelineEntry => ({
      at: terminada ?? momentOf(evento),
      kind: 'app',
      who: app.nombre,
      detail: topic,
      estado,
    }),
  )
  const received: TimelineEntry = { at: momentOf(sid), kind: 'recibida' }
  return [received, ...rows, ...notified].sort((a, b) => a.at.getTime() - b.at.getTime())
}

const NAME = sql`coalesce(nullif(trim(concat(a.nombre, ' ', a.apellido)), ''), a.email)`

/** A note as it is exported. */
export interface ExportedNote {
  at: string
  by: string | null
  text: string
}

/** SQL: the notes about the inquiry `c`, as JSON. */
export const NOTES_OF_CONSULTA: Sql = sql`(
  select json_agg(json_build_object('at', h.at, 'by', a.email, 'text', h.detail) order by h.id)
  from consulta_history h left join accounts a on a.id = h.account_id where h.sid = c.sid and h.act = 'nota')`

/** Inserts notes of another installation; an unknown author stays unnamed. */
export async function importNotes(
  tx: Db,
  modo: Modo,
  notes: readonly { sid: string; Momento: string; Autor?: string | null | undefined; Texto: string }[],
): Promise<void> {
  if (notes.length === 0) return
  await tx.query(sql`
    insert into consulta_history (sid, at, account_id, act, detail)
    select given.sid, given.at, a.id, 'nota', given.detail
    from unnest(${notes.map(({ sid }) => sid)}::text[], ${notes.map(({ Momento }) => new Date(Momento))}::timestamptz[],
                ${notes.map(({ Autor }) => Autor?.toLowerCase() ?? null)}::text[], ${notes.map(({ Texto }) => Texto)}::text[])
      with ordinality as given (sid, at, email, detail, nth)
    left join accounts a on a.email = given.email and a.modo = ${modo} order by given.nth`)
}
