import sql, { empty } from 'sql-template-tag'
import type { Db, Store } from '../../store/db.ts'
import { CONSULTA_SELECT, type Consulta } from './consulta.ts'
import type { Scope } from './scope.ts'

export type Reminder = Consulta & { dueAt: Date; sentAt: Date | null }

/** Sets or moves the reminder of a person; null removes it. */
export async function setReminder(
  db: Db,
  { sid, agenciaId }: Pick<Consulta, 'sid' | 'agenciaId'>,
  accountId: number,
  dueAt: Date | null,
): Promise<void> {
  await db.query(
    dueAt === null
      ? sql`delete from consulta_reminders where sid = ${sid} and account_id = ${accountId}`
      : sql`
        insert into consulta_reminders (sid, account_id, agencia_id, due_at)
        values (${sid}, ${accountId}, ${agenciaId}, ${dueAt})
        on conflict (sid, account_id) do update set due_at = excluded.due_at, sent_at = null`,
  )
}

export type ReminderTimes = Pick<Reminder, 'dueAt' | 'sentAt'>

export const reminderOf = (db: Db, sid: string, accountId: number): Promise<ReminderTimes | undefined> =>
  db.first<ReminderTimes>(sql`
    select due_at as "dueAt", sent_at as "sentAt" from consulta_reminders
    where sid = ${sid} and account_id = ${accountId}`)

const MAX_SHOWN = 20

/** The reminders of a person at an agency, of inquiries that they see, that are due before a moment, with their inquiries, the oldest first. */
export const dueReminders = (
  db: Db,
  {
    agenciaId,
    operadores,
    accountId,
    before,
  }: Pick<Scope, 'agenciaId' | 'operadores'> & { accountId: number; before: Date },
): Promise<Reminder[]> =>
  db.query<Reminder>(sql`
    select ${CONSULTA_SELECT}, r.due_at as "dueAt", r.sent_at as "sentAt"
    from consulta_reminders r join consultas c on c.sid = r.sid
    where r.account_id = ${accountId} and r.agencia_id = ${agenciaId} and r.due_at < ${before}
      ${operadores === undefined ? empty : sql`and c.operador = any (${operadores}::text[])`}
    order by r.due_at limit ${MAX_SHOWN}`)

const BATCH = 500

/** Ends the reminders of salespeople whose inquiries were given to somebody else. */
export async function endRemindersOfOthers(tx: Db, sids: readonly string[], operador: string): Promise<void> {
  await tx.query(sql`
    delete from consulta_reminders r using operadores o, accounts a
    where r.sid = any (${sids}::text[]) and o.account_id = r.account_id and o.agencia_id = r.agencia_id
      and o.rol = 'vendedor' and a.id = r.account_id and a.email <> ${operador}`)
}

/** Queues an email for every reminder that is due, for people who still see its inquiry. Nodes may run it at once. */
export async function sendReminders(store: Store): Promise<void> {
  for (let sent = BATCH; sent === BATCH; )
    sent = await store.transaction(async (tx) => {
      const rows = await tx.query(sql`
        with due as (
          select sid, account_id from consulta_reminders where sent_at is null and due_at <= now()
          order by due_at limit ${BATCH} for update skip locked
        ), sent as (
          update consulta_reminders r set sent_at = now() from due
          where r.sid = due.sid and r.account_id = due.account_id returning r.sid, r.account_id, r.agencia_id
        ), emails as (
          insert into mails (kind, to_address, sid)
          select 'recordatorio', a.email, sent.sid
          from sent join accounts a on a.id = sent.account_id
          join operadores o on o.account_id = sent.account_id and o.agencia_id = sent.agencia_id
          join consultas c on c.sid = sent.sid
          where o.rol = 'administrador' or c.operador = a.email
            or exists (select from inbox_settings b where b.agencia_id = sent.agencia_id and b.abierta)
              and not exists (
                select from operadores other join accounts b on b.id = other.account_id
                where other.agencia_id = sent.agencia_id and other.rol = 'vendedor' and b.email = c.operador)
        )
        select from sent`)
      if (rows.length > 0) tx.notify('mails')
      return rows.length
    })
}
