import type { OnProgress } from '../store/backup/file.ts'

const REDRAW_MS = 200

/** Shows the progress per table, on a terminal only. */
export function showProgress(err: NodeJS.WritableStream, quiet = false): OnProgress {
  if (quiet || !(err as NodeJS.WriteStream).isTTY) return () => undefined
  let drawn = Number.NEGATIVE_INFINITY
  return (table, rows, done) => {
    const now = performance.now()
    if (!done && now - drawn < REDRAW_MS) return
    drawn = now
    err.write(`\r\x1b[K  ${table.padEnd(20)} ${String(rows).padStart(10)} rows${done ? '\n' : ''}`)
  }
}

/** Says which disk is full: the one of the file, or the database's. */
export const explainFullDisk =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
      throw new Error(`The disk of ${path} is full. Free some space, or name a file elsewhere; nothing was left there.`)
    if (error.code === '53100')
      throw new Error('The disk of the database is full. Free some space there and try again; nothing was changed.')
    throw error
  }
