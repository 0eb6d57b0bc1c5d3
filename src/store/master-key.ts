import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Db } from './db.ts'
import type { Seal } from './sealed.ts'

/** The embedded store's own master key: made once, kept in DATA_DIR for its owner's eyes only. */
export function keptMasterKey(dataDir: string): Buffer {
  const path = join(dataDir, 'master.key')
  const kept = readKey(path)
  if (kept) return kept

  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path) // fails where another process was first: then its key is the key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  const made = readKey(path)
  if (!made) throw new Error(`The master key could not be kept in ${path}.`)
  return made
}

/** The key that is kept in DATA_DIR, if one is; none is made. */
export const findMasterKey = (dataDir: string): Buffer | undefined => readKey(join(dataDir, 'master.key'))

function readKey(path: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex')
  throw new Error(`${path} does not hold a master key (64 hex digits). Put the right file back, or set MASTER_KEY.`)
}

/** Refuses a store whose secrets were sealed with another key, before anything fails to open half-way. */
export async function checkMasterKey(db: Db, seal: Seal): Promise<void> {
  await db.query(sql`
    insert into settings (name, value) values ('master_key_fingerprint', ${seal.fingerprint}) on conflict do nothing`)
  const [kept] = await db.query<{ value: string }>(sql`
    select value from settings where name = 'master_key_fingerprint'`)
  if (kept?.value === seal.fingerprint) return
  throw new Error(
    'MASTER_KEY is not the one this store was made with, so its secrets cannot be read. ' +
      'Start with the former MASTER_KEY (on the embedded store: the file master.key in DATA_DIR).',
  )
}
