import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'

const PURPOSE = 'baja'

/** What stands in a letter's "no recibir más invitaciones": the sealed address, so that only its reader can block it. */
export const blockToken = (seal: Seal, email: string): string =>
  seal.seal(email.toLowerCase(), PURPOSE).toString('base64url')

/** The address a token was made for; undefined where we did not make it. */
export function addressOf(seal: Seal, token: string): string | undefined {
  try {
    return seal.open(Buffer.from(token, 'base64url'), PURPOSE)
  } catch {
    return undefined
  }
}

/** No app's invitation is mailed to that address again; in both modes, for it is one person's mailbox. */
export async function blockInvitations(db: Db, email: string): Promise<void> {
  await db.query(sql`insert into invitation_blocks (email) values (${email.toLowerCase()}) on conflict do nothing`)
}

export async function isBlocked(db: Db, email: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from invitation_blocks where email = ${email.toLowerCase()}`)
  return rows.length > 0
}
