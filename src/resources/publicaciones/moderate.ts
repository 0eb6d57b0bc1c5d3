import sql, { type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import { conflict, notFound } from '../../http/problems.ts'
import type { Db, Store } from '../../store/db.ts'
import { writeEvents } from '../../webhooks/events.ts'
import { bestPlace } from './exposure.ts'
import { openRoom, turnOf } from './opening.ts'
import type { Publicacion } from './publicacion.ts'
import { PUBLICACION } from './store.ts'
import { type Happening, type TellingDeps, toldOf } from './tell.ts'
import type { Visibility } from './write.ts'

export interface ModerationDeps extends TellingDeps {
  store: Store
}

/** Which listing, and who decides: the marketplace on any of its mode, an agency on its own. */
export interface Moderated {
  aviso: number
  modo: Modo
  /** Only one of this agency's. */
  agenciaId?: number
  by: 'mercado' | 'agencia'
}

/** A listing with whose it is. */
export type Aviso = Publicacion & { adminMail: string; agencia: string }

/**
 * Others than the app hide a listing; only they let it back. Hidden already by the same, nothing more is told. The reason
 * is the marketplace's, and stays its own whatever the agency does meanwhile; left out the next time, it stays too.
 */
export const suspend = (deps: ModerationDeps, which: Moderated, reason?: string | null): Promise<Aviso> =>
  moderate(deps, which, async (tx, row) => {
    const known = row.suspensiones.includes(which.by)
    const motivo = which.by === 'agencia' || (known && reason === undefined) ? row.motivo : (reason ?? null)
    if (known && row.motivo === motivo) return undefined
    const suspensiones = known ? row.suspensiones : [...row.suspensiones, which.by]
    await write(tx, row.id, { estado: 'Suspendida', suspensiones, exposicion: null }, sql`, motivo = ${motivo}`)
    return known ? 'changed' : 'suspendida'
  })

/** They let it back: it is shown again unless something else hides it, or the package has no place. */
export const reactivate = (deps: ModerationDeps, which: Moderated): Promise<Aviso> =>
  moderate(deps, which, async (tx, row) => {
    if (!row.suspensiones.includes(which.by)) return undefined
    const left = row.suspensiones.filter((reason) => reason !== which.by)
    const place =
      left.length === 0 ? bestPlace(await openRoom(tx, row.agenciaId, deps), row.exposicionPedida) : undefined
    const motivo = left.includes('mercado') ? sql`` : sql`, motivo = null`
    if (place) await write(tx, row.id, { estado: 'Activa', suspensiones: [], exposicion: place }, motivo)
    else
      await write(
        tx,
        row.id,
        { estado: 'Suspendida', suspensiones: left.length ? left : ['paquete'], exposicion: null },
        motivo,
      )
    return place ? 'activada' : 'changed'
  })

/** They end it for good. */
export const end = (deps: ModerationDeps, which: Moderated): Promise<Aviso> =>
  moderate(deps, which, async (tx, row) => {
    await tx.query(sql`
      update publicaciones set estado = 'Archivada', archived_at = now(), updated_at = now() where id = ${row.id}`)
    return 'archivada'
  })

type Act = (tx: Db, row: Publicacion) => Promise<Happening | 'changed' | undefined>

/**
 * Does it to the listing, held with its app's association and its agency's package, and tells the app. It waits its turn
 * before it has a connection: as many moderators as there are would else leave none to anybody.
 */
async function moderate(deps: ModerationDeps, which: Moderated, act: Act): Promise<Aviso> {
  const { store } = deps
  const seen = await find(store, which)
  if (!seen) throw notFound('No existe ese aviso.')
  return store.withLock(turnOf(seen.modo, seen.adminMail), async (tx) => {
    const associated = await tx.query(sql`
      select from asociaciones
      where app_id = ${seen.appId} and agencia_id = ${seen.agenciaId} and ended_at is null for share`)
    await openRoom(tx, seen.agenciaId, deps) // whoever takes a place of the package waits, and is waited for
    const row = await find(tx, which, sql`for update of p`)
    if (!row || row.estado === 'Archivada') throw conflict({ _: ['El aviso está archivado.'] }, 'Es definitivo.')
    const happened = await act(tx, row)
    if (!happened) return row
    if (happened !== 'changed' && associated.length > 0) {
      const agencia = { id: row.agenciaId, adminMail: row.adminMail, nombre: row.agencia }
      await writeEvents(tx, [toldOf(deps, row, agencia, happened, which.by)])
    }
    return (await find(tx, which)) ?? row
  })
}

async function find(db: Db, { aviso, modo, agenciaId }: Moderated, lock: Sql = sql``): Promise<Aviso | undefined> {
  const [row] = await db.query<Aviso>(sql`
    select ${PUBLICACION}, g.admin_mail as "adminMail", g.nombre as agencia
    from publicaciones p join agencias g on g.id = p.agencia_id
    where p.id = ${aviso} and p.modo = ${modo} and (${agenciaId ?? null}::int is null or g.id = ${agenciaId ?? null})
    ${lock}`)
  return row
}

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
