import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Db } from './db.ts'

const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES

export type Seal = ReturnType<typeof createSeal>

/** AES-256-GCM. `purpose` is bound to the value, so that it does not open if it is moved to another column. */
export function createSeal(masterKey: Buffer) {
  const derive = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', masterKey, '', info, bytes))
  const key = derive('rodado/secrets', 32)
  const hashKey = derive('rodado/hashes', 32)

  return {
    /** Identifies the key without revealing it. */
    fingerprint: derive('rodado/fingerprint', 16).toString('hex'),

    seal(secret: string, purpose: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), ciphertext])
    },

    /** A keyed hash, to recognise a text without storing it. */
    hash: (text: string, purpose: string): Buffer =>
      createHmac('sha256', hashKey).update(`${purpose}\0${text}`).digest(),

    open(sealed: Buffer, purpose: string): string {
      if (sealed[0] !== FORMAT) throw new Error(`A sealed value has the unknown format ${sealed[0]}.`)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8')
    },
  }
}

/** The master key of the embedded store: created on the first start in DATA_DIR, readable only by its owner. */
export function ensureMasterKey(dataDir: string): Buffer {
  const path = join(dataDir, 'master.key')
  const existing = readKey(path)
  if (existing) return existing

  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path) // fails if another process was first; its key is then used
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  const created = readKey(path)
  if (!created) throw new Error(`The master key could not be stored in ${path}.`)
  return created
}

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

/** Stores which key this store's secrets are sealed with, once. */
export const storeMasterKeyFingerprint = (db: Db, seal: Seal): Promise<unknown> =>
  db.query(sql`
    insert into settings (name, value) values ('master_key_fingerprint', ${seal.fingerprint}) on conflict do nothing`)

/** Refuses a store whose secrets were sealed with another key. */
export async function checkMasterKey(db: Db, seal: Seal): Promise<void> {
  const [stored] = await db.query<{ value: string }>(sql`
    select value from settings where name = 'master_key_fingerprint'`)
  if (stored === undefined || stored.value === seal.fingerprint) return
  throw new Error(
    'MASTER_KEY is not the one this store was made with, so its secrets cannot be read. ' +
      'Start with the former MASTER_KEY (on the embedded store: the file master.key in DATA_DIR).',
  )
}
