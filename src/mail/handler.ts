import type { SendMailOptions } from 'nodemailer'
import sql from 'sql-template-tag'
import type { Mailbox } from '../brand/brand.ts'
import type { Config } from '../config.ts'
import type { Handler, Outcome } from '../outbox/handler.ts'
import type { Claimed } from '../outbox/outbox.ts'
import type { Db } from '../store/db.ts'
import { inlineNumber } from '../store/prepared.ts'
import type { Seal } from '../store/sealed.ts'
import { withTimeLimit } from '../time-limit.ts'
import {
  type Contents,
  type EmailWriter,
  isTestAddress,
  MAIL_TABLES,
  openContents,
  RECEIPTS_PER_DAY,
  readContents,
  redact,
  type SealedEmail,
  sealContents,
  WITHDRAWN,
} from './email.ts'
import { CONNECTIONS, openSmtp, type Smtp } from './smtp.ts'

interface MailRow extends Claimed, SealedEmail {
  replyTo: string | null
  invitacionId: number | null
  at: Date
  isSurplus: boolean
  isWithdrawn: boolean
}

export interface MailHandlerOptions {
  seal: Seal
  writer: EmailWriter
  /** Without `smtpUrl` emails are only stored; `rodado mails` shows them. */
  config: Pick<Config, 'smtpUrl' | 'brand' | 'bounceAddress' | 'dkim'>
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const SCHEDULE = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]

/** Send emails through the mail server. The two emails of one row are claimed, retried and settled separately. */
export function mailHandlers(options: MailHandlerOptions): Handler<MailRow>[] {
  const { smtpUrl, dkim } = options.config
  const smtp = smtpUrl === undefined ? undefined : openSmtp(smtpUrl, { dkim })
  return MAIL_TABLES.map((table) => mailHandler(table, smtp, options))
}

function mailHandler(
  table: string,
  smtp: Smtp | undefined,
  { seal, writer, config }: MailHandlerOptions,
): Handler<MailRow> {
  return {
    table,
    id: 'bigint',
    columns: sql`row.kind, row.to_address as "to", row.sealed, row.sid, row.reply_to as "replyTo",
      row.invitacion_id as "invitacionId", row.created_at as at,
      ${table === 'mail_receipts' ? SURPLUS : sql`false`} as "isSurplus",
      ${HAS_DEAD_LINK} as "isWithdrawn"`,
    inFlight: CONNECTIONS,
    schedule: SCHEDULE,
    describe: ({ kind }) => ({ kind }),

    async deliver(row, stopped, timeoutMs) {
      const signal = withTimeLimit(stopped, timeoutMs)
      if (!smtp || isTestAddress(row.to) || row.isSurplus) return { kind: 'stored' }
      if (row.isWithdrawn) return { kind: 'failed', reason: WITHDRAWN, code: WITHDRAWN }
      if (!isOneAddress(row.to)) return { kind: 'failed', reason: 'address', code: 'address' }
      const contents = await readContents(row, seal, writer)
      if (!contents) return { kind: 'failed', reason: 'erased', code: 'erased' }
      const { from, support } = config.brand.current()
      const replyTo = row.replyTo ?? contents.replyTo ?? support.mail
      const { bounceAddress } = config
      return smtp.send(compose({ id: row.id, from, to: row.to, replyTo, bounceAddress, at: row.at }, contents), signal)
    },

    async settled(tx, ended) {
      const failed = ended.filter(({ outcome }) => outcome.kind === 'failed').map(({ row }) => row)
      await markBounced(tx, failed)
      await redactLinks(
        tx,
        seal,
        ended.filter(isSettled).map(({ row }) => row),
      )
    },

    close: () => smtp?.close(),
  }
}

/**
 * True for a receipt beyond those that its address gets in a day. The insert counts them too, and cannot see those that other
 * nodes insert at the same moment.
 */
const SURPLUS = sql`(
  select count(*) from mails other
  where other.receipt_to = row.to_address
    and other.created_at between row.created_at - interval '1 day' and row.created_at + interval '1 minute'
    and (other.receipt_id < row.id or other.receipt_id > row.id and other.receipt_estado = 'entregada')
) >= ${inlineNumber(RECEIPTS_PER_DAY)}`

/** True for an email that was in an attempt when its invitation was renewed or ended, which `withdrawEmails` then left. */
const HAS_DEAD_LINK = sql`exists (
  select from invitaciones i
  where i.id = row.invitacion_id and (i.estado <> 'pendiente' or i.enviada > row.created_at))`

const isSettled = ({ outcome }: { outcome: Outcome }) => outcome.kind === 'delivered' || outcome.kind === 'failed'

/**
 * The inviting app sees `rebotada`; an invitation that was accepted or revoked meanwhile stays so, and one that was renewed
 * has another email. An email and the `enviada` of its invitation are written in one transaction, so their times
 * are equal.
 */
export async function markBounced(tx: Db, emails: Pick<MailRow, 'id' | 'invitacionId'>[]): Promise<void> {
  const ids = emails.filter(({ invitacionId }) => invitacionId !== null).map(({ id }) => id)
  if (ids.length === 0) return
  await tx.query(sql`
    update invitaciones i set estado = 'rebotada', ended_at = now() from mails m
    where m.id = any(${ids}::bigint[]) and i.id = m.invitacion_id and i.estado = 'pendiente' and m.created_at >= i.enviada`)
}

/** After an email is sent, its one-time links are only of use to a thief. */
async function redactLinks(tx: Db, seal: Seal, rows: MailRow[]): Promise<void> {
  const redacted = rows.flatMap(({ id, sealed }) => {
    const contents = sealed && openContents(seal, sealed)
    return contents?.oneTimeUrls ? { id, sealed: sealContents(seal, redact(contents)) } : []
  })
  if (redacted.length === 0) return
  await tx.query(sql`
    update mails set sealed = clean.sealed
    from unnest(${redacted.map(({ id }) => id)}::bigint[], ${redacted.map(({ sealed }) => sealed)}::bytea[])
      as clean (id, sealed)
    where mails.id = clean.id`)
}

interface EmailHeaders {
  /** Of its row, by which a bounce finds it. */
  id: string | number
  from: Mailbox
  to: string
  replyTo: string | undefined
  /** Where mail servers report what they cannot deliver; by default the sender. */
  bounceAddress?: string | undefined
  /** When the email was written: its date, however late it is sent. */
  at: Date
}

/** One address and nothing else: the mail library reads `a@x, b@y` as two addresses, and changes `a b@x`. */
export const isOneAddress = (to: string): boolean => /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/.test(to)

export function compose(
  { id, from, to, replyTo, bounceAddress, at }: EmailHeaders,
  contents: Contents,
): SendMailOptions {
  const { subject, text, html, messageId, unsubscribeUrl } = contents
  const sender = from.address
  return {
    from,
    to: { name: '', address: to },
    ...(replyTo && { replyTo }),
    envelope: { from: bounceAddress ?? sender, to: [to] },
    messageId: `<${messageId}.${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    date: at,
    subject,
    text,
    html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...unsubscribing(unsubscribeUrl),
    },
  }
}

/** RFC 2369. One click (RFC 8058) requires https. */
function unsubscribing(url: string | undefined): Record<string, string> {
  if (!url) return {}
  const oneClick = url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  return { 'List-Unsubscribe': `<${url}>`, ...oneClick }
}
