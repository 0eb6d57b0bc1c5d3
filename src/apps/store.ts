import sql, { join, type Sql } from 'sql-template-tag'
import type { Db, Transactional } from '../store/db.ts'
import { type Cursor, keysetBy, resultPage, type SortKey } from '../store/keyset.ts'
import type { Seal } from '../store/sealed.ts'
import type { App, AppLimits, Modo } from './app.ts'
import { addSecret, newAppKey } from './secrets.ts'

/** An app's own limits, where no other table has columns of these names. */
export const LIMITS = sql`
  json_build_object('ratePerSecond', rate_per_second, 'rateBurst', rate_burst, 'invitesPerDay', invites_per_day)`

const COLUMNS = sql`
  id, app_key as "appKey", nombre, contacto, modo, topics, disabled_at is not null as disabled,
  disabled_at as "disabledAt", disabled_reason as "disabledReason", ${LIMITS} as limits,
  private_callbacks as "privateCallbacks"`

interface NewApp {
  nombre: string
  contacto?: string
  modo: Modo
}

export async function createApp(
  store: Transactional,
  seal: Seal,
  wanted: NewApp,
): Promise<{ app: App; secret: string }> {
  const created = await createAppOnce(store, seal, wanted, newAppKey())
  if (!created) throw new Error('The app was not created.')
  return created
}

/** Creates an app unless there is one with that AppKey: a form that is sent twice creates one. */
export const createAppOnce = (
  store: Transactional,
  seal: Seal,
  { nombre, contacto, modo }: NewApp,
  appKey: string,
): Promise<{ app: App; secret: string } | undefined> =>
  store.transaction(async (tx) => {
    const [app] = await tx.query<App>(sql`
      insert into apps (app_key, nombre, contacto, modo)
      values (${appKey}, ${nombre}, ${contacto ?? null}, ${modo}) on conflict (app_key) do nothing returning ${COLUMNS}`)
    return app && { app, secret: await addSecret(tx, seal, app.id) }
  })

export const listApps = (db: Db): Promise<App[]> => db.query<App>(sql`select ${COLUMNS} from apps order by id`)

const findBy = (db: Db, condition: Sql): Promise<App | undefined> =>
  db.first<App>(sql`select ${COLUMNS} from apps where ${condition}`)

export const findApp = (db: Db, appKey: string) => findBy(db, sql`app_key = ${appKey}`)

/** The app, locked until the transaction ends. */
export const findLockedApp = (tx: Db, appKey: string) => findBy(tx, sql`app_key = ${appKey} for no key update`)

export const findAppById = (db: Db, id: number) => findBy(db, sql`id = ${id}`)

const update = (db: Db, appKey: string, set: Sql): Promise<App | undefined> =>
  db.first<App>(sql`update apps set ${set} where app_key = ${appKey} returning ${COLUMNS}`)

/** Disables the app on every node within a second, with a reason that its developers see, or enables it again. Its data stays. */
export const disableApp = (db: Db, appKey: string, disabled: boolean, reason: string | null = null) =>
  update(
    db,
    appKey,
    sql`disabled_at = case when ${disabled} then coalesce(disabled_at, now()) end,
        disabled_reason = case when ${disabled} then coalesce(${reason}, disabled_reason) end`,
  )

/** Sets which topics the app may use; null: all, future ones included. */
export const setTopics = (db: Db, appKey: string, topics: string[] | null) =>
  update(db, appKey, sql`topics = ${topics}`)

/** Sets the app's own limits, on every node within a second; null: the general limit. */
export const setLimits = (db: Db, appKey: string, { ratePerSecond, rateBurst, invitesPerDay }: AppLimits) =>
  update(
    db,
    appKey,
    sql`rate_per_second = ${ratePerSecond}, rate_burst = ${rateBurst}, invites_per_day = ${invitesPerDay}`,
  )

/** Sets the private ranges that the app's webhooks may reach, besides those that all apps may. */
export const setPrivateCallbacks = (db: Db, appKey: string, ranges: string[]) =>
  update(db, appKey, sql`private_callbacks = ${ranges}`)

export const renameApp = (db: Db, appKey: string, { nombre, contacto }: Pick<App, 'nombre' | 'contacto'>) =>
  update(db, appKey, sql`nombre = ${nombre}, contacto = ${contacto}`)

export interface AppOverview extends App {
  creada: Date
  agencias: number
  /** In the last 24 hours. */
  solicitudes: number
  entregadas: number
  intentosFallidos: number
  /** Webhooks that were disabled because they only failed. */
  disabledWebhooks: number
  /** Webhooks that fail and are still tried. */
  failingWebhooks: number
}

interface AppsFilters {
  /** Part of its name, or its AppKey. */
  q?: string | undefined
  modo?: Modo | undefined
  estado?: 'habilitadas' | 'deshabilitadas' | undefined
  /** Sorts by name instead of age. There are few apps: no index is needed. */
  byName?: boolean
}

const BY_NAME: SortKey<number> = {
  key: sql`lower(a.nombre)`,
  keyOf: (id) => sql`select lower(nombre) from apps where id = ${id}`,
}

export async function listAppOverviews(db: Db, { q, modo, estado, byName }: AppsFilters, cursor: Cursor<number>) {
  const { within, order, limit } = keysetBy(sql`a.id`, cursor, byName ? BY_NAME : undefined)
  const conditions: Sql[] = [within]
  if (q) conditions.push(sql`(position(lower(${q}) in lower(a.nombre)) > 0 or a.app_key = lower(${q}))`)
  if (modo) conditions.push(sql`a.modo = ${modo}`)
  if (estado) conditions.push(estado === 'habilitadas' ? sql`a.disabled_at is null` : sql`a.disabled_at is not null`)
  const rows = await overview(db, sql`where ${join(conditions, ' and ')} order by ${order} limit ${limit}`)
  return resultPage(rows, cursor)
}

export const findAppOverview = async (db: Db, appKey: string): Promise<AppOverview | undefined> =>
  (await overview(db, sql`where a.app_key = ${appKey}`))[0]

const overview = (db: Db, condition: Sql): Promise<AppOverview[]> =>
  db.query<AppOverview>(sql`
    select ${COLUMNS}, a.created_at as creada,
      (select count(*) from asociaciones s where s.app_id = a.id and s.ended_at is null) as agencias,
      usage.*, hooks.*
    from apps a
    cross join lateral (
      select count(*) filter (where w.disabled_at is not null) as "disabledWebhooks",
        count(*) filter (where w.disabled_at is null and w.activo and w.failing_since is not null) as "failingWebhooks"
      from webhooks w where w.app_id = a.id) hooks
    cross join lateral (
      select coalesce(sum(u.solicitudes), 0)::float8 as solicitudes, coalesce(sum(u.entregadas), 0)::float8 as entregadas,
        coalesce(sum(u.intentos_fallidos), 0)::float8 as "intentosFallidos"
      from app_usage u where u.app_id = a.id and u.hora > now() - interval '24 hours'
    ) usage
    ${condition}`)
