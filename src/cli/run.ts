import { readFileSync } from 'node:fs'
import {
  adaptCommands,
  type Command,
  type CommandEntries,
  type Environment,
  PARTNER_COMMANDS,
  type PartnerConfig,
  runProgram,
} from '@rodado/cli'
import { type Config, readConfig } from '../config.ts'
import { lazy } from '../memoize.ts'
import { VERSION } from '../version.ts'

const NOTE = 'Configuration is read from the environment: see docs/operations.md.'

/** The commands of operators: their summary and their file, which is loaded only when it runs. */
const OPERATOR_COMMANDS: Record<string, [summary: string, load: () => Promise<{ run: Command<Config> }>]> = {
  serve: ['run the server; ROLE chooses API, worker or both', () => import('./serve.ts')],
  migrate: ['bring the database up to date', () => import('./migrate.ts')],
  app: [
    'create, list, disable and enable partner apps; rotate secrets; set topics, limits, callbacks',
    () => import('./app.ts'),
  ],
  sitio: ['create, list, revoke the keys of the marketplace’s own sites', () => import('./sitio.ts')],
  user: ['create, list, remove the marketplace’s staff and partners’ developers', () => import('./user.ts')],
  marca: ['set or show the marketplace’s name, logo, colour, sender and links', () => import('./marca.ts')],
  paquete: ['set or show what an agency has contracted', () => import('./paquete.ts')],
  demo: ['add sample data, keep it moving, remove it', () => import('./demo.ts')],
  consulta: ['send one inquiry about a listing', () => import('./consulta.ts')],
  mails: ['show emails: sent, waiting, or stored because there is no mail server', () => import('./mails.ts')],
  suprimir: ['erase a person’s data on request, with a receipt', () => import('./suprimir.ts')],
  fotos: ['fetch failed photos again, or all photos', () => import('./fotos.ts')],
  import: ['import agencies, people, listings and past inquiries from files', () => import('./import.ts')],
  export: ['write the same of one agency, or of all, to files', () => import('./export.ts')],
  backup: ['copy the whole database into one file while the server runs', () => import('./backup.ts')],
  restore: ['load a backup into an empty database', () => import('./restore.ts')],
  keys: ['replace the keys that sign tokens, and the master key', () => import('./keys.ts')],
  doctor: ['check this installation, and say how to fix what is wrong', () => import('./doctor.ts')],
}

const operatorEntries: CommandEntries<Config> = Object.fromEntries(
  Object.entries(OPERATOR_COMMANDS).map(([name, [summary, load]]) => [
    name,
    { summary, load, help: () => readFileSync(new URL(`./help/${name}.txt`, import.meta.url), 'utf8') },
  ]),
)

/** The commands of the package for partners; here an app of this database is enough. */
const partnerEntries = adaptCommands(PARTNER_COMMANDS, partnerConfig)

/** Runs a command line and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export const run = (argv: string[], environment: Environment): Promise<number> =>
  runProgram(
    { version: VERSION, commands: { ...operatorEntries, ...partnerEntries }, note: NOTE, readConfig },
    argv,
    environment,
  )

/** The configuration of the commands for partners: this server, its apps and its catalogue by default. */
function partnerConfig(config: Config): PartnerConfig {
  const { rodadoUrl, publicUrl, rodadoAppKey, rodadoAppSecret, signaturePrefix: prefix, vendor } = config
  const match = lazy(async () => (await import('./local-bestmatch.ts')).matchLocally(config))
  return {
    url: rodadoUrl ?? publicUrl,
    appKey: rodadoAppKey,
    appSecret: rodadoAppSecret,
    prefix,
    vendor,
    local: {
      async credentials(appKey) {
        const { credentialsOfOwnApp } = await import('./with-store.ts') // loaded late: most commands have credentials
        return credentialsOfOwnApp(config, appKey)
      },
      match: async (kind, values) => (await match())(kind, values),
    },
  }
}
