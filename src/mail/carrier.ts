import sql from 'sql-template-tag'
import type { Config } from '../config.ts'
import type { Carrier, Outcome } from '../outbox/carrier.ts'
import type { Claimed } from '../outbox/outbox.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { compose, isOneAddress, senderAt } from './compose.ts'
import { read, type Unread, type Writer } from './contents.ts'
import { openContents, sealContents } from './letter.ts'
import { isNowhere } from './nowhere.ts'
import { redact } from './redact.ts'
import { CONNECTIONS, openSmtp } from './smtp.ts'

export interface MailRow extends Claimed, Unread {
  replyTo: string | null
  invitacionId: number | null
  at: Date
}

export interface MailCarrierOptions {
  seal: Seal
  writer: Writer
  /** Without `smtpUrl` letters are kept, to be read with `rodado mails`. */
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'supportMail'>
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const SCHEDULE = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]

/** Takes letters to the mail server. */
export function mailCarrier({ seal, writer, config }: MailCarrierOptions): Carrier<MailRow> {
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

    async carry(row, stopped, timeoutMs) {
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
      if (!smtp || isNowhere(row.to)) return { kind: 'kept' }
      if (!isOneAddress(row.to)) return { kind: 'failed', reason: 'This is not a mail address.', code: 'address' }
      const contents = await read(row, seal, writer)
      if (!contents) return { kind: 'failed', reason: 'What it told of was erased.', code: 'erased' }
      const replyTo = row.replyTo ?? contents.replyTo ?? config.supportMail
      return smtp.send(compose({ from, to: row.to, replyTo, at: row.at }, contents), signal)
    },

    async settled(tx, ended) {
      const refused = ended.filter(({ outcome }) => outcome.kind === 'failed').map(({ row }) => row)
      await markBounced(tx, refused)
      await blotOut(
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
async function blotOut(tx: Db, seal: Seal, rows: MailRow[]): Promise<void> {
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
