import { createHash } from 'node:crypto'
import { once } from 'node:events'
import sql from 'sql-template-tag'
import type { Handler, Outcome } from '../outbox/handler.ts'
import type { Claimed } from '../outbox/outbox.ts'
import { createKeyedMutex } from '../store/concurrency.ts'
import type { Transactional } from '../store/db.ts'
import { withTimeLimit } from '../time-limit.ts'
import { type DownloaderOptions, openDownloader } from './download.ts'
import type { PhotoError } from './errors.ts'
import {
  FORMATS,
  type Format,
  type PhotoStorage,
  photoNames,
  REMOVAL_BEGUN,
  type StoredPhoto,
  tryLockPhoto,
  widthsOf,
} from './photo.ts'
import { RESIZE_LIMIT_MS, type Resized, type ResizeResult, resize } from './resize.ts'

interface PhotoRow extends Claimed {
  url: string
  /** Set by the attempt. */
  hash?: string
  peakKb?: number | undefined
}

interface PhotoHandlerOptions extends DownloaderOptions {
  db: Transactional
  storage: PhotoStorage
  resizeLimitMs?: number
}

interface Limits {
  /** Aborted when the attempt ends. */
  end: AbortSignal
  /** Aborted when too little time is left to decode a slow image. */
  lastStart: AbortSignal
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const SCHEDULE = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 24 * HOUR]
/** Downloads at once. Images are decoded one at a time, so that the memory of one bounds them all. */
const IN_FLIGHT = 4
const IN_FLIGHT_PER_APP = 2
/** An attempt ends a little before the worker gives it up. */
const MARGIN_MS = 1_000
/** A removal of copies takes less. */
const REMOVAL_SECONDS = 15
/** Tried again soon, which does not count as an attempt. A row that is returned would be taken again at once. */
const BEING_REMOVED: Outcome = {
  kind: 'postponed',
  reason: 'guardar',
  code: 'removal',
  retryAfterSeconds: REMOVAL_SECONDS,
}
/** Part of the hash: change it with the way copies are made, and their addresses change. */
const COPIES_VERSION = '2'

export const PHOTOS = { table: 'photos', id: 'bigint', queueColumn: 'app_id', repeatable: true } as const

/** Fetches the photos of listings and stores copies of them. */
export function photoHandler({
  db,
  storage,
  resizeLimitMs = RESIZE_LIMIT_MS,
  ...downloading
}: PhotoHandlerOptions): Handler<PhotoRow> {
  const download = openDownloader(downloading)
  const withMutex = createKeyedMutex()

  async function store(file: Buffer, row: PhotoRow, { end, lastStart }: Limits): Promise<Outcome> {
    const hash = createHash('sha256').update(COPIES_VERSION).update(file).digest('hex')
    if (!(await isStored(hash, end))) {
      const made = await resizeInTurn(file, row, { end, lastStart })
      if (!made) return { kind: 'returned' }
      row.peakKb = made.peakKb
      if ('refused' in made) {
        const isFirst = row.attempts === 1
        return made.retry === 'yes' || (made.retry === 'once' && isFirst)
          ? postponed(made.refused)
          : failed(made.refused)
      }
      try {
        if (!(await storeCopies(hash, made, end))) return BEING_REMOVED
      } catch (error) {
        const { code, name } = error as NodeJS.ErrnoException
        // The code of a DOMException, such as TimeoutError, is a number.
        return { kind: 'postponed', reason: 'guardar', code: typeof code === 'string' ? code : name }
      }
    }
    row.hash = hash
    return { kind: 'delivered' }
  }

  /**
   * Only one image of each app queues for the decoder, so that an app with many images does not delay the others. Undefined
   * if its turn does not come in time: an image that is slow must reach the limit of decoding, not the end of the attempt.
   */
  async function resizeInTurn(
    file: Buffer,
    { queue }: PhotoRow,
    { end, lastStart }: Limits,
  ): Promise<ResizeResult | undefined> {
    if (lastStart.aborted) return undefined
    let hasBegun = false
    const begin = async () => {
      if (lastStart.aborted) return undefined
      hasBegun = true
      return resize(file, end, resizeLimitMs)
    }
    const resized = withMutex(`app ${queue}`, () => withMutex('resize', begin))
    const waiting = new AbortController()
    const tooLate = once(lastStart, 'abort', { signal: waiting.signal })
    await Promise.race([resized, tooLate]).finally(() => waiting.abort())
    return hasBegun ? resized : undefined
  }

  /** Some or all files may be lost where the database is not: then they are made again. */
  async function isStored(hash: string, signal: AbortSignal): Promise<boolean> {
    const [known] = await db.query<Pick<StoredPhoto, 'width'>>(sql`
      update photo_files set used_at = now() where hash = ${hash} and used_at > ${REMOVAL_BEGUN} returning width`)
    if (!known) return false
    const names = photoNames(hash, widthsOf(known.width))
    return (await Promise.all(names.map((name) => storage.has(name, signal)))).every(Boolean)
  }

  /** The row comes first: from then on for a day nobody removes the files. False if they are being removed now. */
  async function storeCopies(hash: string, { width, height, files }: Resized, signal: AbortSignal): Promise<boolean> {
    const isLocked = await db.transaction(async (tx) => {
      if (!(await tryLockPhoto(tx, hash, 'store'))) return false
      await tx.query(sql`
        insert into photo_files (hash, width, height) values (${hash}, ${width}, ${height})
        on conflict (hash) do update set used_at = now()`)
      return true
    })
    if (!isLocked) return false
    await Promise.all(
      files.map(({ name, bytes }) =>
        storage.put(`${hash}/${name}`, bytes, FORMATS[name.split('.')[1] as Format], signal),
      ),
    )
    return true
  }

  return {
    ...PHOTOS,
    columns: sql`row.url`,
    inFlight: IN_FLIGHT,
    queues: { inFlight: IN_FLIGHT_PER_APP, prefetch: { queue: IN_FLIGHT_PER_APP, all: IN_FLIGHT } },
    schedule: SCHEDULE,

    async deliver(row, stopped, timeoutMs) {
      const limitMs = timeoutMs - MARGIN_MS
      const end = withTimeLimit(stopped, limitMs)
      const lastStart = withTimeLimit(stopped, Math.max(0, limitMs - resizeLimitMs))
      const downloaded = await download(row.url, end)
      if ('bytes' in downloaded) return store(downloaded.bytes, row, { end, lastStart })
      return downloaded.final ? failed(downloaded.error) : postponed(downloaded.error)
    },

    async settled(tx, ended) {
      const made = ended.filter(({ row, outcome }) => row.hash && outcome.kind === 'delivered').map(({ row }) => row)
      if (made.length === 0) return
      await tx.query(sql`
        update photos set hash = made.hash
        from unnest(${made.map(({ id }) => id)}::bigint[], ${made.map(({ hash }) => hash)}::text[]) as made (id, hash)
        where photos.id = made.id`)
    },

    describe: ({ queue, url, peakKb }) => ({ app: queue, host: new URL(url).host, peakKb }),
  }
}

const failed = (code: PhotoError): Outcome => ({ kind: 'failed', reason: code, code })
const postponed = (code: PhotoError): Outcome => ({ kind: 'postponed', reason: code, code })
