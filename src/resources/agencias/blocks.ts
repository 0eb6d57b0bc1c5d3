import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'

const PURPOSE = 'baja'

/** What stands in "no recibir más invitaciones": the address under our seal, so that nobody blocks another's. */
export const blockToken = (seal: Seal, email: string): string => seal.seal(email, PURPOSE).toString('base64url')

/** The address that a link of ours names; undefined where it is none of ours. */
export function readBlockToken(seal: Seal, token: string): string | undefined {
  try {
    return seal.open(Buffer.from(token, 'base64url'), PURPOSE)
  } catch {
    return undefined
  }
}

/** From now on nobody invites that address, in either mode. */
export async function blockInvitations(db: Db, email: string): Promise<void> {
  await db.query(sql`insert into invitation_blocks (email) values (${email.toLowerCase()}) on conflict do nothing`)
}

export async function isBlocked(db: Db, email: string): Promise<boolean> {
  return (await db.query(sql`select from invitation_blocks where email = ${email.toLowerCase()}`)).length > 0
}
