import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { onStopSignal } from './stop-signal.ts'

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

/** A wrong command line; the usage is printed with it. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses options and arguments; an unknown option is an error. */
export function parse<O extends Options>(argv: string[], options: O) {
  try {
    return parseArgs({ args: joinDashedValues(argv, options), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
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
