import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Modo } from '../apps/app.ts'
import type { Config } from '../config.ts'
import type { OnProgress } from '../store/backup/file.ts'

/** Streams and configuration of a command. */
export interface Io {
  out: NodeJS.WritableStream
  err: NodeJS.WritableStream
  input: NodeJS.ReadableStream
  config: Config
}

/** A command; `run` returns the exit code. */
export interface Command {
  usage: string
  run(argv: string[], io: Io): Promise<number>
}

/** A part of a command, such as `create`. */
export type Act = (argv: string[], io: Io) => Promise<void>

/** A wrong command line; the usage is printed with it. */
export class UsageError extends Error {}

const MAX_NAME = 120

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses arguments and options, of which every command has --json; an unknown option is an error. */
export function parse<O extends Options>(argv: string[], own: O) {
  const options = { ...own, json: { type: 'boolean' as const } }
  try {
    return parseArgs({ args: joinDashedValues(argv, options), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Parses the options of a command that takes no arguments. */
export function parseOptions<O extends Options>(argv: string[], options: O) {
  const { values, positionals } = parse(argv, options)
  if (positionals.length > 0) throw new UsageError(`unexpected argument "${positionals[0]}".`)
  return values
}

/** A command that consists of several: `rodado app create`. */
export const subcommands = (name: string, usage: string, acts: Record<string, Act>): Command => ({
  usage,
  async run([verb = '', ...rest], io) {
    const act = Object.hasOwn(acts, verb) ? acts[verb] : undefined
    if (!act) throw new UsageError(verb ? `there is no "${name} ${verb}".` : 'say what to do.')
    await act(rest, io)
    return 0
  },
})

/** The value of --modo. */
export function readModo(text: string): Modo {
  if (text === 'produccion' || text === 'prueba') return text
  throw new UsageError('--modo must be produccion or prueba.')
}

/** The value of --nombre for an app, a site or a package. */
export function readName(text = ''): string {
  const name = text.trim()
  if (!name || name.length > MAX_NAME) throw new UsageError(`--nombre is needed, of up to ${MAX_NAME} characters.`)
  return name
}

/** An argument that begins with a dash, as a secret may, is the value of the option before it: there are no short options. */
function joinDashedValues(argv: string[], options: Options): string[] {
  const words: string[] = []
  for (const word of argv) {
    const [, option = ''] = /^--([^=]+)$/.exec(words.at(-1) ?? '') ?? []
    if (/^-[^-]/.test(word) && options[option]?.type === 'string') words.push(`${words.pop()}=${word}`)
    else words.push(word)
  }
  return words
}

/** Prints one JSON value on a line. */
export const printJson = (out: NodeJS.WritableStream, value: unknown): void =>
  void out.write(`${JSON.stringify(value)}\n`)

/** Aborts on Ctrl-C, a signal, or when the reader of the output closes it. */
export function untilInterrupted(out: NodeJS.WritableStream): AbortSignal {
  const ended = new AbortController()
  onStopSignal(() => ended.abort())
  out.once('error', () => ended.abort())
  return ended.signal
}

/** npm repeats the signal that the terminal has already sent: within this time it counts as one. */
const SAME_SIGNAL_MS = 500
const PARENT_POLL_MS = 1_000

/** Calls the handler on the first stop signal; a second one ends the process. */
export function onStopSignal(handler: (signal: NodeJS.Signals) => void): void {
  let requestedMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const onSignal = () => {
      const now = performance.now()
      if (requestedMs === undefined) {
        requestedMs = now
        handler(signal)
      } else if (now - requestedMs > SAME_SIGNAL_MS) {
        process.off(signal, onSignal)
        process.kill(process.pid, signal)
      }
    }
    process.on(signal, onSignal)
  }
}

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
