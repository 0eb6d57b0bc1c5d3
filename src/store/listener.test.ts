import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { until } from '../../tests/support/until.ts'
import { openListener } from './listener.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

test('listener: hears what is committed, before it calls itself fresh', async (t) => {
  const heard: string[] = []
  const listener = openListener({ connection: database.connection, log })
  t.after(() => listener.close())
  listener.on('apps', (payload) => heard.push(payload))
  await until(() => listener.freshSince() > 0)
  for (let n = 1; n <= 3; n++) {
    await database.store.query(sql`select pg_notify('apps', ${String(n)})`)
    const committed = performance.now()
    await until(() => listener.freshSince() > committed)
    assert.equal(heard.at(-1), String(n))
  }
})

test('listener: triggers name the app and the signing key that changed', async (t) => {
  const heard: string[] = []
  const listener = openListener({ connection: database.connection, log })
  t.after(() => listener.close())
  for (const channel of ['apps', 'signing_keys']) listener.on(channel, (payload) => heard.push(`${channel} ${payload}`))
  await until(() => listener.freshSince() > 0)
  const key = '0'.repeat(32)
  await database.store.query(sql`insert into apps (app_key, nombre, modo) values (${key}, 'a', 'prueba')`)
  await database.store.query(sql`insert into app_secrets (app_id, sealed) select id, 'x' from apps`)
  await database.store.query(sql`update app_secrets set revoked_at = now()`)
  await database.store.query(
    sql`insert into signing_keys (kid, public_jwk, sealed_private) values ('k1', '{}', ${Buffer.from('x')})`,
  )
  await until(() => heard.length >= 4)
  assert.deepEqual(heard, ['apps 1', 'apps 1', 'apps 1', 'signing_keys k1'])
})

test('listener: a cut connection comes back, says so, and hears again', async (t) => {
  let connections = 0
  const heard: string[] = []
  const listener = openListener({ connection: database.connection, log })
  t.after(() => listener.close())
  listener.on('apps', (payload) => heard.push(payload))
  listener.onGap(() => connections++)
  await until(() => listener.freshSince() > 0)
  assert.equal(connections, 1)
  const cut = performance.now()
  await database.store.query(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'rodado listen' and datname = current_database()`,
  )
  await until(() => connections === 2)
  await until(() => listener.freshSince() > cut)
  await database.store.query(sql`select pg_notify('apps', 'again')`)
  await until(() => heard.includes('again'))
})

test('listener: a channel added later is heard, and counts as a new connection', async (t) => {
  let connections = 0
  const heard: string[] = []
  const listener = openListener({ connection: database.connection, log })
  t.after(() => listener.close())
  listener.onGap(() => connections++)
  await until(() => listener.freshSince() > 0)
  listener.on('late', (payload) => heard.push(payload))
  await until(() => connections === 2)
  await database.store.query(sql`select pg_notify('late', 'x')`)
  await until(() => heard.length === 1)
})

test('listener: without a database it is never fresh, and closes all the same', async (t) => {
  const listener = openListener({ connection: { host: '/nonexistent', user: 'u', database: 'd' }, log })
  t.after(() => listener.close())
  assert.equal(listener.freshSince(), Number.NEGATIVE_INFINITY)
})
