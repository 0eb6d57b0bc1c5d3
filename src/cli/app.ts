import { FLAG, splitList, TEXT, UsageError } from '@rodado/cli'
import { isMailAddress } from '../accounts/account.ts'
import { audit, byCommand } from '../accounts/audit.ts'
import { type App, type AppLimits, LIMIT_BOUNDS } from '../apps/app.ts'
import { rotateSecret } from '../apps/secrets.ts'
import { createApp, disableApp, findApp, listApps, setLimits, setPrivateCallbacks, setTopics } from '../apps/store.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher } from '../catalogue/match/matcher.ts'
import { CALLBACK_RANGES, type Config, callbackRanges } from '../config.ts'
import { openSandbox } from '../sandbox/agency.ts'
import type { Transactional } from '../store/db.ts'
import { isTopic, TOPICS } from '../webhooks/topics.ts'
import { defineCommand, MODO, readModo, readName, subcommands } from './command.ts'
import { NO_APP, withStore } from './with-store.ts'

const MAX_REASON = 500
const MAX_RANGES = 20
const LIMIT_OPTIONS = { 'por-segundo': TEXT, rafaga: TEXT, invitaciones: TEXT }
/** Each limit with its option, and its name in JSON. */
const LIMITS = [
  ['ratePerSecond', 'por-segundo', 'PorSegundo'],
  ['rateBurst', 'rafaga', 'Rafaga'],
  ['invitesPerDay', 'invitaciones', 'Invitaciones'],
] as const

/** Creates, lists, rotates, disables and enables partner apps. */
export const run = subcommands('app', {
  create: defineCommand(
    '',
    { nombre: TEXT, contacto: TEXT, modo: MODO },
    async ({ contacto, ...values }, { config }) => {
      const nombre = readName(values.nombre)
      const modo = readModo(values.modo)
      if (contacto !== undefined && !isMailAddress(contacto.toLowerCase()))
        throw new UsageError('--contacto must be a mail address.')

      const { app, secret } = await withStore(config, async ({ store, seal }) => {
        const newApp = { nombre, modo, ...(contacto && { contacto }) }
        const created = await store.transaction(async (tx) => {
          const made = await createApp(tx, seal, newApp)
          await audit(tx, byCommand('app.crear', made.app.appKey, { nombre, modo }))
          return made
        })
        if (modo === 'prueba') {
          const catalogue = loadCatalogue(config.country, config.catalogueDir)
          const matcher = createMatcher(catalogue, config)
          await openSandbox({ store, seal, catalogue, matcher, clock: () => new Date(), config }, created.app)
        }
        return created
      })
      return {
        json: { AppKey: app.appKey, AppSecret: secret, Nombre: app.nombre, Topics: topicsOf(app) },
        text:
          `Created ${app.nombre} (${app.modo}).\n\n  AppKey     ${app.appKey}\n  AppSecret  ${secret}\n\n` +
          'The secret is shown only now. Try it: npx rodado call GET /v3/colores\n',
      }
    },
  ),

  list: defineCommand('', {}, async (_values, { config }) => {
    const apps = await withStore(config, ({ store }) => listApps(store))
    const lines = apps.map(
      ({ appKey, modo, disabled, nombre }) =>
        `${appKey}  ${modo.padEnd(10)}  ${disabled ? 'disabled' : 'active  '}  ${nombre}\n`,
    )
    const text = lines.join('') || 'There are no apps yet. Create one: npx rodado app create --nombre NAME\n'
    return { json: apps.map(describe), text }
  }),

  rotate: defineCommand('APPKEY', { revocar: FLAG }, async ({ revocar = false }, { config }, appKey) => {
    const secret = await withStore(config, async ({ store, seal }) => {
      const { id, appKey: known } = requireApp(await findApp(store, appKey.toLowerCase()))
      return store.transaction(async (tx) => {
        await audit(tx, byCommand('app.clave-nueva', known, { revocaLasAnteriores: revocar }))
        return rotateSecret(tx, seal, id, revocar)
      })
    })
    const former = revocar
      ? 'All former ones are refused from now on.'
      : 'The former one stays valid until the next rotation.'
    const text = `  AppSecret  ${secret}\n\nThe secret is shown only now. ${former}\n`
    return { json: { AppKey: appKey, AppSecret: secret }, text }
  }),

  disable: defineCommand('APPKEY', { motivo: TEXT }, async (values, { config }, appKey) => {
    const motivo = values.motivo?.trim() || null
    if (motivo && motivo.length > MAX_REASON) throw new UsageError(`--motivo has up to ${MAX_REASON} characters.`)
    const app = await changeApp(config, 'app.deshabilitar', { motivo }, (tx) =>
      disableApp(tx, appKey.toLowerCase(), true, motivo),
    )
    return { json: describe(app), text: `${app.nombre} is disabled: every node refuses it within a second.\n` }
  }),

  enable: defineCommand('APPKEY', {}, async (_values, { config }, appKey) => {
    const app = await changeApp(config, 'app.habilitar', {}, (tx) => disableApp(tx, appKey.toLowerCase(), false, null))
    return { json: describe(app), text: `${app.nombre} is enabled.\n` }
  }),

  topics: defineCommand('APPKEY', { set: TEXT }, async ({ set }, { config }, given) => {
    const appKey = given.toLowerCase()
    const topics = set === undefined ? undefined : topicList(set)
    const app =
      topics === undefined
        ? await readApp(config, appKey)
        : await changeApp(config, 'app.temas', { temas: topics ?? 'todos' }, (tx) => setTopics(tx, appKey, topics))
    return { json: { AppKey: app.appKey, Topics: topicsOf(app) }, text: `${topicsOf(app).join('\n')}\n` }
  }),

  limits: defineCommand('APPKEY', LIMIT_OPTIONS, async (values, { config }, given) => {
    const appKey = given.toLowerCase()
    const wanted = limitsIn(values)
    const { limits } =
      Object.keys(wanted).length === 0
        ? await readApp(config, appKey)
        : await changeApp(config, 'app.limites', { ...wanted }, async (tx) =>
            setLimits(tx, appKey, { ...requireApp(await findApp(tx, appKey)).limits, ...wanted }),
          )
    const Limites = Object.fromEntries(LIMITS.map(([limit, , name]) => [name, limits[limit]]))
    const lines = Object.entries(Limites).map(([name, value]) => `${name.padEnd(13)} ${value ?? 'the general limit'}\n`)
    return { json: { AppKey: appKey, Limites }, text: lines.join('') }
  }),

  callbacks: defineCommand('APPKEY', { set: TEXT }, async ({ set }, { config }, given) => {
    const appKey = given.toLowerCase()
    const ranges = set === undefined ? undefined : rangeList(set)
    const { privateCallbacks } =
      ranges === undefined
        ? await readApp(config, appKey)
        : await changeApp(config, 'app.callbacks', { rangos: ranges }, (tx) => setPrivateCallbacks(tx, appKey, ranges))
    return {
      json: { AppKey: appKey, CallbacksPrivados: privateCallbacks },
      text: `${privateCallbacks.join('\n') || 'none'}\n`,
    }
  }),
})

const readApp = (config: Config, appKey: string): Promise<App> =>
  withStore(config, async ({ store }) => requireApp(await findApp(store, appKey)))

/** Changes an app, and writes it to the audit log. */
const changeApp = (
  config: Config,
  act: string,
  detail: Record<string, unknown>,
  change: (tx: Transactional) => Promise<App | undefined>,
): Promise<App> =>
  withStore(config, ({ store }) =>
    store.transaction(async (tx) => {
      const app = requireApp(await change(tx))
      await audit(tx, byCommand(act, app.appKey, detail))
      return app
    }),
  )

function requireApp(app: App | undefined): App {
  if (!app) throw new Error(NO_APP)
  return app
}

/** The limits that were given; the others stay. */
function limitsIn(values: { [Option in keyof typeof LIMIT_OPTIONS]?: string | undefined }): Partial<AppLimits> {
  const limits: Partial<AppLimits> = {}
  for (const [name, option] of LIMITS) {
    const value = values[option]
    if (value === undefined) continue
    const { least, most } = LIMIT_BOUNDS[name]
    if (value !== 'todas' && (!/^\d{1,7}$/.test(value) || Number(value) < least || Number(value) > most))
      throw new UsageError(`--${option} must be a number from ${least} to ${most}, or todas.`)
    limits[name] = value === 'todas' ? null : Number(value)
  }
  return limits
}

/** `todos` allows every topic, future ones included. */
function topicList(text: string): string[] | null {
  if (text === 'todos') return null
  const topics = splitList(text)
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
