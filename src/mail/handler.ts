import type { SendMailOptions } from 'nodemailer'
import sql from 'sql-template-tag'
import type { Config } from '../config.ts'
import type { Handler, Outcome } from '../outbox/handler.ts'
import type { Claimed } from '../outbox/outbox.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import {
  type Contents,
  type EmailWriter,
  isTestAddress,
  openContents,
  readContents,
  redact,
  sealContents,
  type UnreadEmail,
} from './email.ts'
import { CONNECTIONS, openSmtp } from './smtp.ts'

export interface MailRow extends Claimed, UnreadEmail {
  replyTo: string | null
  invitacionId: number | null
  at: Date
}

export interface MailHandlerOptions {
  seal: Seal
  writer: EmailWriter
  /** Without `smtpUrl` letters are kept, to be read with `rodado mails`. */
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'supportMail'>
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const SCHEDULE = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]

/** Takes letters to the mail server. */
export function mailHandler({ seal, writer, config }: MailHandlerOptions): Handler<MailRow> {
  const smtp = config.smtpUrl === undefined ? undefined : openSmtp(config.smtpUrl)
  const from = config.mailFrom ?? senderAt(config.publicUrl)
  return {
    table: 'mails',
    id: 'bigint',
    columns: sql`row.kind, row.to_address as "to", row.sealed, row.sid, row.reply_to as "replyTo",
      row.invitacion_id as "invitacionId", row.created_at as at`,
    inFlight: CONNECTIONS,
    schedule: SCHEDULE,
    describe: ({ kind }) => ({ kind }),

    async deliver(row, stopped, timeoutMs) {
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
      if (!smtp || isTestAddress(row.to)) return { kind: 'kept' }
      if (!isOneAddress(row.to)) return { kind: 'failed', reason: 'This is not a mail address.', code: 'address' }
      const contents = await readContents(row, seal, writer)
      if (!contents) return { kind: 'failed', reason: 'What it told of was erased.', code: 'erased' }
      const replyTo = row.replyTo ?? contents.replyTo ?? config.supportMail
      return smtp.send(compose({ from, to: row.to, replyTo, at: row.at }, contents), signal)
    },

    async settled(tx, ended) {
      const refused = ended.filter(({ outcome }) => outcome.kind === 'failed').map(({ row }) => row)
      await markBounced(tx, refused)
      await redactLinks(
        tx,
        seal,
        ended.filter(hasLeft).map(({ row }) => row),
      )
    },

    close: () => smtp?.close(),
  }
}

const hasLeft = ({ outcome }: { outcome: Outcome }) => outcome.kind === 'delivered' || outcome.kind === 'failed'

/** The app that invited reads `rebotada`; an invitation that was accepted or revoked meanwhile stays so. */
async function markBounced(tx: Db, refused: MailRow[]): Promise<void> {
  const ids = refused.flatMap(({ invitacionId }) => invitacionId ?? [])
  if (ids.length === 0) return
  await tx.query(sql`
    update invitaciones set estado = 'rebotada', ended_at = now() where id = any(${ids}) and estado = 'pendiente'`)
}

/** Nobody needs the links of a letter that has left, save whoever should not have them. */
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

export interface EmailHeaders {
  from: string
  to: string
  replyTo: string | undefined
  /** When the letter was written, which is its date however late it leaves. */
  at: Date
}

/** One address and nothing else: the mail library reads `a@x, b@y` as two, and `a b@x` as another than it says. */
export const isOneAddress = (to: string): boolean => /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/.test(to)

/** A letter as it goes over the wire. */
export function compose({ from, to, replyTo, at }: EmailHeaders, contents: Contents): SendMailOptions {
  const { subject, text, html, messageId, unsubscribeUrl } = contents
  const sender = addressOf(from)
  return {
    from,
    to: { name: '', address: to },
    ...(replyTo && { replyTo }),
    envelope: { from: sender, to: [to] },
    messageId: `<${messageId}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
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

/** RFC 2369; with one click (RFC 8058) only by https, as it says. */
function unsubscribing(url: string | undefined): Record<string, string> {
  if (!url) return {}
  const oneClick = url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  return { 'List-Unsubscribe': `<${url}>`, ...oneClick }
}

/** The bare address of `Name <address>`. */
const addressOf = (mailbox: string): string => mailbox.match(/<([^<>]*)>\s*$/)?.[1] ?? mailbox

/** Who writes when MAIL_FROM does not say: nobody at the host of PUBLIC_URL. */
export function senderAt(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const v6 = hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : undefined
  const domain = v6 ?? (/^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname)
  return `Rodado <no-reply@${domain}>`
}
