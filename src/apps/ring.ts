import { createSecretKey, type KeyObject } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Listener } from '../store/listener.ts'
import type { Seal } from '../store/sealed.ts'
import type { App } from './app.ts'
import { openSecret } from './secrets.ts'

/** An app that may call, and the secrets it may sign with, newest first. */
export interface Holder {
  app: App
  secrets: { id: number; key: KeyObject }[]
}

/**
 * Every app's keys, in memory. It holds all apps rather than those seen lately, so that an unknown key costs what a
 * known one does; the database tells it of each change, and it knows how long ago it last heard.
 */
export interface Ring {
  find(appKey: string): Holder | undefined | Promise<Holder | undefined>
}

const TRUSTED_MS = 900 // "refused within a second on every node": past this, each request asks the database

export async function openRing(db: Db, seal: Seal, listener: Listener, nowMs: () => number): Promise<Ring> {
  const byKey = new Map<string, Holder>()
  const keyOf = new Map<number, string>()
  const due = new Set<number | 'all'>(['all'])
  let reading: Promise<void> | undefined

  /** Reads what is due, one batch after the other, so that an older reading never overtakes a newer one. */
  function refresh(): Promise<void> {
    reading ??= readDue().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function readDue(): Promise<void> {
    while (due.size > 0) {
      const batch = [...due]
      due.clear()
      try {
        await readBatch(batch)
      } catch (error) {
        for (const item of batch) due.add(item)
        throw error
      }
    }
  }

  async function readBatch(batch: (number | 'all')[]): Promise<void> {
    const all = batch.includes('all')
    const ids = all ? [...keyOf.keys()] : (batch as number[])
    const holders = await readHolders(db, seal, all ? empty : sql`where a.id = any(${ids})`)
    for (const id of ids) byKey.delete(keyOf.get(id) ?? '')
    for (const holder of holders) {
      keyOf.set(holder.app.id, holder.app.appKey)
      byKey.set(holder.app.appKey, holder)
    }
  }

  function markDue(item: number | 'all'): void {
    due.add(item)
    refresh().catch(() => undefined) // what could not be read stays due, and is asked for meanwhile
  }

  listener.on('apps', (id) => markDue(Number(id)))
  listener.onReconnect(() => markDue('all'))
  await refresh()

  return {
    find(appKey) {
      const current = due.size === 0 && reading === undefined && nowMs() - listener.freshSince() < TRUSTED_MS
      if (current) return byKey.get(appKey)
      if (due.size > 0) refresh().catch(() => undefined)
      return readHolders(db, seal, sql`where a.app_key = ${appKey}`).then(([holder]) => holder)
    },
  }
}

interface Row extends App {
  secretId: number | null
  sealed: Buffer
}

async function readHolders(db: Db, seal: Seal, where: Sql = empty): Promise<Holder[]> {
  const rows = await db.query<Row>(sql`
    select a.id, a.app_key as "appKey", a.nombre, a.contacto, a.modo, a.topics, a.disabled_at is not null as disabled,
           s.id as "secretId", s.sealed
    from apps a left join app_secrets s on s.app_id = a.id and s.revoked_at is null
    ${where} order by a.id, s.id desc`)

  const holders = new Map<number, Holder>()
  for (const { secretId, sealed, ...app } of rows) {
    if (app.disabled) continue
    const holder = holders.get(app.id) ?? { app, secrets: [] }
    holders.set(app.id, holder)
    if (secretId === null) continue
    holder.secrets.push({ id: secretId, key: createSecretKey(openSecret(seal, app.id, sealed), 'utf8') })
  }
  return [...holders.values()]
}
