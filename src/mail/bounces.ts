import PostalMime from 'postal-mime'
import sql, { raw } from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { MAIL_TABLES, openContents } from './email.ts'
import { markBounced } from './handler.ts'

/** What a mail server reports about an email that it accepted and could not deliver. */
interface Bounce {
  /** Of our email, without angle brackets. */
  messageId: string
  reason: string
}

const MAX_REASON = 300
/** What counts is at the beginning, before the text of the returned email. Parsing takes time for each line. */
const MAX_LINES = 1_000
const LINE_FEED = 10

/** The permanent failure that a delivery status notification (RFC 3464) reports; undefined for any other email. */
export async function readBounce(source: Uint8Array): Promise<Bounce | undefined> {
  const { attachments } = await PostalMime.parse(firstLines(source), {
    attachmentEncoding: 'utf8',
    forceRfc822Attachments: true,
  })
  const text = (type: RegExp) => attachments.filter(({ mimeType }) => type.test(mimeType)).map(contentOf)[0]
  const status = text(/^message\/delivery-status$/i)
  const returned = text(/^(message\/rfc822|text\/rfc822-headers)$/i)
  // 4.x.x is a delay: the server goes on trying.
  if (!status || !/^Action:\s*failed/im.test(status) || !/^Status:\s*5\./im.test(status)) return undefined
  const messageId = /^Message-ID:\s*<([^<>\s]+)>/im.exec(returned ?? '')?.[1]
  if (!messageId) return undefined
  const [, diagnostic] = /^Diagnostic-Code:\s*(?:smtp;\s*)?(.*(?:\r?\n[ \t].*)*)/im.exec(status) ?? []
  return {
    messageId,
    reason: (diagnostic ?? 'rejected')
      .replace(/[\s\0]+/g, ' ')
      .trim()
      .slice(0, MAX_REASON),
  }
}

function firstLines(source: Uint8Array): Uint8Array {
  let end = 0
  for (let lines = 0; lines < MAX_LINES; lines++) {
    const next = source.indexOf(LINE_FEED, end)
    if (next < 0) return source
    end = next + 1
  }
  return source.subarray(0, end)
}

const contentOf = ({ content }: { content: ArrayBuffer | Uint8Array | string }): string =>
  typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('utf8')

const ADDRESS = /[^\s<>]+@[^\s<>]+/g

/**
 * Records that an email was not delivered after all; its invitation becomes `rebotada`. The random part of the
 * Message-ID is compared, so that nobody can bounce the email of another. False if it is not an email of ours.
 */
export async function recordBounce(store: Store, seal: Seal, { messageId, reason }: Bounce): Promise<boolean> {
  const [, own, id] = /^(.+)\.(\d{1,18})@[^@]+$/.exec(messageId) ?? []
  if (!own || !id) return false
  return store.transaction(async (tx) => {
    const row = await findMail(tx, id)
    const isOurs = row?.sealed ? openContents(seal, row.sealed).messageId === own : own === `${row?.kind}.${row?.sid}`
    if (!row || !isOurs) return false
    const changed = await tx.query(sql`
      update ${raw(row.table)} set estado = 'fallida', last_error = ${reason.replace(ADDRESS, '…')}
      where id = ${row.id} and estado = 'entregada' returning 1`)
    if (changed.length > 0) await markBounced(tx, [row])
    return changed.length > 0
  })
}

interface SentMail {
  table: string
  id: number
  kind: string
  sid: string | null
  sealed: Buffer | null
  invitacionId: number | null
}

/** Emails and receipts share their numbers (mails_id_seq). */
async function findMail(tx: Db, id: string): Promise<SentMail | undefined> {
  for (const table of MAIL_TABLES) {
    const [row] = await tx.query<Omit<SentMail, 'table'>>(sql`
      select id, kind, sid, sealed, invitacion_id as "invitacionId" from ${raw(table)} where id = ${id}::bigint`)
    if (row) return { table, ...row }
  }
  return undefined
}
