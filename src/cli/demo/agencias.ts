import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { DAY_MS } from '../../clock.ts'
import { TEST_DOMAIN } from '../../mail/email.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { associate, establish } from '../../resources/agencias/associations.ts'
import type { AgenciasDeps } from '../../resources/agencias/context.ts'
import { invite } from '../../resources/agencias/invite.ts'
import { setPaquete } from '../../resources/agencias/paquetes.ts'
import { findAgenciaById } from '../../resources/agencias/read.ts'
import type { DemoAgencia } from '../../sandbox/fiction/market.ts'
import { MARK, type Teams } from './teams.ts'

const INVITED = ['Autos del Litoral', 'Cuyo Usados']

/** An agency with its people and package, registered some weeks ago. */
export async function registerAgencia(
  deps: AgenciasDeps,
  { app, newAccount }: Teams,
  made: DemoAgencia,
): Promise<{ agencia: Agencia; accounts: Account[] }> {
  const tx = deps.store
  const then = new Date(deps.clock().getTime() - made.since * DAY_MS)
  const accounts = [await newAccount(made.administrador)]
  const data = { ...made.data, nombre: `${made.data.nombre} ${MARK}` }
  const agencia = await establish(tx, { ...deps, clock: () => then }, app, accounts[0] as Account, data)
  if (!agencia) throw new Error(`${data.nombre} is there twice.`)
  for (const person of made.vendedores) {
    const seller = await newAccount(person)
    accounts.push(seller)
    await tx.query(
      sql`insert into operadores (agencia_id, account_id, rol) values (${agencia.id}, ${seller.id}, 'vendedor')`,
    )
  }
  if (made.paquete) await setPaquete(tx, agencia.id, made.paquete)
  await tx.query(sql`update agencias set created_at = ${then}, updated_at = ${then} where id = ${agencia.id}`)
  await tx.query(sql`
    update asociaciones set created_at = ${then}, consultas_de_catalogo = ${made.paquete?.consultasDeCatalogo ?? false}
    where agencia_id = ${agencia.id}`)
  await tx.query(sql`update events set created_at = ${then} where agencia_id = ${agencia.id}`)
  return { agencia: (await findAgenciaById(tx, agencia.id)) ?? agencia, accounts }
}

/** The second app sees all inquiries of an agency. */
export async function connectOther(deps: AgenciasDeps, other: App, agencia: Agencia, since: Date): Promise<void> {
  const tx = deps.store
  const permisos = { editar: false, consultasDeCatalogo: true, consultasDeOtros: true }
  await associate(tx, { ...deps, clock: () => since }, { app: other, agencia, permisos })
  await tx.query(sql`
    update asociaciones set created_at = ${since} where agencia_id = ${agencia.id} and app_id = ${other.id}`)
  await tx.query(sql`update events set created_at = ${since} where agencia_id = ${agencia.id} and app_id = ${other.id}`)
}

/** Invitations that nobody has accepted yet; their emails are stored, because their domain gets none. */
export async function inviteAgencias(deps: AgenciasDeps, app: App): Promise<void> {
  for (const nombre of INVITED)
    await invite(deps, app, {
      AdminMail: `ventas@${nombre.toLowerCase().replaceAll(' ', '-')}.${TEST_DOMAIN}`,
      Nombre: `${nombre} ${MARK}`,
      AdminNombre: 'Elena',
      AdminApellido: 'Vera',
    })
}
