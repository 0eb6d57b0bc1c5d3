import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import type { Agencia, AgenciaData, Permisos } from './agencia.ts'
import { associate } from './connect.ts'
import type { AgenciasDeps } from './deps.ts'
import { findAgenciaById } from './store.ts'

/** What the inviting app may do (decisions, 6). */
export const INVITER: Permisos = { editar: true, consultasDeCatalogo: false, consultasDeOtros: false }

/**
 * Makes an agency that this person administers, associated with the app that brought it. Undefined where they
 * administer one already. An address of one's own is no alias any more.
 */
export async function establish(
  tx: Db,
  deps: AgenciasDeps,
  app: App,
  { id: accountId, modo, email }: Account,
  data: AgenciaData,
): Promise<Agencia | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into agencias (modo, admin_mail, nombre, razon_social, id_fiscal, telefono, whatsapp, sitio_web, region_id,
                          region, ciudad_id, ciudad, direccion, codigo_postal)
    values (${modo}, ${email}, ${data.nombre}, ${data.razonSocial}, ${data.idFiscal}, ${data.telefono},
            ${data.whatsapp}, ${data.sitioWeb}, ${data.regionId}, ${data.region}, ${data.ciudadId}, ${data.ciudad},
            ${data.direccion}, ${data.codigoPostal})
    on conflict (modo, admin_mail) do nothing returning id`)
  if (!row) return undefined
  await tx.query(sql`delete from agencia_aliases where modo = ${modo} and admin_mail = ${email}`)
  await tx.query(sql`
    insert into operadores (agencia_id, account_id, rol) values (${row.id}, ${accountId}, 'administrador')
    on conflict (agencia_id, account_id) do update set rol = 'administrador'`)
  const agencia = await findAgenciaById(tx, row.id)
  if (!agencia) throw new Error('The agency was not made.')
  await associate(tx, deps, app, agencia, INVITER)
  return agencia
}
