import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Listener } from '../store/listener.ts'
import { openMirror } from '../store/mirror.ts'
import { hashOf, type Sitio } from './store.ts'

/** The keys of all sites in memory. */
export interface SitioCache {
  find(sitioKey: string): Sitio | undefined | Promise<Sitio | undefined>
}

interface CachedSitio extends Sitio {
  keyHash: string
}

/** Sites are found by the key's hash, so that timing reveals nothing about the key. */
export async function openSitioCache(db: Db, listener: Listener, nowMs: () => number): Promise<SitioCache> {
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
  return { find: (sitioKey) => mirror.find(hashOf(sitioKey)) }
}
