import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chownSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sql from 'sql-template-tag'
import type { Config } from '../config.ts'
import type { Log } from './circuit-breaker.ts'
import type { Db } from './db.ts'
import { keepFresh } from './keep-fresh.ts'
import type { Listener } from './listener.ts'

/** Format 1: nonce, tag, ciphertext. Format 2 begins with the id of its master key. */
const WITHOUT_KEY_ID = 1
const WITH_KEY_ID = 2
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** MASTER_KEY, and MASTER_KEY_PREVIOUS while the secrets are sealed anew. */
interface MasterKeys {
  current: Buffer
  previous?: Buffer | undefined
}

/** What the store says about its sealed values; every node follows it. */
interface SealState {
  /** The fingerprint of the master key that seals. */
  active: string
  /** The fingerprint of another one that still opens values: `rodado keys reseal` has begun and not finished. */
  former: string | null
  /** False in a store that an earlier version may share, which cannot read key ids. */
  keyIds: boolean
  /** The key of hashes. It stays when the master key changes, because hashes cannot be made anew. Null: derived. */
  sealedHashKey: string | null
}

export type Seal = ReturnType<typeof createSeal>

const derive = (masterKey: Buffer, info: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', masterKey, '', info, bytes))

/** Identifies a master key without revealing it. */
const fingerprintOf = (masterKey: Buffer): string => derive(masterKey, 'rodado/fingerprint', 16).toString('hex')

function openKey(masterKey: Buffer) {
  const fingerprint = fingerprintOf(masterKey)
  const id = Buffer.from(fingerprint, 'hex').subarray(0, KEY_ID_BYTES)
  return { fingerprint, id, key: derive(masterKey, 'rodado/secrets', 32), masterKey }
}

/** AES-256-GCM. `purpose` is bound to the value, so that it does not open if it is moved to another column. */
export function createSeal(masterKeys: Buffer | MasterKeys) {
  const { current, previous } = Buffer.isBuffer(masterKeys) ? { current: masterKeys } : masterKeys
  const keys = [current, ...(previous ? [previous] : [])].map(openKey)
  const [target = openKey(current)] = keys
  let active = target
  let keyIds = true
  let hashKey = derive(current, 'rodado/hashes', 32)
  let trustedUntilMs = Number.POSITIVE_INFINITY

  const sealWith = ({ key, id }: typeof target, secret: string, purpose: string, withKeyId = true): Buffer => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    const head = withKeyId ? [Buffer.of(WITH_KEY_ID), id] : [Buffer.of(WITHOUT_KEY_ID)]
    return Buffer.concat([...head, nonce, cipher.getAuthTag(), ciphertext])
  }

  function openWith(key: Buffer, sealed: Buffer, purpose: string): string {
    const tagAt = NONCE_BYTES
    const textAt = tagAt + TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, tagAt))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(sealed.subarray(tagAt, textAt))
    return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]).toString('utf8')
  }

  function open(sealed: Buffer, purpose: string): string {
    if (sealed[0] === WITH_KEY_ID) {
      const id = sealed.subarray(1, 1 + KEY_ID_BYTES)
      const found = keys.find((each) => each.id.equals(id))
      if (!found) throw new Error(`A value was sealed with the master key ${id.toString('hex')}, which is not here.`)
      return openWith(found.key, sealed.subarray(1 + KEY_ID_BYTES), purpose)
    }
    if (sealed[0] !== WITHOUT_KEY_ID) throw new Error(`A sealed value has the unknown format ${sealed[0]}.`)
    let failure: unknown
    for (const { key } of [active, ...keys.filter((each) => each !== active)]) {
      try {
        return openWith(key, sealed.subarray(1), purpose)
      } catch (error) {
        failure ??= error
      }
    }
    throw failure
  }

  return {
    /** Of MASTER_KEY. */
    fingerprint: target.fingerprint,
    /** The fingerprints of all keys that are here. */
    fingerprints: keys.map(({ fingerprint }) => fingerprint),
    /** What every value begins with that MASTER_KEY sealed. */
    prefix: Buffer.concat([Buffer.of(WITH_KEY_ID), target.id]),

    seal(secret: string, purpose: string): Buffer {
      if (performance.now() > trustedUntilMs) throw new ActiveKeyUnknown()
      return sealWith(active, secret, purpose, keyIds)
    },
    open,
    /** Seals with MASTER_KEY, whichever key is active. */
    sealAnew: (secret: string, purpose: string): Buffer => sealWith(target, secret, purpose),

    /** A keyed hash, to recognise a text without storing it. */
    hash: (text: string, purpose: string): Buffer =>
      createHmac('sha256', hashKey).update(`${purpose}\0${text}`).digest(),
    /** The key of hashes, sealed with MASTER_KEY. */
    sealHashKey: (): string => sealWith(target, hashKey.toString('hex'), HASH_KEY).toString('base64'),

    /** Follows what the store says, until a time of performance.now(). Throws, and seals no more, if a key is missing here. */
    follow(state: SealState, untilMs = Number.POSITIVE_INFINITY): void {
      trustedUntilMs = Number.NEGATIVE_INFINITY
      const found = keys.find(({ fingerprint }) => fingerprint === state.active)
      if (!found) throw new Error(OTHER_KEY)
      if (state.former && !keys.some(({ fingerprint }) => fingerprint === state.former)) throw new Error(UNFINISHED)
      active = found
      keyIds = state.keyIds
      hashKey = state.sealedHashKey
        ? Buffer.from(open(Buffer.from(state.sealedHashKey, 'base64'), HASH_KEY), 'hex')
        : derive(found.masterKey, 'rodado/hashes', 32)
      trustedUntilMs = untilMs
    },
  }
}

/** SQL's class "connection exception": the store was not read for a while, so that a request is answered with 503. */
class ActiveKeyUnknown extends Error {
  readonly code = '08006'
  constructor() {
    super('Nothing is sealed: the active master key was not read from the database lately, or is not here.')
  }
}

const HASH_KEY = 'hash-key'
const OTHER_KEY =
  'MASTER_KEY is not the one this store was made with, so its secrets cannot be read. ' +
  'Start with the former MASTER_KEY (on the embedded store: the file master.key in DATA_DIR). ' +
  'To change it, give the former one as MASTER_KEY_PREVIOUS, and run `rodado keys reseal` (docs/keys.md).'
const UNFINISHED =
  'The secrets are being sealed with a new MASTER_KEY, and some still need the former one. ' +
  'Set MASTER_KEY_PREVIOUS to it until `rodado keys reseal` has finished (docs/keys.md).'

/** The master key of the embedded store: created on the first start in DATA_DIR, readable only by its owner. */
export function ensureMasterKey(dataDir: string): Buffer {
  const path = keyPath(dataDir)
  const existing = readKey(path)
  if (existing) return existing

  mkdirSync(dataDir, { recursive: true })
  const draft = writeKey(path)
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

const keyPath = (dataDir: string) => join(dataDir, 'master.key')

/** Writes a new key beside its place, for the owner of the folder alone, and returns where. Root may run the command. */
function writeKey(path: string): string {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  const { uid, gid } = statSync(dirname(path))
  if (process.getuid?.() === 0) chownSync(draft, uid, gid)
  return draft
}

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

/** The keys of this installation: from the settings, or else from the files of the embedded store. */
export function masterKeysOf({ masterKey, masterKeyPrevious, dataDir }: KeySettings): MasterKeys {
  const current = masterKey ?? ensureMasterKey(dataDir)
  return { current, previous: masterKeyPrevious ?? (masterKey ? undefined : readKey(previousPath(dataDir))) }
}

type KeySettings = Pick<Config, 'masterKey' | 'masterKeyPrevious' | 'dataDir'>

const previousPath = (dataDir: string) => `${keyPath(dataDir)}.previous`

/** The keys of this installation, if there are any; makes none. */
export function findMasterKeys(settings: KeySettings): MasterKeys | undefined {
  return settings.masterKey || readKey(keyPath(settings.dataDir)) ? masterKeysOf(settings) : undefined
}

/** Puts a new key in DATA_DIR; the former one stays beside it. Returns their paths. */
export function replaceKeyFile(dataDir: string): { path: string; previous: string } {
  const path = keyPath(dataDir)
  const previous = previousPath(dataDir)
  ensureMasterKey(dataDir)
  linkSync(path, previous) // fails if there is one, which secrets may still need
  const draft = writeKey(path)
  renameSync(draft, path)
  return { path, previous }
}

/** A new store is given this key. */
export const storeMasterKey = (db: Db, masterKey: Buffer): Promise<unknown> =>
  db.query(sql`
    with new_store as (
      insert into settings (name, value) values ('master_key_fingerprint', ${fingerprintOf(masterKey)})
      on conflict do nothing returning 1)
    insert into settings (name, value) select 'master_key_ids', 'on' from new_store on conflict do nothing`)

/** The seal of a store, which refuses one whose values need another key. */
export async function openSeal(db: Db, masterKeys: MasterKeys): Promise<Seal> {
  const seal = createSeal(masterKeys)
  await followStore(db, seal)
  return seal
}

export async function followStore(db: Db, seal: Seal, trustMs = Number.POSITIVE_INFINITY): Promise<void> {
  const beganMs = performance.now()
  const state = await readSealState(db)
  if (state.active) seal.follow(state, beganMs + trustMs) // a command may be the first to come
}

const FOLLOW_MS = 1_000
/** A node that has not read the active key for so long seals nothing. Less than `rodado keys reseal` waits. */
const TRUST_MS = 30_000

/**
 * Follows the active key: `rodado keys reseal` announces another one, which a listener may miss, and which a command does
 * not listen to.
 */
export function keepFollowing(db: Db, seal: Seal, log: Log, listener?: Pick<Listener, 'on' | 'onGap'>): () => void {
  let failed = false
  async function read(): Promise<void> {
    try {
      await followStore(db, seal, TRUST_MS)
      failed = false
    } catch (err) {
      if (!failed) log.error({ err }, 'seal: the active key could not be followed')
      failed = true
    }
  }
  return keepFresh({ listener, channel: 'master_key', read, everyMs: FOLLOW_MS }).close
}

export async function readSealState(db: Db): Promise<SealState> {
  const rows = await db.query<{ name: string; value: string }>(sql`
    select name, value from settings
    where name in ('master_key_fingerprint', 'master_key_former', 'master_key_ids', 'hash_key')`)
  const stored = new Map(rows.map(({ name, value }) => [name, value]))
  return {
    active: stored.get('master_key_fingerprint') ?? '',
    former: stored.get('master_key_former') ?? null,
    keyIds: stored.has('master_key_ids'),
    sealedHashKey: stored.get('hash_key') ?? null,
  }
}

/** A column of sealed values. `owner` is the column that their purpose names, if it does. */
export interface SealedColumn {
  table: string
  id: string
  idType: 'int' | 'bigint' | 'text'
  column: string
  owner?: string
  purpose(owner: string): string
}
