import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Account } from './account.ts'
import { audit } from './audit.ts'
import { addStaff, lockStaff, removeStaff, type StaffRol } from './staff.ts'
import { ensureAccount, findAccount, findAccountById, setFirstIdioma, setName } from './store.ts'

/** A person as the provider describes them. */
export interface OidcPerson {
  issuer: string
  subject: string
  email: string
  /** True if the provider confirms that the address is theirs. Some providers say nothing about it. */
  emailVerified: boolean
  nombre: string
  apellido: string
  /** From their groups; undefined for somebody who is in none of those of the staff. */
  rol: StaffRol | undefined
}

/**
 * The account of a person who signed in at the provider, made a member of the staff with the role of their groups. Found by
 * the provider's subject, and the first time by the email address. Undefined for somebody without a role: who was of the
 * staff by the provider leaves it. `unverified` if the address has an account and the provider does not confirm that it is
 * theirs: otherwise who can choose an address at the provider would take over any account.
 */
export async function staffByOidc(tx: Db, person: OidcPerson): Promise<Account | 'unverified' | undefined> {
  const { rol } = person
  await lockStaff(tx)
  const known = await findIdentity(tx, person)
  if (!rol) {
    if (known?.viaOidc && (await removeStaff(tx, known.id))) await auditStaff(tx, known.id, 'personal.quitar')
    return undefined
  }
  const account = known ?? (await link(tx, person))
  if (!account) return 'unverified'
  const { id, staff, nombre } = account
  if (!staff) {
    await addStaff(tx, id)
    await setFirstIdioma(tx, id)
    await auditStaff(tx, id, 'personal.sumarse')
  }
  if (!nombre) await setName(tx, id, person.nombre, person.apellido)
  await tx.query(sql`update staff set rol = ${rol}, via_oidc = via_oidc or ${!staff} where account_id = ${id}`)
  return findAccountById(tx, id)
}

async function findIdentity(db: Db, { issuer, subject }: OidcPerson): Promise<Account | undefined> {
  const [row] = await db.query<{ id: number }>(sql`
    select account_id as id from oidc_identities where issuer = ${issuer} and subject = ${subject}`)
  return row && findAccountById(db, row.id)
}

async function link(tx: Db, { issuer, subject, email, emailVerified }: OidcPerson): Promise<Account | undefined> {
  if (!emailVerified && (await findAccount(tx, 'produccion', email))) return undefined
  const account = await ensureAccount(tx, 'produccion', email)
  await tx.query(sql`
    insert into oidc_identities (issuer, subject, account_id) values (${issuer}, ${subject}, ${account.id})`)
  return account
}

const auditStaff = (tx: Db, id: number, act: string) =>
  audit(tx, { accountId: id, via: 'consola', act, subject: `cuenta ${id}`, detail: { oidc: true } })
