import sql from 'sql-template-tag'
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

export interface NewApp {
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

export async function findApp(db: Db, appKey: string): Promise<App | undefined> {
  const [app] = await db.query<App>(sql`select ${COLUMNS} from apps where app_key = ${appKey}`)
  return app
}

export async function findAppById(db: Db, id: number): Promise<App | undefined> {
  const [app] = await db.query<App>(sql`select ${COLUMNS} from apps where id = ${id}`)
  return app
}

/** Disables the app on every node within a second, with a reason that its developers see, or enables it again. Its data stays. */
export async function disableApp(
  db: Db,
  appKey: string,
  disabled: boolean,
  reason: string | null = null,
): Promise<App | undefined> {
  const [app] = await db.query<App>(sql`
    update apps set disabled_at = case when ${disabled} then coalesce(disabled_at, now()) end,
      disabled_reason = case when ${disabled} then coalesce(${reason}, disabled_reason) end
    where app_key = ${appKey} returning ${COLUMNS}`)
  return app
}

/** Sets which topics the app may use; null: all, also those that are still to come. */
export async function setTopics(db: Db, appKey: string, topics: string[] | null): Promise<App | undefined> {
  const [app] = await db.query<App>(sql`
    update apps set topics = ${topics} where app_key = ${appKey} returning ${COLUMNS}`)
  return app
}

/** Sets what the app may ask, on every node within a second; null: what everyone may. */
export async function setLimits(db: Db, appKey: string, limits: AppLimits): Promise<App | undefined> {
  const { ratePerSecond, rateBurst, invitesPerDay } = limits
  const [app] = await db.query<App>(sql`
    update apps
    set rate_per_second = ${ratePerSecond}, rate_burst = ${rateBurst}, invites_per_day = ${invitesPerDay}
    where app_key = ${appKey} returning ${COLUMNS}`)
  return app
}

/** Sets the private ranges that the app's webhooks may reach, besides those that all apps may. */
export async function setPrivateCallbacks(db: Db, appKey: string, ranges: string[]): Promise<App | undefined> {
  const [app] = await db.query<App>(sql`
    update apps set private_callbacks = ${ranges} where app_key = ${appKey} returning ${COLUMNS}`)
  return app
}

/** How the app is called, and who is written to about it. */
export async function renameApp(
  db: Db,
  appKey: string,
  { nombre, contacto }: Pick<App, 'nombre' | 'contacto'>,
): Promise<App | undefined> {
  const [app] = await db.query<App>(sql`
    update apps set nombre = ${nombre}, contacto = ${contacto} where app_key = ${appKey} returning ${COLUMNS}`)
  return app
}
