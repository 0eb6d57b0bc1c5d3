import sql, { empty, type Sql } from 'sql-template-tag'
import { type Audited, audit } from '../../accounts/audit.ts'
import type { Modo } from '../../apps/app.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { conflict, fault, notFound } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import type { Db, Transactional } from '../../store/db.ts'
import { buildEvent, type EventRow, insertEvents } from '../../webhooks/events.ts'
import { agenciaRef } from '../agencias/represent.ts'
import { bestExposure, lockCapacity, lockKey } from './paquete.ts'
import { type Publicacion, publicacionRef, type Visibility } from './publicacion.ts'
import { PUBLICACION_OF_AGENCIA, type PublicacionOfAgencia } from './read.ts'
import { archivePublicaciones } from './write.ts'

export interface ModerationDeps {
  store: Transactional
  clock: Clock
  config: Pick<Config, 'timeZone'>
}

/** Which listing, and who decides: the marketplace on any of its mode, an agency on its own. */
export interface ModerationTarget {
  aviso: number
  modo: Modo
  agenciaId?: number
  by: 'mercado' | 'agencia'
  /** The `modificada` of the listing that somebody judged: of another nobody has decided. */
  seen?: Date | undefined
  /** For the audit log, if the caller does not write it. */
  entry?: Audited
}

/** The listing changed after the page for the decision was made; nothing was done. */
export class ChangedSinceSeen extends Error {}

/** Until the same party reactivates it. Only the marketplace gives a reason; left out, it stays. */
export const suspend = (
  deps: ModerationDeps,
  target: ModerationTarget,
  reason?: string | null,
): Promise<PublicacionOfAgencia> =>
  moderate(deps, target, async (tx, row) => {
    const known = row.suspensiones.includes(target.by)
    const motivo = target.by === 'agencia' || (known && reason === undefined) ? row.motivo : (reason ?? null)
    if (known && row.motivo === motivo) return undefined
    const suspensiones = known ? row.suspensiones : [...row.suspensiones, target.by]
    await write(tx, row.id, { estado: 'Suspendida', suspensiones, exposicion: null }, sql`, motivo = ${motivo}`)
    return known ? 'changed' : 'suspendida'
  })

/** Lifts a suspension. The listing is shown unless another suspension remains or the package is full. */
export const reactivate = (deps: ModerationDeps, target: ModerationTarget): Promise<PublicacionOfAgencia> =>
  moderate(deps, target, async (tx, row) => {
    if (!row.suspensiones.includes(target.by)) return undefined
    const left = row.suspensiones.filter((reason) => reason !== target.by)
    const exposicion =
      left.length === 0 ? bestExposure(await lockCapacity(tx, row.agenciaId, deps), row.exposicionPedida) : undefined
    const motivo = left.includes('mercado') ? empty : sql`, motivo = null`
    const visibility: Omit<Visibility, 'exposicionPedida'> = exposicion
      ? { estado: 'Activa', suspensiones: [], exposicion }
      : { estado: 'Suspendida', suspensiones: left.length ? left : ['paquete'], exposicion: null }
    await write(tx, row.id, visibility, motivo)
    return exposicion ? 'activada' : 'changed'
  })

export const end = (deps: ModerationDeps, target: ModerationTarget): Promise<PublicacionOfAgencia> =>
  moderate(deps, target, async (tx, row) => {
    await archivePublicaciones(tx, [row.id])
    return 'archivada'
  })

/** Returns what the app is notified of; `changed`: nothing; undefined: there was nothing to do. */
type Act = (tx: Db, row: Publicacion) => Promise<PublicacionChange | 'changed' | undefined>

/** Locks the listing, its app's association and its agency's package, acts, and notifies the app. */
async function moderate(deps: ModerationDeps, target: ModerationTarget, act: Act): Promise<PublicacionOfAgencia> {
  const { store } = deps
  const found = await find(store, target)
  if (!found) throw notFound(message('problema.noPublicListing'))
  return store.withLock(lockKey(found.modo, found.adminMail), async (tx) => {
    const associated = await tx.query(sql`
      select from asociaciones
      where app_id = ${found.appId} and agencia_id = ${found.agenciaId} and ended_at is null for share`)
    await lockCapacity(tx, found.agenciaId, deps) // before the row: the order of these locks is the same everywhere
    const row = await find(tx, target, sql`for update of p`)
    if (!row || row.estado === 'Archivada')
      throw conflict({ _: [fault('archivado', 'El aviso está archivado.')] }, message('problema.archived'))
    if (target.seen && target.seen.getTime() !== row.modificada.getTime()) throw new ChangedSinceSeen()
    const change = await act(tx, row)
    if (!change) return row
    if (target.entry) await audit(tx, target.entry)
    if (change !== 'changed' && associated.length > 0) {
      const agencia = { id: row.agenciaId, adminMail: row.adminMail, nombre: row.agencia }
      await insertEvents(tx, [publicacionEvent(deps, row, agencia, change, target.by)])
    }
    return (await find(tx, target)) ?? row
  })
}

const find = (db: Db, { aviso, modo, agenciaId }: ModerationTarget, lock = empty) =>
  db.first<PublicacionOfAgencia>(sql`
    ${PUBLICACION_OF_AGENCIA}
    where p.id = ${aviso} and p.modo = ${modo} and (${agenciaId ?? null}::int is null or g.id = ${agenciaId ?? null})
    ${lock}`)

const write = (
  tx: Db,
  id: number,
  { estado, suspensiones, exposicion }: Omit<Visibility, 'exposicionPedida'>,
  more: Sql,
) =>
  tx.query(sql`
    update publicaciones
    set estado = ${estado}, suspensiones = ${suspensiones}, exposicion = ${exposicion}, updated_at = now() ${more}
    where id = ${id}`)

type PublicacionChange = 'activada' | 'suspendida' | 'archivada'

/** The event that tells an app what others did to its listing. */
export function publicacionEvent(
  { clock, config }: ModerationDeps,
  row: Pick<Publicacion, 'appId' | 'externalId' | 'marca' | 'modelo'>,
  agencia: { id: number; adminMail: string; nombre: string },
  change: PublicacionChange,
  by: 'agencia' | 'mercado',
): EventRow {
  return buildEvent({
    appId: row.appId,
    topic: `publicacion.${change}`,
    agencia: { id: agencia.id, adminMail: agencia.adminMail, ...agenciaRef(agencia) },
    moment: clock(),
    timeZone: config.timeZone,
    body: { Publicacion: publicacionRef(row, agencia.adminMail), ExternalId: row.externalId, Por: by },
  })
}
