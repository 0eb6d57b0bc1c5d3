import { createHash, type Hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { syncFolder } from '../sync-folder.ts'
import { decryptWith, ENCRYPTED_TITLE, encryptFor } from './key.ts'

/** A partition and its bound as PostgreSQL prints it. */
export interface Partition {
  name: string
  of: string
  bound: string
  /** Storage parameters. */
  options?: string | null
}

export interface Sequence {
  name: string
  last: string
  isCalled: boolean
}

/** A title line, a gzip stream of frames (kind, length, content), and the SHA-256 of all before it; age encrypts all. */
const FORMAT = 1
const TITLE = /^rodado backup (\d+)\n/
const TITLE_LINE = `rodado backup ${FORMAT}\n`
const MAX_TITLE_BYTES = 32
const HEAD_BYTES = 5
const SUM_BYTES = 32
const MAX_FRAME_BYTES = 64 * 1024 * 1024
const COMPRESSION = 3 // much faster than the default, for a slightly larger file

/** A JSON entry, or rows. */
type Kind = 'J' | 'R'

export interface Frame {
  kind: Kind
  content: Buffer
}

/** The file cannot be used, for the reason in the message; nothing was changed. */
export class BackupFault extends Error {}

export type Writer = ReturnType<typeof openWriter>

/** Writes a temporary file and moves it into place when it is complete; encrypted if there is a recipient. */
export function openWriter(path: string, recipient?: string) {
  const draft = `${path}.${randomBytes(6).toString('hex')}.partial`
  const hash = createHash('sha256')
  const fileHash = createHash('sha256')
  const gzip = createGzip({ level: COMPRESSION })
  const summed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      this.push(hash.digest())
      done()
    },
  })
  summed.write(TITLE_LINE)
  // Never follow an existing file or link.
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600 })
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      fileHash.update(chunk)
      done(null, chunk)
    },
  })
  const written = recipient
    ? pipeline(gzip, summed, encryptFor(recipient), hashed, file)
    : pipeline(gzip, summed, hashed, file)
  written.catch(() => undefined)

  return {
    async write(kind: Kind, content: Buffer): Promise<void> {
      const head = Buffer.alloc(HEAD_BYTES)
      head.write(kind, 0, 'latin1')
      head.writeUInt32BE(content.length, 1)
      gzip.write(head)
      if (!gzip.write(content)) await Promise.race([once(gzip, 'drain'), written])
    },
    /** Moves the file into place once it is on disk; returns its size and its SHA-256 as `sha256sum` prints it. */
    async finish() {
      gzip.end()
      await written
      const handle = await open(draft, 'r+')
      await handle.sync().finally(() => handle.close())
      await rename(draft, path)
      await syncFolder(dirname(path))
      return { bytes: (await stat(path)).size, sha256: fileHash.digest('hex') }
    },
    async abandon() {
      gzip.destroy()
      await finished(file).catch(() => undefined)
      await rm(draft, { force: true })
    },
  }
}

/** Reads the whole file and refuses it unless it is a complete backup in a known format that these keys open. */
export async function checkFile(path: string, identities: string[]): Promise<{ bytes: number }> {
  const hash = createHash('sha256')
  const content = contentOf(path, identities, hash)
  try {
    for (let next = await content.next(); ; next = await content.next()) {
      if (!next.done) continue
      if (hash.digest().equals(next.value)) return { bytes: (await stat(path)).size }
      break
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof BackupFault) throw error
    if (code === 'ENOENT') throw new BackupFault(`There is no file ${path}.`)
    if (code) throw new BackupFault(`${path} cannot be read: ${message}`)
    if (NO_KEY.test(message))
      throw new BackupFault(
        `${path} is encrypted, and the keys here do not open it. Set BACKUP_KEY to the secret key it was made for, or MASTER_KEY to the master key of its installation. Nothing was changed.`,
      )
  }
  throw new BackupFault(`${path} is damaged or was cut short: its checksum does not agree. Nothing was changed.`)
}

/** What the library says if no identity opens a file. */
const NO_KEY = /no identity matched/

/**
 * The gzip stream of a backup, decrypted; returns the checksum after it. The title is refused here, and everything before
 * the checksum goes into the hash.
 */
async function* contentOf(path: string, identities: string[], hash?: Hash): AsyncGenerator<Buffer, Buffer> {
  let held = Buffer.alloc(0)
  let isTitleRead = false
  for await (const chunk of plainBytes(path, identities)) {
    held = Buffer.concat([held, chunk])
    if (!isTitleRead) {
      if (held.length < MAX_TITLE_BYTES) continue
      refuseTitle(path, held)
      isTitleRead = true
      hash?.update(held.subarray(0, TITLE_LINE.length))
      held = held.subarray(TITLE_LINE.length)
    }
    const ready = held.subarray(0, Math.max(0, held.length - SUM_BYTES))
    held = held.subarray(ready.length)
    hash?.update(ready)
    yield ready
  }
  if (!isTitleRead) refuseTitle(path, held)
  return held
}

function refuseTitle(path: string, title: Buffer): void {
  const format = Number(TITLE.exec(title.toString('latin1', 0, MAX_TITLE_BYTES))?.[1] ?? 0)
  if (format === 0) throw new BackupFault(`${path} is not a backup of Rodado.`)
  if (format > FORMAT)
    throw new BackupFault(
      `${path} was written by a newer version of Rodado (format ${format}). Restore it with that one.`,
    )
}

/** The file as it was before it was encrypted, if it was. */
async function* plainBytes(path: string, identities: string[]): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path)
  try {
    const chunks: AsyncIterator<Buffer> = file[Symbol.asyncIterator]()
    const first = await chunks.next()
    const rest = (async function* () {
      if (first.done) return
      yield first.value
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    })()
    const isEncrypted = !first.done && first.value.toString('latin1', 0, ENCRYPTED_TITLE.length) === ENCRYPTED_TITLE
    yield* isEncrypted ? decryptWith(identities, rest) : rest
  } finally {
    file.destroy()
  }
}

export async function* readFrames(path: string, identities: string[]): AsyncGenerator<Frame> {
  const packed = Readable.from(contentOf(path, identities))
  const gunzip = createGunzip()
  packed.once('error', (error) => gunzip.destroy(error))
  let held: Buffer[] = []
  let holding = 0
  let needed = HEAD_BYTES
  try {
    for await (const chunk of packed.pipe(gunzip)) {
      held.push(chunk)
      holding += chunk.length
      if (holding < needed) continue
      let all = Buffer.concat(held, holding)
      needed = neededFor(all, path)
      for (; all.length >= needed; needed = neededFor(all, path)) {
        const frame = { kind: all.toString('latin1', 0, 1) as Kind, content: all.subarray(HEAD_BYTES, needed) }
        all = all.subarray(needed)
        yield frame
      }
      held = [all]
      holding = all.length
    }
  } finally {
    packed.destroy()
  }
  if (holding > 0) throw new BackupFault(`${path} ends in the middle of a frame.`)
}

/** The size of the frame that begins here, as far as it is known. */
function neededFor(bytes: Buffer, path: string): number {
  if (bytes.length < HEAD_BYTES) return HEAD_BYTES
  const length = bytes.readUInt32BE(1)
  if (length > MAX_FRAME_BYTES) throw new BackupFault(`${path} has a frame that is too large.`)
  return HEAD_BYTES + length
}

/** The first entry of a backup: what must be known before anything is changed. */
export interface Manifest {
  madeAt: string
  rodado: string
  postgres: string
  /** The migrations of the database, in order. */
  migrations: string[]
  /** Identifies the master key of its sealed secrets. */
  masterKeyFingerprint: string
  /** Another one that some of them still need; absent in older backups. */
  formerKeyFingerprint?: string | null
  /** The end of the feeds: new rows after a restore must come after every issued cursor. */
  feedHorizon: string
  partitions: Partition[]
}

/** The JSON entries, in this order: the manifest, each table before and after its rows, the end. */
export type Entry =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'table end'; name: string; rows: number }
  | { kind: 'end'; sequences: Sequence[]; tables: number; rows: number }

/** Called with a table and the number of its rows so far; the last call for it has `done`. */
export type OnProgress = (table: string, rows: number, done: boolean) => void
