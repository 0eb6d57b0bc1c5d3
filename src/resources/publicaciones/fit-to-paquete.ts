import sql from 'sql-template-tag'
import { type Audited, audit } from '../../accounts/audit.ts'
import type { Db } from '../../store/db.ts'
import { insertEvents } from '../../webhooks/events.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { lockContract, lockPaquete, type Paquete, setPaquete, today } from '../agencias/paquetes.ts'
import { type ModerationDeps, publicacionEvent } from './moderate.ts'
import { bestExposure, capacityOf, lockKey } from './paquete.ts'
import type { Exposicion, Publicacion } from './publicacion.ts'

type PaqueteOwner = Pick<Agencia, 'id' | 'adminMail' | 'nombre' | 'modo'>

/** Replaces an agency's package, and fits its listings to it at once. `entry`: for the audit log, if the caller does not write it. */
export const applyPaquete = (
  deps: ModerationDeps,
  agencia: PaqueteOwner,
  given: Paquete,
  entry?: Audited,
): Promise<void> =>
  deps.store.withLock(lockKey(agencia.modo, agencia.adminMail), async (tx) => {
    const former = await lockContract(tx, agencia.id, deps.config.timeZone)
    await setPaquete(tx, agencia.id, given)
    await fitToPaquete(tx, deps, agencia)
    if (entry && differs(former, given)) await audit(tx, entry)
  })

const differs = (former: { [Member in keyof Paquete]: unknown }, given: Paquete): boolean =>
  (Object.keys(given) as (keyof Paquete)[]).some((member) => former[member] !== given[member])

/**
 * Fits an agency's listings to its package, oldest first: each gets the best exposure left, those beyond it are
 * suspended, and those suspended for lack of place return. Apps are notified of listings that appear or disappear.
 */
async function fitToPaquete(tx: Db, deps: ModerationDeps, agencia: PaqueteOwner): Promise<void> {
  const associated = await tx.query<{ appId: number }>(sql`
    select app_id as "appId" from asociaciones where agencia_id = ${agencia.id} and ended_at is null
    order by id for share`)
  const contracted = await lockPaquete(tx, agencia.id, deps.config.timeZone)
  const capacity = capacityOf({ ...contracted, usadas: { Alta: 0, Media: 0, Baja: 0 } })
  const changes = (await lockPublicaciones(tx, agencia.id)).flatMap((row) => {
    const exposicion = bestExposure(capacity, row.exposicionPedida) ?? null
    if (exposicion) capacity[exposicion]--
    const isSame = exposicion === row.exposicion && (exposicion !== null) === (row.estado === 'Activa')
    return isSame ? [] : { row, exposicion }
  })
  if (changes.length === 0) return

  await write(
    tx,
    changes.map(({ row: { id }, exposicion }) => ({ id, exposicion })),
  )
  const apps = new Set(associated.map(({ appId }) => appId))
  const events = changes
    .filter(({ row, exposicion }) => apps.has(row.appId) && (exposicion !== null) !== (row.estado === 'Activa'))
    .map(({ row, exposicion }) =>
      publicacionEvent(deps, row, agencia, exposicion ? 'activada' : 'suspendida', 'mercado'),
    )
  if (events.length > 0) await insertEvents(tx, events)
}

type SettledPublicacion = Pick<
  Publicacion,
  'id' | 'appId' | 'externalId' | 'marca' | 'modelo' | 'estado' | 'exposicionPedida' | 'exposicion'
>

/** The listings that are shown, or suspended only for lack of place. */
const lockPublicaciones = (tx: Db, agenciaId: number): Promise<SettledPublicacion[]> =>
  tx.query<SettledPublicacion>(sql`
    select id, app_id as "appId", external_id as "externalId", marca, modelo, estado,
           exposicion_pedida as "exposicionPedida", exposicion
    from publicaciones
    where agencia_id = ${agenciaId} and estado <> 'Archivada' and (estado = 'Activa' or suspensiones = '{paquete}')
    order by id for update`)

const write = (tx: Db, rows: { id: number; exposicion: Exposicion | null }[]): Promise<unknown> =>
  tx.query(sql`
    update publicaciones p
    set estado = case when row.exposicion is null then 'Suspendida' else 'Activa' end,
        suspensiones = case when row.exposicion is null then '{paquete}'::text[] else '{}' end,
        exposicion = row.exposicion, updated_at = now()
    from json_to_recordset(${JSON.stringify(rows)}) as row (id int, exposicion text)
    where p.id = row.id`)

/** True if the package has place at the requested exposure or below. */
const HAS_PLACE = sql`(
  k.baja > coalesce(u.baja, 0)
  or (k.media > coalesce(u.media, 0) and p.exposicion_pedida is distinct from 'Baja')
  or (k.alta > coalesce(u.alta, 0) and coalesce(p.exposicion_pedida, 'Alta') = 'Alta'))`

/** Does so for agencies whose package began or ended, and those with suspended listings that have place again. */
export async function fitToLapsedPaquetes(deps: ModerationDeps): Promise<number> {
  const { store, config } = deps
  const agencias = await store.query<PaqueteOwner>(sql`
    select g.id, g.admin_mail as "adminMail", g.nombre, g.modo
    from agencias g
    left join usos u on u.agencia_id = g.id
    left join paquetes k on k.agencia_id = g.id and ${today(config.timeZone)} between k.desde and k.hasta
    where (k.agencia_id is null
           and exists (select from publicaciones p where p.agencia_id = g.id and p.estado = 'Activa'))
       or exists (select from publicaciones p
                  where p.agencia_id = g.id and p.suspensiones = '{paquete}' and p.estado = 'Suspendida' and ${HAS_PLACE})`)
  for (const agencia of agencias)
    await store.withLock(lockKey(agencia.modo, agencia.adminMail), (tx) => fitToPaquete(tx, deps, agencia))
  return agencias.length
}
