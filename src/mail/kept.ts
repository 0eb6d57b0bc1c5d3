import sql, { empty } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { read, type Unread, type Writer } from './contents.ts'

/** A letter as it is read here, whether it was sent, is waiting or was kept. */
export interface KeptMail {
  to: string
  subject: string
  text: string
  html: string
  at: Date
}

interface Row extends Unread {
  at: Date
}

/** The newest letters first; `to` keeps those to one address. */
export async function listMails(
  db: Db,
  { seal, writer }: { seal: Seal; writer: Writer },
  limit: number,
  to?: string,
): Promise<KeptMail[]> {
  const rows = await db.query<Row>(sql`
    select kind, to_address as "to", sealed, sid, created_at as at from mails
    ${to === undefined ? empty : sql`where lower(to_address) = ${to.toLowerCase()}`}
    order by id desc limit ${limit}`)
  const letters: KeptMail[] = []
  for (const { at, ...row } of rows) {
    const contents = await read(row, seal, writer)
    if (!contents) continue
    const { subject, text, html } = contents
    letters.push({ to: row.to, subject, text, html, at })
  }
  return letters
}
