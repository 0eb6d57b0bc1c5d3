import { isMailAddress } from '../accounts/account.ts'
import { type App, type AppLimits, LIMIT_BOUNDS } from '../apps/app.ts'
import { rotateSecret } from '../apps/secrets.ts'
import { createApp, disableApp, findApp, listApps, setLimits, setPrivateCallbacks, setTopics } from '../apps/store.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { CALLBACK_RANGES, callbackRanges } from '../config.ts'
import { openSandbox } from '../sandbox/agency.ts'
import { isTopic, TOPICS } from '../webhooks/topics.ts'
import { type Io, parse, parseOptions, printJson, readModo, readName, subcommands, UsageError } from './command.ts'
import { withStore } from './with-store.ts'

const MAX_REASON = 500
const MAX_RANGES = 20

const USAGE = `Usage:
  rodado app create --nombre NAME [--contacto MAIL] [--modo produccion|prueba] [--json]
  rodado app list [--json]
  rodado app rotate APPKEY [--revocar] [--json]
                                                   a new secret; the previous one stays valid until the next rotation,
                                                   or ends now with --revocar
  rodado app disable APPKEY [--motivo TEXT] [--json]
                                                   refused on every node within a second; its developers see the reason
  rodado app enable APPKEY [--json]
  rodado app topics APPKEY [--set a,b,…|todos] [--json]
  rodado app limits APPKEY [--por-segundo N] [--rafaga N] [--invitaciones N] [--json]
                                                   its own limits; «todas» instead of a number: the general limit
  rodado app callbacks APPKEY [--set CIDR[:PORT],…|ninguno] [--json]
                                                   private ranges that only its webhooks may reach, also by http`

/** Creates, lists, rotates, disables and enables partner apps. */
export const command = subcommands('app', USAGE, {
  async create(argv, { config, out }) {
    const values = parseOptions(argv, {
      nombre: { type: 'string' },
      contacto: { type: 'string' },
      modo: { type: 'string', default: 'produccion' },
    })
    const nombre = readName(values.nombre)
    const modo = readModo(values.modo)
    if (values.contacto !== undefined && !isMailAddress(values.contacto.toLowerCase()))
      throw new UsageError('--contacto must be a mail address.')

    const { app, secret } = await withStore(config, async ({ store, seal }) => {
      const made = await createApp(store, seal, {
        nombre,
        modo,
        ...(values.contacto && { contacto: values.contacto }),
      })
      if (made.app.modo === 'prueba') {
        const catalogue = loadCatalogue(config.country, config.catalogueDir)
        await openSandbox({ store, seal, catalogue, clock: () => new Date(), config }, made.app)
      }
      return made
    })
    if (values.json)
      return printJson(out, { AppKey: app.appKey, AppSecret: secret, Nombre: app.nombre, Topics: topicsOf(app) })
    out.write(`Created ${app.nombre} (${app.modo}).\n\n  AppKey     ${app.appKey}\n  AppSecret  ${secret}\n\n`)
    out.write('The secret is shown only now. Try it: npx rodado call GET /v3/colores\n')
  },

  async list(argv, { config, out }) {
    const values = parseOptions(argv, {})
    const apps = await withStore(config, ({ store }) => listApps(store))
    if (values.json) return printJson(out, apps.map(describe))
    if (apps.length === 0) out.write('There are no apps yet. Create one: npx rodado app create --nombre NAME\n')
    for (const app of apps)
      out.write(`${app.appKey}  ${app.modo.padEnd(10)}  ${app.disabled ? 'disabled' : 'active  '}  ${app.nombre}\n`)
  },

  async rotate(argv, { config, out }) {
    const { values, positionals } = parse(argv, { revocar: { type: 'boolean' } })
    const secret = await withStore(config, async ({ store, seal }) => {
      const app = found(await findApp(store, appKeyOf(positionals)))
      return rotateSecret(store, seal, app.id, values.revocar ?? false)
    })
    if (values.json) return printJson(out, { AppKey: positionals[0], AppSecret: secret })
    out.write(`  AppSecret  ${secret}\n\nThe secret is shown only now. `)
    out.write(
      values.revocar
        ? 'All former ones are refused from now on.\n'
        : 'The former one stays valid until the next rotation.\n',
    )
  },

  disable: (argv, io) => setDisabled(argv, io, true),
  enable: (argv, io) => setDisabled(argv, io, false),

  async topics(argv, { config, out }) {
    const { values, positionals } = parse(argv, { set: { type: 'string' } })
    const appKey = appKeyOf(positionals)
    const wanted = values.set === undefined ? undefined : topicList(values.set)
    const app = found(
      await withStore(config, ({ store }) =>
        wanted === undefined ? findApp(store, appKey) : setTopics(store, appKey, wanted),
      ),
    )
    if (values.json) printJson(out, { AppKey: app.appKey, Topics: topicsOf(app) })
    else out.write(`${topicsOf(app).join('\n')}\n`)
  },

  async limits(argv, { config, out }) {
    const { values, positionals } = parse(argv, { ...LIMIT_OPTIONS })
    const appKey = appKeyOf(positionals)
    const wanted = limitsIn(values)
    const app = await withStore(config, async ({ store }) => {
      const { limits } = found(await findApp(store, appKey))
      return found(await setLimits(store, appKey, { ...limits, ...wanted }))
    })
    if (values.json) return printJson(out, { AppKey: app.appKey, Limites: limitsOf(app) })
    for (const [name, value] of Object.entries(limitsOf(app)))
      out.write(`${name.padEnd(13)} ${value ?? 'the general limit'}\n`)
  },

  async callbacks(argv, { config, out }) {
    const { values, positionals } = parse(argv, { set: { type: 'string' } })
    const appKey = appKeyOf(positionals)
    const wanted = values.set === undefined ? undefined : rangeList(values.set)
    const app = found(
      await withStore(config, ({ store }) =>
        wanted === undefined ? findApp(store, appKey) : setPrivateCallbacks(store, appKey, wanted),
      ),
    )
    if (values.json) return printJson(out, { AppKey: app.appKey, CallbacksPrivados: app.privateCallbacks })
    out.write(`${app.privateCallbacks.join('\n') || 'none'}\n`)
  },
})

const LIMIT_OPTIONS = {
  'por-segundo': { type: 'string' },
  rafaga: { type: 'string' },
  invitaciones: { type: 'string' },
} as const
const LIMIT_NAMES: Record<keyof typeof LIMIT_OPTIONS, keyof AppLimits> = {
  'por-segundo': 'ratePerSecond',
  rafaga: 'rateBurst',
  invitaciones: 'invitesPerDay',
}

/** The limits that were given; the others stay. */
function limitsIn(values: { [Option in keyof typeof LIMIT_OPTIONS]?: string | undefined }): Partial<AppLimits> {
  const limits: Partial<AppLimits> = {}
  for (const [option, name] of Object.entries(LIMIT_NAMES) as [keyof typeof LIMIT_OPTIONS, keyof AppLimits][]) {
    const said = values[option]
    if (said === undefined) continue
    const { least, most } = LIMIT_BOUNDS[name]
    if (said !== 'todas' && (!/^\d{1,7}$/.test(said) || Number(said) < least || Number(said) > most))
      throw new UsageError(`--${option} must be a number from ${least} to ${most}, or todas.`)
    limits[name] = said === 'todas' ? null : Number(said)
  }
  return limits
}

const limitsOf = ({ limits }: App) => ({
  PorSegundo: limits.ratePerSecond,
  Rafaga: limits.rateBurst,
  Invitaciones: limits.invitesPerDay,
})

async function setDisabled(argv: string[], { config, out }: Io, disabled: boolean): Promise<void> {
  const { values, positionals } = parse(argv, { motivo: { type: 'string' } })
  const [appKey, motivo] = [appKeyOf(positionals), values.motivo?.trim() || null]
  if (motivo && (!disabled || motivo.length > MAX_REASON))
    throw new UsageError(`--motivo goes with disable, of up to ${MAX_REASON} characters.`)
  const app = found(await withStore(config, ({ store }) => disableApp(store, appKey, disabled, motivo)))
  if (values.json) printJson(out, describe(app))
  else out.write(`${app.nombre} is ${disabled ? 'disabled: every node refuses it within a second' : 'enabled'}.\n`)
}

function appKeyOf([appKey, ...more]: string[]): string {
  if (!appKey || more.length > 0) throw new UsageError('give one AppKey.')
  return appKey.toLowerCase()
}

function found(app: App | undefined): App {
  if (!app) throw new Error('there is no app with that AppKey. `rodado app list` shows them all.')
  return app
}

/** `todos` allows every topic, future ones included. */
function topicList(text: string): string[] | null {
  if (text === 'todos') return null
  const topics = text
    .split(',')
    .map((topic) => topic.trim())
    .filter(Boolean)
  const unknown = topics.filter((topic) => !isTopic(topic))
  if (unknown.length > 0) throw new UsageError(`unknown: ${unknown.join(', ')}. The topics are: ${TOPICS.join(', ')}.`)
  return topics
}

function rangeList(text: string): string[] {
  const ranges = text === 'ninguno' ? [] : callbackRanges(text)
  if (!ranges || ranges.length > MAX_RANGES)
    throw new UsageError(`--set must be ninguno or ${CALLBACK_RANGES}; at most ${MAX_RANGES}.`)
  return ranges
}

const topicsOf = (app: App): readonly string[] => app.topics ?? TOPICS

const describe = (app: App) => ({
  AppKey: app.appKey,
  Nombre: app.nombre,
  Contacto: app.contacto,
  Modo: app.modo,
  Deshabilitada: app.disabled,
  Topics: topicsOf(app),
})
