import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { onStopSignal } from './stop-signal.ts'

/** Where a command reads and writes. */
export interface Io {
  out: NodeJS.WritableStream
  err: NodeJS.WritableStream
  input: NodeJS.ReadableStream
  config: Config
}

/** One command: how it is typed, and what it does; it gives the exit code. */
export interface Command {
  usage: string
  run(argv: string[], io: Io): Promise<number>
}

/** The command line was not understood; the answer shows the usage. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>

/** The options and words of a command line; what is unknown is named, not ignored. */
export function parse<O extends Options>(argv: string[], options: O) {
  try {
    return parseArgs({ args: joined(argv, options), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** A word that begins with a dash, as a secret may, is the value of the option before it: there are no short options. */
function joined(argv: string[], options: Options): string[] {
  const words: string[] = []
  for (const word of argv) {
    const [, option = ''] = /^--([^=]+)$/.exec(words.at(-1) ?? '') ?? []
    if (/^-[^-]/.test(word) && options[option]?.type === 'string') words.push(`${words.pop()}=${word}`)
    else words.push(word)
  }
  return words
}

/** One JSON value and nothing else, for programs. */
export const printJson = (out: NodeJS.WritableStream, value: unknown): void =>
  void out.write(`${JSON.stringify(value)}\n`)

/** Aborted when whoever watches has seen enough: Ctrl-C, a signal, or the end of whatever reads the output. */
export function untilEnded(out: NodeJS.WritableStream): AbortSignal {
  const ended = new AbortController()
  onStopSignal(() => ended.abort())
  out.once('error', () => ended.abort())
  return ended.signal
}
