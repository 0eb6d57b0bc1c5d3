import { readFileSync } from 'node:fs'
import { ConfigError, readConfig } from '../config.ts'
import { VERSION } from '../version.ts'
import { TOPICS } from '../webhooks/topics.ts'
import { type Command, type Io, UsageError } from './command.ts'

/** The summary of each command and its file, which is loaded only when it runs. */
const COMMANDS: Record<string, [summary: string, load: () => Promise<{ run: Command }>]> = {
  serve: ['run the server; ROLE chooses API, worker or both', () => import('./serve.ts')],
  migrate: ['bring the database up to date', () => import('./migrate.ts')],
  app: [
    'create, list, disable and enable partner apps; rotate secrets; set topics, limits, callbacks',
    () => import('./app.ts'),
  ],
  sitio: ['create, list, revoke the keys of the marketplace’s own sites', () => import('./sitio.ts')],
  user: ['create, list, remove the marketplace’s staff and partners’ developers', () => import('./user.ts')],
  paquete: ['set or show what an agency has contracted', () => import('./paquete.ts')],
  demo: ['fill a database that has no agencies with sample data', () => import('./demo.ts')],
  consulta: ['send one inquiry about a listing', () => import('./consulta.ts')],
  call: ['send a signed request: call GET /v3/colores', () => import('./call.ts')],
  listen: ['receive webhooks on this machine: verified, shown, forwarded to your program', () => import('./listen.ts')],
  trigger: ['send a sample event to your webhook: trigger consulta.recibida', () => import('./trigger.ts')],
  events: ['show the events of an app, and follow new ones: events --follow', () => import('./events.ts')],
  certify: ['test a receiver with retries, duplicates and forgeries', () => import('./certify.ts')],
  bestmatch: ['map your own values to the catalogues, without a server', () => import('./bestmatch.ts')],
  mails: ['show emails: sent, waiting, or stored because there is no mail server', () => import('./mails.ts')],
  suprimir: ['erase a person’s data on request, with a receipt', () => import('./suprimir.ts')],
  backup: ['copy the whole database into one file while the server runs', () => import('./backup.ts')],
  restore: ['load a backup into an empty database', () => import('./restore.ts')],
  doctor: ['check this installation, and say how to fix what is wrong', () => import('./doctor.ts')],
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
  const [, load] = (Object.hasOwn(COMMANDS, name) && COMMANDS[name]) || []
  if (!load) {
    err.write(`rodado: there is no command "${name}".\n\n${usage()}`)
    return 2
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    out.write(usageOf(name))
    return 0
  }
  try {
    const { run: command } = await load()
    return await command(rest, { out, err, input, config: readConfig(env) })
  } catch (error) {
    return await report(error, name, err)
  }
}

/** The usage of a command is a text in help/; some share a part. */
const usageOf = (name: string): string =>
  helpText(name)
    .replace('{{partner}}\n', () => helpText('partner'))
    .replace('{{topics}}', TOPICS.join(', '))

const helpText = (name: string): string => readFileSync(new URL(`./help/${name}.txt`, import.meta.url), 'utf8')

async function report(error: unknown, name: string, err: NodeJS.WritableStream): Promise<number> {
  if (error instanceof UsageError) {
    err.write(`rodado ${name}: ${error.message}\n\n${usageOf(name)}`)
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
  const lines = Object.entries(COMMANDS).map(([name, [summary]]) => `  ${name.padEnd(10)} ${summary}`)
  const more = '"rodado COMMAND --help" shows the options, "rodado --version" the version.'
  return `Usage: rodado COMMAND\n\n${lines.join('\n')}\n\n${more}\nConfiguration is read from the environment: see docs/operations.md.\n`
}
