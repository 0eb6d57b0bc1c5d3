import { hash, randomBytes } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Modo } from '../modo.ts'
import type { Db, Transactional } from '../store/db.ts'
import { type Cursor, keysetBy, resultPage } from '../store/keyset.ts'
import type { Listener } from '../store/listener.ts'
import { openMirror } from '../store/mirror.ts'

/** A site of the marketplace, which sends inquiries and reads listings in one mode. */
export interface Sitio {
  id: number
  nombre: string
  modo: Modo
}

const KEY_BYTES = 32
/** Lets secret scanners recognise a leaked key. */
const KEY_PREFIX = 'sitio_'

/** The stored form of a SitioKey. A fast hash is enough because the key is random. */
const hashOf = (sitioKey: string): string => hash('sha256', sitioKey, 'hex')

/** Creates a site and its key, which is shown only once. */
export async function createSitio(db: Db, { nombre, modo }: Omit<Sitio, 'id'>) {
  const sitioKey = `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
  const [sitio] = await db.query<Sitio>(sql`
    insert into sitios (nombre, modo, key_hash) values (${nombre}, ${modo}, decode(${hashOf(sitioKey)}, 'hex'))
    returning id, nombre, modo`)
  if (!sitio) throw new Error('The site was not created.')
  return { sitio, sitioKey }
}

/** Creates a site unless an equal one was created after `newest`, so that a double submit creates one. */
export const createSitioOnce = (store: Transactional, wanted: Omit<Sitio, 'id'>, newest: number) =>
  store.transaction(async (tx) => {
    await tx.query(sql`lock table sitios in share row exclusive mode`) // concurrent submits would not see each other
    const [since] = await tx.query(sql`
      select 1 from sitios where id > ${newest} and nombre = ${wanted.nombre} and modo = ${wanted.modo}`)
    return since ? undefined : createSitio(tx, wanted)
  })

export interface ListedSitio extends Sitio {
  creado: Date
  revocado: Date | null
}

const LISTED = sql`id, nombre, modo, created_at as creado, revoked_at as revocado`

export const listSitios = (db: Db) => db.query<ListedSitio>(sql`select ${LISTED} from sitios order by id`)

/** Revokes a site's key on every node within a second. */
export const revokeSitio = (db: Db, id: number): Promise<ListedSitio | undefined> =>
  db.first<ListedSitio>(sql`
    update sitios set revoked_at = coalesce(revoked_at, now()) where id = ${id} returning ${LISTED}`)

interface SitiosFilters {
  q?: string | undefined
  modo?: Sitio['modo'] | undefined
  estado?: 'vigentes' | 'revocadas' | undefined
}

export async function listSitiosForStaff(db: Db, { q, modo, estado }: SitiosFilters, cursor: Cursor<number>) {
  const { within, order, limit } = keysetBy(sql`id`, cursor)
  const conditions: Sql[] = [within]
  if (q) conditions.push(sql`position(lower(${q}) in lower(nombre)) > 0`)
  if (modo) conditions.push(sql`modo = ${modo}`)
  if (estado) conditions.push(estado === 'vigentes' ? sql`revoked_at is null` : sql`revoked_at is not null`)
  const found = await db.query<ListedSitio>(sql`
    select ${LISTED} from sitios where ${join(conditions, ' and ')} order by ${order} limit ${limit}`)
  return resultPage(found, cursor)
}

export async function newestSitio(db: Db): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0) as id from sitios`)
  return row?.id ?? 0
}

export type SitioCache = Awaited<ReturnType<typeof openSitioCache>>

interface CachedSitio extends Sitio {
  keyHash: string
}

/** The keys of all sites in memory. Sites are found by the key's hash, so that timing reveals nothing about the key. */
export async function openSitioCache(db: Db, listener: Listener, nowMs: () => number) {
  const read = (where: Sql) =>
    db.query<CachedSitio>(sql`
      select id, nombre, modo, encode(key_hash, 'hex') as "keyHash" from sitios where revoked_at is null and ${where}`)
  const mirror = await openMirror<CachedSitio>({
    listener,
    nowMs,
    channel: 'sitios',
    read: (ids) => read(ids === 'all' ? sql`true` : sql`id = any(${ids})`),
    readOne: async (keyHash) => (await read(sql`key_hash = decode(${keyHash}, 'hex')`))[0],
    idOf: ({ id }) => id,
    keyOf: ({ keyHash }) => keyHash,
  })
  return { find: (sitioKey: string) => mirror.find(hashOf(sitioKey)) }
}
