import sql from 'sql-template-tag'
import type { Db, Store } from '../../store/db.ts'
import { writeEvents } from '../../webhooks/events.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { lockPackage, type Package, setPackage } from '../agencias/packages.ts'
import { bestPlace } from './exposure.ts'
import { roomOf, turnOf } from './opening.ts'
import type { Exposicion, Publicacion } from './publicacion.ts'
import { type TellingDeps, toldOf } from './tell.ts'

export interface SettlingDeps extends TellingDeps {
  store: Store
}

type Whose = Pick<Agencia, 'id' | 'adminMail' | 'nombre' | 'modo'>

/** An agency contracts a package, in place of what it had; what it shows follows at once. */
export const contract = (deps: SettlingDeps, agencia: Whose, given: Package): Promise<void> =>
  deps.store.withLock(turnOf(agencia.modo, agencia.adminMail), async (tx) => {
    await setPackage(tx, agencia.id, given)
    await settlePackage(tx, deps, agencia)
  })

/**
 * Brings what an agency shows in line with its package, oldest first: each gets the best there is, what finds no place
 * is hidden, and what was hidden for want of one comes back. Apps are told of what appears and disappears.
 */
export async function settlePackage(tx: Db, deps: SettlingDeps, agencia: Whose): Promise<void> {
  const associated = await tx.query<{ appId: number }>(sql`
    select app_id as "appId" from asociaciones where agencia_id = ${agencia.id} and ended_at is null
    order by id for share`)
  const contracted = await lockPackage(tx, agencia.id, deps.config.timeZone)
  const room = roomOf({ ...contracted, usadas: { Alta: 0, Media: 0, Baja: 0 } })
  const changes = (await concerned(tx, agencia.id)).flatMap((row) => {
    const exposicion = bestPlace(room, row.exposicionPedida) ?? null
    if (exposicion) room[exposicion]--
    const isSame = exposicion === row.exposicion && (exposicion !== null) === (row.estado === 'Activa')
    return isSame ? [] : { row, exposicion }
  })
  if (changes.length === 0) return

  await write(
    tx,
    changes.map(({ row: { id }, exposicion }) => ({ id, exposicion })),
  )
  const seen = new Set(associated.map(({ appId }) => appId))
  const told = changes.filter(
    ({ row, exposicion }) => seen.has(row.appId) && (exposicion !== null) !== (row.estado === 'Activa'),
  )
  const events = told.map(({ row, exposicion }) =>
    toldOf(deps, row, agencia, exposicion ? 'activada' : 'suspendida', 'mercado'),
  )
  if (events.length > 0) await writeEvents(tx, events)
}

type Concerned = Pick<
  Publicacion,
  'id' | 'appId' | 'externalId' | 'marca' | 'modelo' | 'estado' | 'exposicionPedida' | 'exposicion'
>

/** What is shown, and what only wants a place. */
const concerned = (tx: Db, agenciaId: number): Promise<Concerned[]> =>
  tx.query<Concerned>(sql`
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

/** A place that a listing may have, at what it asks for or below. */
const PLACE = sql`(
  k.baja > coalesce(u.baja, 0)
  or (k.media > coalesce(u.media, 0) and p.exposicion_pedida is distinct from 'Baja')
  or (k.alta > coalesce(u.alta, 0) and coalesce(p.exposicion_pedida, 'Alta') = 'Alta'))`

/** Settles the agencies whose package has ended or begun since, and those that have place again for what waits. */
export async function settleLapsed(deps: SettlingDeps): Promise<number> {
  const { store, config } = deps
  const agencias = await store.query<Whose>(sql`
    select g.id, g.admin_mail as "adminMail", g.nombre, g.modo
    from agencias g
    left join usos u on u.agencia_id = g.id
    left join paquetes k on k.agencia_id = g.id and (now() at time zone ${config.timeZone})::date between k.desde and k.hasta
    where (k.agencia_id is null
           and exists (select from publicaciones p where p.agencia_id = g.id and p.estado = 'Activa'))
       or exists (select from publicaciones p
                  where p.agencia_id = g.id and p.suspensiones = '{paquete}' and p.estado = 'Suspendida' and ${PLACE})`)
  for (const agencia of agencias)
    await store.withLock(turnOf(agencia.modo, agencia.adminMail), (tx) => settlePackage(tx, deps, agencia))
  return agencias.length
}
