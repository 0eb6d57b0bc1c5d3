import { type ParseArgsConfig, parseArgs } from 'node:util'
import { suggestion } from './suggestion.ts'
import type { Style } from './terminal.ts'

/** Streams, style and configuration of a command. */
export interface Io<C> {
  out: NodeJS.WritableStream
  err: NodeJS.WritableStream
  input: NodeJS.ReadableStream
  /** Colours for `out`; without a terminal it changes nothing. */
  style: Style
  config: C
}

/** Runs with the arguments after its name and returns the exit code. */
export interface Command<C> {
  (argv: string[], io: Io<C>): Promise<number>
  shape: Shape
}

/** What can be typed for a command, for the completion of shells. */
export interface Shape {
  /** `METHOD PATH`, `[FILE]`, `[VALUE…]`. */
  args: string
  options: Options
  subcommands: Record<string, Shape>
}

/** What a command prints: `json` with --json, otherwise `text`. */
export interface Result {
  json: unknown
  text: string
  code?: number
}

/** A wrong command line; the usage is printed with it. */
export class UsageError extends Error {}

type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** The values that it takes, if they are few. */
  values?: readonly string[]
}
export type Options = Record<string, Option>

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean' } as const

/** Parses arguments and options, of which every command has --json; an unknown option is an error. */
function parse<O extends Options>(argv: string[], own: O) {
  const options = { ...own, json: FLAG }
  try {
    return parseArgs({ args: joinDashedValues(argv, options), options, allowPositionals: true, strict: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, unknown = ''] = /^Unknown option '-*([^']*)'/.exec(message) ?? []
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(message)
    const names = Object.keys(options).map((name) => `--${name}`)
    throw new UsageError(`there is no option --${unknown}.${suggestion(`--${unknown}`, names)}`)
  }
}

type Act<C, O extends Options> = (
  values: ReturnType<typeof parse<O>>['values'],
  io: Io<C>,
  ...args: string[]
) => Promise<Result | number>

/** Defines commands that have a configuration of this type. */
export const commandsWith = <C>() => ({
  /**
   * A command with these arguments and options. `act` returns what to print, or the exit code if it has printed everything.
   */
  defineCommand<O extends Options>(args: string, options: O, act: Act<C, O>): Command<C> {
    const run = async (argv: string[], io: Io<C>) => {
      const { values, positionals } = parse(argv, options)
      checkArguments(args.split(' ').filter(Boolean), positionals)
      const result = await act(values, io, ...positionals)
      if (typeof result === 'number') return result
      if ((values as { json?: boolean }).json) printJson(io.out, result.json)
      else io.out.write(result.text)
      return result.code ?? 0
    }
    return Object.assign(run, { shape: { args, options: { ...options, json: FLAG }, subcommands: {} } })
  },

  /** A command that consists of several: `rodado app create`. */
  subcommands(name: string, commands: Record<string, Command<C>>): Command<C> {
    const run = async ([verb = '', ...rest]: string[], io: Io<C>) => {
      const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined
      if (command) return command(rest, io)
      if (verb === '') throw new UsageError(`say what to do: ${Object.keys(commands).join(', ')}.`)
      throw new UsageError(`there is no "${name} ${verb}".${suggestion(verb, Object.keys(commands))}`)
    }
    const shapes = Object.entries(commands).map(([verb, { shape }]) => [verb, shape])
    return Object.assign(run, { shape: { args: '', options: {}, subcommands: Object.fromEntries(shapes) } })
  },
})

function checkArguments(names: string[], given: string[]): void {
  const required = names.filter((name) => !name.startsWith('['))
  if (required.some((_, at) => !given[at])) throw new UsageError(`name the ${required.join(' and the ')}.`)
  if (given.length > names.length && !names.at(-1)?.endsWith('…]'))
    throw new UsageError(`unexpected argument "${given[names.length]}".`)
}

/** An argument that begins with a dash, as a secret may, is the value of the long option before it. */
function joinDashedValues(argv: string[], options: Options): string[] {
  const words: string[] = []
  for (const word of argv) {
    const [, option = ''] = /^--([^=]+)$/.exec(words.at(-1) ?? '') ?? []
    if (/^-[^-]/.test(word) && options[option]?.type === 'string') words.push(`${words.pop()}=${word}`)
    else words.push(word)
  }
  return words
}

/** The items of a list with commas. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/** The http or https address that an option gives. */
export function readAddress(option: string, text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text
  throw new UsageError(`${option} must be an http or https address.`)
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
