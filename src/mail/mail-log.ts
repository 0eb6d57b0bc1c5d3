import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../store/keyset.ts'
import type { Seal } from '../store/sealed.ts'
import {
  type Email,
  type EmailWriter,
  MAIL_TABLES,
  ONE_TIME_KINDS,
  type ReadableContents,
  readContents,
  redact,
  type SealedEmail,
  WITHDRAWN,
} from './email.ts'

export const MAIL_STATES = ['pendiente', 'entregada', 'fallida', 'guardada'] as const
export type MailState = (typeof MAIL_STATES)[number]

export interface EmailSummary {
  id: number
  kind: string
  to: string
  estado: MailState
  attempts: number
  at: Date
  settledAt: Date | null
  /** The next attempt, while it is pending. */
  dueAt: Date
  lastError: string | null
  /** True if it failed and has no one-time link. */
  resendable: boolean
}

interface MailFilters {
  to?: string | undefined
  kind?: string | undefined
  estado?: MailState | undefined
}

/** More are pending only while the mail server is down; then the first are shown. */
const MAX_PENDING = 10_000

/** Our copy of a one-time link is redacted, so such an email cannot be resent. */
const RESENDABLE = sql`(m.estado = 'fallida' and m.kind <> all (${ONE_TIME_KINDS}::text[]))`

const ENVELOPE = sql`
  m.id, m.kind, m.to_address as "to", m.estado, m.attempts, m.created_at as at, m.settled_at as "settledAt",
  m.due_at as "dueAt", m.last_error as "lastError", ${RESENDABLE} as resendable`

/** Newest first. Every filter uses an index: rows of any kind but the most common have their own. */
export async function listEmails(
  db: Db,
  { to, kind, estado }: MailFilters,
  cursor: Cursor<number>,
): Promise<ResultPage<EmailSummary>> {
  const { within, order, limit } = keysetBy(sql`m.id`, cursor)
  const found = await db.query<EmailSummary>(sql`
    select ${ENVELOPE} from ${from(estado)} m
    where ${within}
      ${to ? sql`and m.to_address = any (${[to, to.toLowerCase()]})` : empty}
      ${kind ? sql`and m.kind = ${kind}` : empty}
      ${kind && kind !== 'consulta' ? sql`and m.kind <> 'consulta'` : empty}
      ${inState(estado)}
    order by ${order} limit ${limit}`)
  return resultPage(found, cursor)
}

/** Rare states are literals, so that PostgreSQL uses their partial indexes. */
function inState(estado: MailState | undefined): Sql {
  if (estado === 'fallida') return sql`and m.estado = 'fallida'`
  if (estado === 'guardada') return sql`and m.estado = 'guardada'`
  return estado ? sql`and m.estado = ${estado}` : empty
}

/** Pending emails are indexed by due time. */
const from = (estado: MailState | undefined): Sql =>
  estado === 'pendiente'
    ? sql`(select * from mail_recipients where estado = 'pendiente' order by due_at limit ${MAX_PENDING})`
    : sql`mail_recipients`

/** One-time links are redacted, except without a mail server: then people follow them here. */
export async function readEmail(
  db: Db,
  { seal, writer }: { seal: Seal; writer: EmailWriter },
  id: number,
): Promise<(EmailSummary & { sid: string | null; contents: ReadableContents | undefined }) | undefined> {
  const [row] = await db.query<EmailSummary & { sealed: Buffer | null; sid: string | null }>(sql`
    select ${ENVELOPE}, m.sealed, m.sid from mail_recipients m where m.id = ${id}`)
  if (!row) return undefined
  const { sealed, ...envelope } = row
  const contents = await readContents(row, seal, writer)
  return { ...envelope, contents: contents && (row.estado === 'guardada' ? contents : redact(contents)) }
}

/** Resends a failed email, with a new schedule; false if it cannot be resent. */
export async function resendEmail(tx: Db, id: number): Promise<boolean> {
  for (const table of MAIL_TABLES) {
    const sent = await tx.query(sql`
      update ${raw(table)} m set estado = 'pendiente', attempts = 0, due_at = now(), last_error = null, settled_at = null
      where m.id = ${id} and ${RESENDABLE} returning m.id`)
    if (sent.length === 0) continue
    tx.notify(table)
    return true
  }
  return false
}

export const countFailedEmails = (db: Db, days: number): Promise<number> =>
  db.count(sql`
    select count(*) from mail_recipients where estado = 'fallida' and settled_at > now() - make_interval(days => ${days})
      and last_error is distinct from ${WITHDRAWN}`)

export interface StoredEmail extends Pick<Email, 'to' | 'subject' | 'text' | 'html'> {
  estado: MailState
  at: Date
}

type Row = SealedEmail & Pick<StoredEmail, 'estado' | 'at'>

export async function readLatestEmails(
  db: Db,
  { seal, writer }: { seal: Seal; writer: EmailWriter },
  limit: number,
  to?: string,
): Promise<StoredEmail[]> {
  const rows = await db.query<Row>(sql`
    select kind, to_address as "to", sealed, sid, estado, created_at as at from mail_recipients
    ${to === undefined ? empty : sql`where lower(to_address) = ${to.toLowerCase()}`}
    order by id desc limit ${limit}`)
  const emails: StoredEmail[] = []
  for (const { estado, at, ...row } of rows) {
    const contents = await readContents(row, seal, writer)
    if (!contents) continue
    const { subject, text, html } = contents
    emails.push({ to: row.to, subject, text, html, estado, at })
  }
  return emails
}
