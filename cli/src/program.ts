import { readFileSync } from 'node:fs'
import { type Command, type Io, UsageError } from './command.ts'
import { suggestion } from './suggestion.ts'
import { styleFor } from './terminal.ts'

/** A command of a program; its file is loaded only when it runs. */
export interface CommandEntry<C> {
  summary: string
  help(): string
  load(): Promise<{ run: Command<C> }>
}

export type CommandEntries<C> = Record<string, CommandEntry<C>>

/** The commands in a program with another configuration. */
export const adaptCommands = <C, Own>(commands: CommandEntries<C>, configOf: (own: Own) => C): CommandEntries<Own> =>
  Object.fromEntries(
    Object.entries(commands).map(([name, { load, ...entry }]) => {
      const adapted = async () => {
        const { run } = await load()
        const own = (argv: string[], io: Io<Own>) => run(argv, { ...io, config: configOf(io.config) })
        return { run: Object.assign(own, { shape: run.shape }) }
      }
      return [name, { ...entry, load: adapted }]
    }),
  )

interface Program<C> {
  version: string
  commands: CommandEntries<C>
  /** The last line of the usage. */
  note: string
  readConfig(env: Record<string, string | undefined>): C
}

/** Streams and environment of a command line. */
export interface Environment extends Pick<Io<unknown>, 'out' | 'err'> {
  input?: NodeJS.ReadableStream
  env?: Record<string, string | undefined>
}

/** The text of a file in help/. */
export const helpText = (name: string): string => readFileSync(new URL(`../help/${name}.txt`, import.meta.url), 'utf8')

/** The commands with `completion`, which knows them all. */
function withCompletion<C>(commands: CommandEntries<C>): CommandEntries<C> {
  const all: CommandEntries<C> = {
    ...commands,
    completion: {
      summary: 'print a completion script for bash, zsh or fish',
      help: () => helpText('completion'),
      load: async () => ({ run: (await import('./completion.ts')).completionOf(all) }),
    },
  }
  return all
}

/** Runs a command line and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runProgram<C>(
  { commands: given, version, note, readConfig }: Program<C>,
  argv: string[],
  { out, err, input = process.stdin, env = process.env }: Environment,
): Promise<number> {
  const commands = withCompletion(given)
  const [name, ...rest] = argv[0] === 'help' && argv[1] !== undefined ? [argv[1], '--help'] : argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    out.write(usage(commands, note))
    return name === undefined ? 2 : 0
  }
  if (name === 'version' || name === '--version' || name === '-v') {
    out.write(`rodado ${version} on Node ${process.versions.node}\n`)
    return 0
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!entry) {
    const near = suggestion(name, [...Object.keys(commands), 'help', 'version'])
    err.write(`rodado: there is no command "${name}".${near} "rodado help" lists the commands.\n`)
    return 2
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    out.write(entry.help())
    return 0
  }
  try {
    const { run } = await entry.load()
    return await run(rest, { out, err, input, style: styleFor(out, env), config: readConfig(env) })
  } catch (error) {
    const message = messageOf(error)
    const isUsage = error instanceof UsageError
    err.write(`rodado ${name}: ${message}\n${isUsage ? `\n${entry.help()}` : ''}`)
    return isUsage ? 2 : 1
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path, syscall } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && path !== undefined && !syscall?.startsWith('spawn')
    ? `${path}: no such file or folder`
    : error.message
}

function usage<C>(commands: CommandEntries<C>, note: string): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  const more = '"rodado help COMMAND" shows the options, "rodado --version" the version.'
  return `Usage: rodado COMMAND\n\n${lines.join('\n')}\n\n${more}\n${note}\n`
}

/**
 * The reader may close the pipe (`| head`) or the terminal before we have written everything: neither is a failure. A full
 * disk is one, and ends the command.
 */
export function handleOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'EIO') return
      if (stream === process.stdout) process.stderr.write(`rodado: the output cannot be written (${error.code}).\n`)
      process.exit(1)
    })
}
