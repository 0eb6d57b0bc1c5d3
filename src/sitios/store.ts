import { hash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import type { Sitio } from './sitio.ts'

const KEY_BYTES = 32
/** Lets secret scanners recognise a leaked key. */
const KEY_PREFIX = 'sitio_'

/** What is kept of a SitioKey. It is random, so that a plain hash of it is as good as a slow one. */
export const hashOf = (sitioKey: string): string => hash('sha256', sitioKey, 'hex')

/** Makes a site and its key, which is shown only now. */
export async function createSitio(
  db: Db,
  { nombre, modo }: Omit<Sitio, 'id'>,
): Promise<{ sitio: Sitio; sitioKey: string }> {
  const sitioKey = `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
  const [sitio] = await db.query<Sitio>(sql`
    insert into sitios (nombre, modo, key_hash) values (${nombre}, ${modo}, decode(${hashOf(sitioKey)}, 'hex'))
    returning id, nombre, modo`)
  if (!sitio) throw new Error('The site was not made.')
  return { sitio, sitioKey }
}

/** The same, unless a site like it came after that one: a form that is sent twice makes one site. */
export const createSitioOnce = (
  store: Store,
  wanted: Omit<Sitio, 'id'>,
  newest: number,
): Promise<{ sitio: Sitio; sitioKey: string } | undefined> =>
  store.transaction(async (tx) => {
    await tx.query(sql`lock table sitios in share row exclusive mode`) // two at once would not see each other
    const [since] = await tx.query(sql`
      select 1 from sitios where id > ${newest} and nombre = ${wanted.nombre} and modo = ${wanted.modo}`)
    return since ? undefined : createSitio(tx, wanted)
  })

export interface ListedSitio extends Sitio {
  creado: Date
  revocado: Date | null
}

export const LISTED = sql`id, nombre, modo, created_at as creado, revoked_at as revocado`

export const listSitios = (db: Db): Promise<ListedSitio[]> =>
  db.query<ListedSitio>(sql`select ${LISTED} from sitios order by id`)

/** Refuses a site's key everywhere within a second; what it handed in stays. */
export async function revokeSitio(db: Db, id: number): Promise<ListedSitio | undefined> {
  const [sitio] = await db.query<ListedSitio>(sql`
    update sitios set revoked_at = coalesce(revoked_at, now()) where id = ${id} returning ${LISTED}`)
  return sitio
}
