import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { lockAddress } from './address.ts'
import type { Agencia, Permisos } from './agencia.ts'
import type { AgenciasDeps } from './deps.ts'
import { tell } from './tell.ts'

/** The agency's administrator lets an app in, or changes what it may do: what is given here holds from now on. */
export async function connect(deps: AgenciasDeps, app: App, agencia: Agencia, permisos: Permisos): Promise<void> {
  await deps.store.transaction(async (tx) => {
    await lockAddress(tx, agencia.modo, agencia.adminMail)
    await associate(tx, deps, app, agencia, permisos)
    // The page did what the app's invitation asked for.
    await tx.query(sql`
      update invitaciones set estado = 'aceptada', ended_at = now(), agencia_id = ${agencia.id}
      where app_id = ${app.id} and admin_mail = ${agencia.adminMail} and estado = 'pendiente'`)
  })
}

/** Begins or changes an association; the app hears of a beginning only. Neither mode reaches into the other. */
export async function associate(
  tx: Db,
  deps: AgenciasDeps,
  app: App,
  agencia: Pick<Agencia, 'id' | 'modo' | 'adminMail' | 'nombre'>,
  { editar, consultasDeCatalogo, consultasDeOtros }: Permisos,
  again: 'replace' | 'widen' = 'replace',
): Promise<void> {
  if (app.modo !== agencia.modo) throw new Error('An app and an agency of different modes do not meet.')
  const keep = again === 'widen'
  const [row] = await tx.query<{ isNew: boolean }>(sql`
    insert into asociaciones (app_id, agencia_id, editar, consultas_de_catalogo, consultas_de_otros)
    values (${app.id}, ${agencia.id}, ${editar}, ${consultasDeCatalogo}, ${consultasDeOtros})
    on conflict (app_id, agencia_id) where ended_at is null do update
      set editar = excluded.editar or (${keep} and asociaciones.editar),
          consultas_de_catalogo = excluded.consultas_de_catalogo or (${keep} and asociaciones.consultas_de_catalogo),
          consultas_de_otros = excluded.consultas_de_otros or (${keep} and asociaciones.consultas_de_otros)
    returning xmax = 0 as "isNew"`)
  if (row?.isNew) await tell(tx, deps, app.id, 'agencia.registrada', agencia)
}
