import sql, { empty } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { openContents } from './letter.ts'

/** A letter as it is read here, whether it was sent, is waiting or was kept. */
export interface KeptMail {
  to: string
  subject: string
  text: string
  html: string
  at: Date
}

interface Row {
  to: string
  sealed: Buffer
  at: Date
}

/** The newest letters first; `to` keeps those to one address. */
export async function listMails(db: Db, seal: Seal, limit: number, to?: string): Promise<KeptMail[]> {
  const rows = await db.query<Row>(sql`
    select to_address as "to", sealed, created_at as at from mails
    ${to === undefined ? empty : sql`where lower(to_address) = ${to.toLowerCase()}`}
    order by id desc limit ${limit}`)
  return rows.map(({ to, sealed, at }) => {
    const { subject, text, html } = openContents(seal, sealed)
    return { to, subject, text, html, at }
  })
}
