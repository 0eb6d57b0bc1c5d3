import { ConfigError, readConfig } from '../config.ts'
import { VERSION } from '../version.ts'
import { type Command, type Io, UsageError } from './command.ts'

interface Listed {
  summary: string
  /** Loaded only when it runs: loading all commands would double the start time. */
  load(): Promise<Command>
}

/** Each command has its own file. */
const COMMANDS: Record<string, Listed> = {
  serve: {
    summary: 'run the server; ROLE chooses API, worker or both',
    load: async () => (await import('./serve.ts')).serve,
  },
  migrate: {
    summary: 'bring the database up to date',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  app: {
    summary: 'create, list, disable and enable partner apps; rotate secrets; set topics, limits, callbacks',
    load: async () => (await import('./app.ts')).appCommands,
  },
  sitio: {
    summary: 'create, list, revoke the keys of the marketplace’s own sites',
    load: async () => (await import('./sitio.ts')).sitioCommands,
  },
  user: {
    summary: 'create, list, remove the marketplace’s staff and partners’ developers',
    load: async () => (await import('./user.ts')).userCommands,
  },
  paquete: {
    summary: 'set or show what an agency has contracted',
    load: async () => (await import('./paquete.ts')).paqueteCommands,
  },
  demo: {
    summary: 'fill a database that has no agencies with sample data',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  consulta: {
    summary: 'send one inquiry about a listing',
    load: async () => (await import('./consulta.ts')).consultaCommand,
  },
  call: {
    summary: 'send a signed request: call GET /v3/colores',
    load: async () => (await import('./call.ts')).call,
  },
  listen: {
    summary: 'receive webhooks on this machine: verified, shown, forwarded to your program',
    load: async () => (await import('./listen.ts')).listen,
  },
  trigger: {
    summary: 'send a sample event to your webhook: trigger consulta.recibida',
    load: async () => (await import('./trigger.ts')).triggerCommand,
  },
  events: {
    summary: 'show the events of an app, and follow new ones: events --follow',
    load: async () => (await import('./events.ts')).eventsCommand,
  },
  certify: {
    summary: 'test a receiver with retries, duplicates and forgeries',
    load: async () => (await import('./certify.ts')).certify,
  },
  bestmatch: {
    summary: 'map your own values to the catalogues, without a server',
    load: async () => (await import('./bestmatch.ts')).bestmatchCommand,
  },
  mails: {
    summary: 'show emails: sent, waiting, or stored because there is no mail server',
    load: async () => (await import('./mails.ts')).mailsCommand,
  },
  suprimir: {
    summary: 'erase a person’s data on request, with a receipt',
    load: async () => (await import('./suprimir.ts')).suprimir,
  },
  backup: {
    summary: 'copy the whole database into one file while the server runs',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  restore: {
    summary: 'load a backup into an empty database',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  doctor: {
    summary: 'check this installation, and say how to fix what is wrong',
    load: async () => (await import('./doctor.ts')).doctor,
  },
}

/** Streams and environment of a command; `env` defaults to the process's. */
export interface Environment extends Pick<Io, 'out' | 'err'> {
  input?: NodeJS.ReadableStream
  env?: Record<string, string | undefined>
}

/** Runs a command line and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(argv: string[], { out, err, input = process.stdin, env }: Environment): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    out.write(usage())
    return name === undefined ? 2 : 0
  }
  if (name === 'version' || name === '--version' || name === '-v') {
    out.write(`rodado ${VERSION} on Node ${process.versions.node}\n`)
    return 0
  }
  const listed = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!listed) {
    err.write(`rodado: there is no command "${name}".\n\n${usage()}`)
    return 2
  }
  const command = await listed.load()
  if (rest.includes('--help') || rest.includes('-h')) {
    out.write(`${command.usage}\n`)
    return 0
  }
  try {
    const io: Io = { out, err, input, config: readConfig(env) }
    return await command.run(rest, io)
  } catch (error) {
    return await report(error, name, command, err)
  }
}

async function report(error: unknown, name: string, command: Command, err: NodeJS.WritableStream): Promise<number> {
  if (error instanceof UsageError) {
    err.write(`rodado ${name}: ${error.message}\n\n${command.usage}\n`)
    return 2
  }
  if (error instanceof ConfigError) err.write(`${error.message}\n`)
  else err.write(`rodado ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
  const { ProblemError } = await import('@rodado/client') // loaded late: most commands start without it
  for (const [property, faults] of Object.entries(error instanceof ProblemError ? error.errors : {}))
    err.write(`  ${property}: ${faults.join(' ')}\n`)
  return 1
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  const more = '"rodado COMMAND --help" shows the options, "rodado --version" the version.'
  return `Usage: rodado COMMAND\n\n${lines.join('\n')}\n\n${more}\nConfiguration is read from the environment: see docs/operations.md.\n`
}
