import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type Io as CommandIo, commandsWith, isTerminal, UsageError } from '@rodado/cli'
import type { Config } from '../config.ts'
import { MODOS, type Modo } from '../modo.ts'
import type { OnProgress } from '../store/backup/file.ts'

/** Streams and configuration of an operator's command. */
export type Io = CommandIo<Config>

export const { defineCommand, subcommands } = commandsWith<Config>()

const MAX_NAME = 120

export const MODO = { type: 'string', default: 'produccion' } as const

/** The value of --modo. */
export function readModo(text: string): Modo {
  const modo = MODOS.find((each) => each === text)
  if (!modo) throw new UsageError(`--modo must be ${MODOS.join(' or ')}.`)
  return modo
}

/** The value of --nombre for an app, a site or a package. */
export function readName(text = ''): string {
  const name = text.trim()
  if (!name || name.length > MAX_NAME) throw new UsageError(`--nombre is needed, of up to ${MAX_NAME} characters.`)
  return name
}

/** One line of the input; what is typed for it at a terminal can be hidden. */
export async function readLine(input: NodeJS.ReadableStream, hidden = false): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, ...(hidden && { output: silence, terminal: isTerminal(input) }) })
  const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  return String(line)
}

const PARENT_POLL_MS = 1_000

/** Calls the handler when the parent process has exited, which shows as another parent id. */
export function onParentExit(handler: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    handler()
  }, PARENT_POLL_MS)
  timer.unref()
}

const REDRAW_MS = 200

/** Shows the progress per table, on a terminal only. */
export function showProgress(err: NodeJS.WritableStream, quiet = false): OnProgress {
  if (quiet || !isTerminal(err)) return () => undefined
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
