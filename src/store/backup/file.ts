import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

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

/** A title line, a gzip stream of frames (kind, length, content), and the SHA-256 of all before it. */
const FORMAT = 1
const TITLE = /^rodado backup (\d+)\n/
const TITLE_LINE = `rodado backup ${FORMAT}\n`
const MAX_TITLE_BYTES = 32
const HEAD_BYTES = 5
const SUM_BYTES = 32
const MAX_FRAME_BYTES = 64 * 1024 * 1024
const COMPRESSION = 3 // much faster than the default, for a slightly larger file

/** A JSON entry, or rows. */
export type Kind = 'J' | 'R'

export interface Frame {
  kind: Kind
  content: Buffer
}

/** The file cannot be used, for the reason in the message; nothing was changed. */
export class BackupFault extends Error {}

export type Writer = ReturnType<typeof openWriter>

/** Writes a temporary file and moves it into place when it is complete. */
export function openWriter(path: string) {
  const draft = `${path}.${randomBytes(6).toString('hex')}.partial`
  const hash = createHash('sha256')
  let sha256 = ''
  const gzip = createGzip({ level: COMPRESSION })
  const summed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      const whole = hash.copy()
      const sum = hash.digest()
      sha256 = whole.update(sum).digest('hex')
      this.push(sum)
      done()
    },
  })
  summed.write(TITLE_LINE)
  // Never follow an existing file or link.
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600 })
  const written = pipeline(gzip, summed, file)
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
      return { bytes: (await stat(path)).size, sha256 }
    },
    async abandon() {
      gzip.destroy()
      await finished(file).catch(() => undefined)
      await rm(draft, { force: true })
    },
  }
}

/** Reads the whole file and refuses it unless it is a complete backup in a known format. */
export async function checkFile(path: string): Promise<{ bytes: number }> {
  const unreadable = ({ code, message }: NodeJS.ErrnoException): never => {
    throw new BackupFault(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}`)
  }
  const file = await open(path, 'r').catch(unreadable)
  try {
    const title = await readAt(file, 0, MAX_TITLE_BYTES).catch(unreadable)
    const format = Number(TITLE.exec(title.toString('latin1'))?.[1] ?? 0)
    if (format === 0) throw new BackupFault(`${path} is not a backup of Rodado.`)
    if (format > FORMAT)
      throw new BackupFault(
        `${path} was written by a newer version of Rodado (format ${format}). Restore it with that one.`,
      )
    const { size } = await file.stat()
    const end = Math.max(1, size - SUM_BYTES)
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ start: 0, end: end - 1, autoClose: false })) hash.update(chunk)
    if (!hash.digest().equals(await readAt(file, end, SUM_BYTES)))
      throw new BackupFault(`${path} is damaged or was cut short: its checksum does not agree. Nothing was changed.`)
    return { bytes: size }
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

export async function* readFrames(path: string): AsyncGenerator<Frame> {
  const { size } = await stat(path)
  const packed = createReadStream(path, { start: TITLE_LINE.length, end: size - SUM_BYTES - 1 })
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
