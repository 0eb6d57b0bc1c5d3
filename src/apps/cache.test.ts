import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { createSeal } from '../store/sealed.ts'
import { openAppCache } from './cache.ts'
import { createApp } from './store.ts'

const seal = createSeal(randomBytes(32))
let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

it('while the copy is not fresh, a text that is no AppKey is not looked up in the database', async () => {
  const { store } = database
  const { app } = await createApp(store, seal, { nombre: 'Tres', modo: 'produccion' })
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const listener = { on: () => undefined, onGap: () => undefined, freshSince: () => Number.NEGATIVE_INFINITY }
  let queries = 0
  const query: typeof store.query = (...given) => {
    queries++
    return store.query(...given)
  }
  const counted = { ...store, query }
  const apps = await openAppCache({ store: counted, seal, listener, nowMs: () => performance.now(), log })
  assert.equal((await apps.find(app.appKey))?.app.id, app.id)
  queries = 0
  for (const key of ['', '\0', `${app.appKey}\0`, app.appKey.toUpperCase()])
    assert.equal(await apps.find(key), undefined)
  assert.equal(queries, 0)
})

it('a secret that does not open is logged and left out; all other apps are served', async () => {
  const { store } = database
  const damaged = await createApp(store, seal, { nombre: 'Uno', modo: 'produccion' })
  const other = await createApp(store, seal, { nombre: 'Dos', modo: 'produccion' })
  await store.query(sql`update app_secrets set sealed = 'x' where app_id = ${damaged.app.id}`)
  const errors: unknown[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (given: unknown) => errors.push(given) }
  const listener = { on: () => undefined, onGap: () => undefined, freshSince: () => performance.now() }
  const apps = await openAppCache({ store, seal, listener, nowMs: () => performance.now(), log })
  const secretsOf = async (appKey: string) => (await apps.find(appKey))?.secrets.length
  assert.deepEqual([await secretsOf(damaged.app.appKey), await secretsOf(other.app.appKey)], [0, 1])
  assert.equal((errors[0] as { appId: number }).appId, damaged.app.id)
})
