import { ConfigError, readConfig } from '../config.ts'
import { appCommands } from './app.ts'
import { bestmatchCommand } from './bestmatch.ts'
import { call } from './call.ts'
import type { Command, Io } from './command.ts'
import { UsageError } from './command.ts'
import { doctor } from './doctor.ts'
import { migrateCommand } from './migrate.ts'
import { serve } from './serve.ts'

/** What operators type; each command stands in its own file. */
const COMMANDS: Record<string, Command> = {
  serve,
  migrate: migrateCommand,
  app: appCommands,
  call,
  bestmatch: bestmatchCommand,
  doctor,
}

/** Where a command line runs; without `env`, in the process's own. */
export interface Surroundings extends Pick<Io, 'out' | 'err'> {
  input?: NodeJS.ReadableStream
  env?: Record<string, string | undefined>
}

/** Runs one command line and gives the exit code: 0 done, 1 failed, 2 not understood. */
export async function run(argv: string[], { out, err, input = process.stdin, env }: Surroundings): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    out.write(usage())
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    err.write(`rodado: there is no command "${name}".\n\n${usage()}`)
    return 2
  }
  try {
    const io: Io = { out, err, input, config: readConfig(env) }
    return await command.run(rest, io)
  } catch (error) {
    return report(error, name, command, err)
  }
}

function report(error: unknown, name: string, command: Command, err: NodeJS.WritableStream): number {
  if (error instanceof UsageError) {
    err.write(`rodado ${name}: ${error.message}\n\n${command.usage}\n`)
    return 2
  }
  if (error instanceof ConfigError) err.write(`${error.message}\n`)
  else err.write(`rodado ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
  return 1
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  return `Usage: rodado COMMAND\n\n${lines.join('\n')}\n\nConfiguration is read from the environment: see docs/operations.md.\n`
}
