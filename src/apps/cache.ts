import { createSecretKey, type KeyObject } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import { getOrInsert } from '../memoize.ts'
import type { Log } from '../store/circuit-breaker.ts'
import type { Db } from '../store/db.ts'
import type { Listener } from '../store/listener.ts'
import { type Mirror, openMirror } from '../store/mirror.ts'
import type { Seal } from '../store/sealed.ts'
import type { App } from './app.ts'
import { APP_KEY, openSecret } from './secrets.ts'
import { LIMITS } from './store.ts'

/** An app that may call, and the secrets it may sign with, newest first. */
interface AppWithSecrets {
  app: App
  secrets: { id: number; key: KeyObject }[]
}

export type AppCache = Mirror<AppWithSecrets>

interface CacheOptions {
  store: Db
  seal: Seal
  listener: Pick<Listener, 'on' | 'onGap' | 'freshSince'>
  nowMs: () => number
  log: Log
}

export const openAppCache = ({ listener, nowMs, ...deps }: CacheOptions): Promise<AppCache> =>
  openMirror<AppWithSecrets>({
    listener,
    nowMs,
    channel: 'apps',
    read: (ids) => readApps(deps, ids === 'all' ? empty : sql`where a.id = any(${ids})`),
    // Any other text is no app's key, and PostgreSQL refuses some of it.
    readOne: async (appKey) =>
      APP_KEY.test(appKey) ? (await readApps(deps, sql`where a.app_key = ${appKey}`))[0] : undefined,
    idOf: ({ app }) => app.id,
    keyOf: ({ app }) => app.appKey,
  })

interface Row extends App {
  secretId: number | null
  sealed: Buffer
}

type ReadDeps = Pick<CacheOptions, 'store' | 'seal' | 'log'>

async function readApps({ store, seal, log }: ReadDeps, where: Sql): Promise<AppWithSecrets[]> {
  const rows = await store.query<Row>(sql`
    select a.id, a.app_key as "appKey", a.nombre, a.contacto, a.modo, a.topics, a.disabled_at is not null as disabled,
           ${LIMITS} as limits, a.private_callbacks as "privateCallbacks", s.id as "secretId", s.sealed
    from apps a left join app_secrets s on s.app_id = a.id and s.revoked_at is null
    ${where} order by a.id, s.id desc`)

  const holders = new Map<number, AppWithSecrets>()
  for (const { secretId, sealed, ...app } of rows) {
    if (app.disabled) continue
    const holder = getOrInsert(holders, app.id, () => ({ app, secrets: [] }))
    if (secretId === null) continue
    try {
      holder.secrets.push({ id: secretId, key: createSecretKey(openSecret(seal, app.id, sealed), 'utf8') })
    } catch (err) {
      log.error({ err, appId: app.id, secretId }, 'apps: a secret does not open; requests signed with it are refused')
    }
  }
  return [...holders.values()]
}
