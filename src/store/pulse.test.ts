import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { type Cable, layCable } from '../../tests/support/cable.ts'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { until } from '../../tests/support/until.ts'
import { isUnavailable, openStore } from './db.ts'
import { readHosts } from './hosts.ts'

const AT_ONCE_MS = 500
const MANY = 100

let database: TestDatabase
let cables: Cable[]
before(async () => {
  database = await createDatabase()
  cables = [await layCable(database.connection), await layCable(database.connection)]
})
after(async () => {
  for (const cable of cables) await cable.close()
  await database.drop()
})

const one = sql`select 1 as one`

test('pulse: a network that swallows everything: what waits is let go, the rest refused at once, then all is well', async () => {
  const [cable] = cables
  assert.ok(cable)
  const store = openStore({ connection: cable.connection, max: 4 })
  await Promise.all(Array.from({ length: 4 }, () => store.query(one)))
  cable.stall()
  const began = performance.now()
  const outcomes = await Promise.allSettled(Array.from({ length: MANY }, () => store.query(one)))
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason)))
  assert.ok(performance.now() - began < 20_000, 'long before each question would have timed out')
  const refusedSoon = async () => {
    const asked = performance.now()
    const error = await store.query(one).catch((reason) => reason)
    return isUnavailable(error) && performance.now() - asked < AT_ONCE_MS
  }
  await until(refusedSoon)
  await assert.rejects(
    store.transaction((tx) => tx.query(one)),
    isUnavailable,
  )
  cable.mend()
  await until(() =>
    store.query(one).then(
      () => true,
      () => false,
    ),
  )
  assert.equal((await Promise.all(Array.from({ length: MANY }, () => store.query(one)))).length, MANY)
  await store.close()
})

test('pulse: a statement that takes its time is no silence', async () => {
  const store = openStore({ connection: database.connection, max: 1 })
  assert.deepEqual(await store.query(sql`select 1 as one from pg_sleep(4)`), [{ one: 1 }])
  await store.close()
})

test('hosts: of several the one that answers is used, and another when it is lost', async () => {
  const [first, second] = cables
  assert.ok(first && second)
  first.cut()
  const url = new URL(second.connection.connectionString ?? `postgres://${second.connection.host}`)
  const { user, database: name } = database.connection
  const ports = cables.map(({ connection }) => connection.port ?? new URL(connection.connectionString ?? '').port)
  const userinfo = user ?? (url.password ? `${url.username}:${url.password}` : url.username)
  const connectionString = `postgres://${userinfo}@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/${name ?? url.pathname.slice(1)}?target_session_attrs=read-write`
  const store = openStore({ connection: { connectionString }, max: 2 })
  const asked = () => store.query(one)
  assert.deepEqual(await asked(), [{ one: 1 }])
  first.mend()
  second.cut()
  await until(() =>
    asked().then(
      () => true,
      (error) => {
        assert.ok(isUnavailable(error), String(error))
        return false
      },
    ),
  )
  first.cut()
  const none = async () => isUnavailable(await asked().catch((error) => error))
  await until(none)
  await store.close()
})

test('hosts: an address is read as PostgreSQL’s own programs read it', () => {
  const hosts = (url: string) => readHosts(url)?.hosts.map(({ host, port }) => `${host} ${port}`)
  assert.equal(readHosts('postgres://u:p@a:1/db'), undefined)
  assert.equal(readHosts('postgres://u@/db?host=/run/pg'), undefined)
  assert.deepEqual(hosts('postgres://u:p@a:1,b/db?sslmode=require'), ['a 1', 'b 5432'])
  assert.deepEqual(hosts('postgresql://u@[::1]:5,b:6,c/db'), ['::1 5', 'b 6', 'c 5432'])
  assert.deepEqual(hosts('postgres://u@/db?host=/a,/b&port=1,2'), ['/a 1', '/b 2'])
  assert.deepEqual(hosts('postgres://u@/db?host=a,b&port=7'), ['a 7', 'b 7'])
  assert.equal(
    readHosts('postgres://u:p%40@a:1,b/db?sslmode=require&target_session_attrs=read-write')?.withOne,
    'postgres://u:p%40@/db?sslmode=require&host=a&port=1',
  )
})
