import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../store/keyset.ts'
import type { App, Modo } from './app.ts'
import { LIMITS } from './store.ts'

/** An app with what the marketplace's staff wants to know of each at a glance. */
export interface AppAtWork extends App {
  creada: Date
  agencias: number
  /** In the last 24 hours. */
  solicitudes: number
  entregadas: number
  intentosFallidos: number
  /** Webhooks that fail, or were disabled because they only did. */
  webhooksFallando: number
}

interface AppsFilters {
  /** Part of its name, or its AppKey. */
  q?: string | undefined
  modo?: Modo | undefined
  estado?: 'habilitadas' | 'deshabilitadas' | undefined
}

/** Apps, newest first, page by page. */
export async function listAppsAtWork(
  db: Db,
  { q, modo, estado }: AppsFilters,
  turn: Cursor<number>,
): Promise<ResultPage<AppAtWork>> {
  const { within, order, limit } = keysetBy(sql`a.id`, turn)
  const conditions: Sql[] = [within]
  if (q) conditions.push(sql`(position(lower(${q}) in lower(a.nombre)) > 0 or a.app_key = lower(${q}))`)
  if (modo) conditions.push(sql`a.modo = ${modo}`)
  if (estado) conditions.push(estado === 'habilitadas' ? sql`a.disabled_at is null` : sql`a.disabled_at is not null`)
  return resultPage(await atWork(db, sql`where ${join(conditions, ' and ')} order by ${order} limit ${limit}`), turn)
}

export const findAppAtWork = async (db: Db, appKey: string): Promise<AppAtWork | undefined> =>
  (await atWork(db, sql`where a.app_key = ${appKey}`))[0]

const atWork = (db: Db, which: Sql): Promise<AppAtWork[]> =>
  db.query<AppAtWork>(sql`
    select a.id, a.app_key as "appKey", a.nombre, a.contacto, a.modo, a.topics, a.disabled_at is not null as disabled,
      a.disabled_at as "disabledAt", a.disabled_reason as "disabledReason", ${LIMITS} as limits,
      a.private_callbacks as "privateCallbacks", a.created_at as creada,
      (select count(*) from asociaciones s where s.app_id = a.id and s.ended_at is null) as agencias,
      usage.*,
      (select count(*) from webhooks w
       where w.app_id = a.id and (w.disabled_at is not null or (w.activo and w.failing_since is not null))) as "webhooksFallando"
    from apps a
    cross join lateral (
      select coalesce(sum(u.solicitudes), 0)::float8 as solicitudes, coalesce(sum(u.entregadas), 0)::float8 as entregadas,
        coalesce(sum(u.intentos_fallidos), 0)::float8 as "intentosFallidos"
      from app_usage u where u.app_id = a.id and u.hora > now() - interval '24 hours'
    ) usage
    ${which}`)
