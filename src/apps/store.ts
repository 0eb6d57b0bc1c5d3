import sql, { type Sql } from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
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

/** Makes an app with its first secret. */
export async function createApp(store: Store, seal: Seal, wanted: NewApp): Promise<{ app: App; secret: string }> {
  const made = await createAppOnce(store, seal, wanted, newAppKey())
  if (!made) throw new Error('The app was not made.')
  return made
}

/** The same, unless there is one with that AppKey: a form that is sent twice makes one app. */
export const createAppOnce = (
  store: Store,
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

const findBy = async (db: Db, condition: Sql): Promise<App | undefined> =>
  (await db.query<App>(sql`select ${COLUMNS} from apps where ${condition}`))[0]

export const findApp = (db: Db, appKey: string) => findBy(db, sql`app_key = ${appKey}`)

export const findAppById = (db: Db, id: number) => findBy(db, sql`id = ${id}`)

const update = async (db: Db, appKey: string, set: Sql): Promise<App | undefined> =>
  (await db.query<App>(sql`update apps set ${set} where app_key = ${appKey} returning ${COLUMNS}`))[0]

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

/** Sets the app's name and contact. */
export const renameApp = (db: Db, appKey: string, { nombre, contacto }: Pick<App, 'nombre' | 'contacto'>) =>
  update(db, appKey, sql`nombre = ${nombre}, contacto = ${contacto}`)
