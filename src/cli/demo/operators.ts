import type { Account } from '../../accounts/account.ts'
import { setMember } from '../../accounts/members.ts'
import { addStaff } from '../../accounts/staff.ts'
import { createAccount } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'

const STAFF = { email: 'personal@rodado.example', nombre: 'Camila', apellido: 'Ríos' }
const DEVELOPER = { email: 'dev@gestion-automotor.example', nombre: 'Tomás', apellido: 'Luna' }

/** Who runs the demo's market, and who wrote its app: the first sign-in of the former sets the second factor up. */
export async function operators(tx: Db, app: App, passwordHash: string): Promise<{ staff: string; developer: string }> {
  const staff = await account(tx, STAFF, passwordHash)
  await addStaff(tx, staff.id)
  const developer = await account(tx, DEVELOPER, passwordHash)
  await setMember(tx, app.id, developer.id, 'titular')
  return { staff: staff.email, developer: developer.email }
}

async function account(tx: Db, person: typeof STAFF, passwordHash: string): Promise<Account> {
  const made = await createAccount(tx, { ...person, modo: 'produccion', passwordHash })
  if (!made) throw new Error(`${person.email} is there twice.`)
  return made
}
