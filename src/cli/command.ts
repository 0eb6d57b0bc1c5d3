import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
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

/** Runs with the arguments after its name and returns the exit code. */
export type Command = (argv: string[], io: Io) => Promise<number>

/** What a command prints: `json` with --json, otherwise `text`. */
interface Result {
  json: unknown
  text: string
  code?: number
}

/** A wrong command line; the usage is printed with it. */
export class UsageError extends Error {}

const MAX_NAME = 120

type Options = NonNullable<ParseArgsConfig['options']>

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean' } as const
export const MODO = { type: 'string', default: 'produccion' } as const

/** Parses arguments and options, of which every command has --json; an unknown option is an error. */
export function parse<O extends Options>(argv: string[], own: O) {
  const options = { ...own, json: FLAG }
  try {
    return parseArgs({ args: joinDashedValues(argv, options), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/**
 * A command with these arguments (`METHOD PATH`, `[FILE]`, `[VALUE…]`) and options. `act` returns what to print, or the exit code if
 * it has printed everything.
 */
export const defineCommand =
  <O extends Options>(
    args: string,
    options: O,
    act: (values: ReturnType<typeof parse<O>>['values'], io: Io, ...args: string[]) => Promise<Result | number>,
  ): Command =>
  async (argv, io) => {
    const { values, positionals } = parse(argv, options)
    checkArguments(args.split(' ').filter(Boolean), positionals)
    const result = await act(values, io, ...positionals)
    if (typeof result === 'number') return result
    if ((values as { json?: boolean }).json) printJson(io.out, result.json)
    else io.out.write(result.text)
    return result.code ?? 0
  }

function checkArguments(names: string[], given: string[]): void {
  const required = names.filter((name) => !name.startsWith('['))
  if (required.some((_, at) => !given[at])) throw new UsageError(`name the ${required.join(' and the ')}.`)
  if (given.length > names.length && !names.at(-1)?.endsWith('…]'))
    throw new UsageError(`unexpected argument "${given[names.length]}".`)
}

/** A command that consists of several: `rodado app create`. */
export const subcommands =
  (name: string, commands: Record<string, Command>): Command =>
  async ([verb = '', ...rest], io) => {
    const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined
    if (!command) throw new UsageError(verb ? `there is no "${name} ${verb}".` : 'say what to do.')
    return command(rest, io)
  }

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

/** The items of a list with commas. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

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

/** Without a terminal nobody can answer, and reading an open pipe would never end. */
export const isTerminal = (input: NodeJS.ReadableStream & { isTTY?: boolean }): boolean => input.isTTY === true

/** One line of the input; what is typed for it at a terminal can be hidden. */
export async function readLine(input: NodeJS.ReadableStream, hidden = false): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, ...(hidden && { output: silence, terminal: isTerminal(input) }) })
  const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  return String(line)
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
