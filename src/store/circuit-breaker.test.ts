import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, it, test } from 'node:test'
import pg from 'pg'
import sql from 'sql-template-tag'
import { asAdmin, createDatabase, type TestDatabase, testServer } from '../../tests/support/database.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../../tests/support/database-proxy.ts'
import { until } from '../../tests/support/until.ts'
import { createCircuitBreaker, isUnavailable } from './circuit-breaker.ts'
import { openStore } from './db.ts'
import type { Connection } from './failover.ts'
import { newClient, readHosts } from './failover.ts'

const AT_ONCE_MS = 500
const MANY = 100

let database: TestDatabase
let proxies: DatabaseProxy[]
before(async () => {
  database = await createDatabase()
  proxies = [await openDatabaseProxy(database.connection), await openDatabaseProxy(database.connection)]
})
after(async () => {
  for (const proxy of proxies) await proxy.close()
  await database.drop()
})

const one = sql`select 1 as one`

const asRole = (connection: Connection, role: string): Connection =>
  connection.connectionString
    ? { connectionString: connection.connectionString.replace(/\/\/[^@/]*@/, `//${role}:${role}@`) }
    : { ...connection, user: role, password: role }

// Beside each other: most of their time is waiting for what does not come.
describe('circuit breaker', { concurrency: true }, () => {
  it('a network that swallows everything: what waits is let go, the rest refused at once, then all is well', async () => {
    const [proxy] = proxies
    assert.ok(proxy)
    const store = openStore({ connection: proxy.connection, max: 4 })
    await Promise.all(Array.from({ length: 4 }, () => store.query(one)))
    proxy.stall()
    const began = performance.now()
    const outcomes = await Promise.allSettled(Array.from({ length: MANY }, () => store.query(one)))
    assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason)))
    assert.ok(performance.now() - began < 20_000, 'long before each question would have timed out')
    const refusedSoon = async () => {
      const began = performance.now()
      const error = await store.query(one).catch((reason) => reason)
      return isUnavailable(error) && performance.now() - began < AT_ONCE_MS
    }
    await until(refusedSoon)
    await assert.rejects(
      store.transaction((tx) => tx.query(one)),
      isUnavailable,
    )
    proxy.restore()
    await until(() =>
      store.query(one).then(
        () => true,
        () => false,
      ),
    )
    assert.equal((await Promise.all(Array.from({ length: MANY }, () => store.query(one)))).length, MANY)
    await store.close()
  })

  it('after a silence no statement gets a connection that was idle meanwhile', async (t) => {
    const proxy = await openDatabaseProxy(database.connection)
    t.after(() => proxy.close())
    const logged: string[] = []
    const log = { info: (_: unknown, text?: string) => void logged.push(String(text)), warn: () => undefined }
    const store = openStore({ connection: proxy.connection, max: 4, log: { ...log, error: () => undefined } })
    t.after(() => store.close())
    const queries = () => Promise.all(Array.from({ length: 4 }, () => store.query(one)))
    await queries()
    proxy.stall()
    await assert.rejects(store.query(one), isUnavailable)
    proxy.restore()
    await until(() => logged.some((text) => /answers again/.test(text)))
    assert.equal((await queries()).length, 4)
  })

  it('a statement that takes its time is no silence', async () => {
    const store = openStore({ connection: database.connection, max: 1 })
    assert.deepEqual(await store.query(sql`select 1 as one from pg_sleep(4)`), [{ one: 1 }])
    await store.close()
  })

  it('a server that has no connection left for the question has answered: what runs there is not cut', async () => {
    const role = `narrow_${randomBytes(4).toString('hex')}`
    const server = testServer()
    await asAdmin(server, `create role ${role} login password '${role}' connection limit 1`)
    const errors: unknown[] = []
    const log = { info: () => undefined, warn: () => undefined, error: (said: unknown) => void errors.push(said) }
    const store = openStore({ connection: asRole(database.connection, role), max: 1, log })
    try {
      assert.deepEqual(await store.query(sql`select 1 as one from pg_sleep(6)`), [{ one: 1 }])
      assert.deepEqual(errors, [])
    } finally {
      await store.close()
      await until(() =>
        asAdmin(server, `drop role ${role}`).then(
          () => true,
          () => false,
        ),
      )
    }
  })

  it('of several servers that are asked, one that answers is enough', async () => {
    const refusal = (code: string) => Object.assign(new pg.DatabaseError(code, 0, 'error'), { code })
    const lost = Object.assign(new Error('lost'), { code: 'ECONNREFUSED' })
    const isGivenUp = async (error: Error) => {
      let [now, looks, givenUp] = [0, 0, false]
      const probe = async () => {
        looks++
        throw error
      }
      const giveUp = () => {
        givenUp = true
      }
      const nowMs = () => (now += 2_000) // silence, whenever one looks
      const breaker = createCircuitBreaker({ probe, giveUp, nowMs })
      void breaker.watch(() => new Promise(() => undefined))
      await until(() => looks > 2)
      breaker.stop()
      return givenUp
    }
    const cases: [Error, boolean][] = [
      [refusal('53300'), false],
      [refusal('28P01'), false],
      [refusal('57P03'), true],
      [refusal('08006'), true],
      [lost, true],
      [new AggregateError([lost, refusal('25006')]), true],
      [new AggregateError([refusal('53300'), refusal('25006')]), false],
    ]
    const outcomes = await Promise.all(cases.map(([error]) => isGivenUp(error)))
    assert.deepEqual(
      outcomes,
      cases.map(([, givenUp]) => givenUp),
    )
  })

  it('a probe without an answer is waited for by checks, and a query that is answered meanwhile begins them anew', async () => {
    let [now, clockReads, givenUp] = [0, 0, 0]
    const answers: (() => void)[] = []
    const probes: AbortSignal[] = []
    const breaker = createCircuitBreaker({
      probe: (signal) => {
        probes.push(signal)
        return new Promise(() => undefined)
      },
      giveUp: () => void givenUp++,
      nowMs: () => {
        clockReads++
        return now
      },
    })
    const ask = () => breaker.watch(() => new Promise<void>((resolve) => void answers.push(resolve)))
    const slow = [ask(), ask()]
    now += 2_000
    await until(() => probes.length === 1)
    now += 60_000 // the process did not run for a minute: one check, not many
    const read = clockReads
    await until(() => clockReads > read + 1)
    assert.deepEqual([givenUp, probes[0]?.aborted], [0, false])
    answers[0]?.()
    await slow[0]
    now += 2_000
    await until(() => givenUp > 0)
    assert.equal(probes[0]?.aborted, true)
    breaker.stop()
  })

  it('a failure that was followed by answers counts no more', async () => {
    let [now, clockReads, looks, givenUp] = [0, 0, 0, 0]
    const answers: (() => void)[] = []
    const breaker = createCircuitBreaker({
      async probe() {
        looks++
        answers.shift()?.()
        throw new Error('timeout expired')
      },
      giveUp: () => void givenUp++,
      nowMs: () => {
        clockReads++
        return now
      },
    })
    const ask = () => breaker.watch(() => new Promise<void>((resolve) => void answers.push(resolve)))
    const queries = [ask(), ask(), ask()]
    for (const [at, answered] of queries.slice(0, 2).entries()) {
      now += 2_000
      await answered
      assert.deepEqual([looks, givenUp], [at + 1, 0])
      const read = clockReads
      await until(() => clockReads > read) // a look at which all is well
    }
    answers.length = 0
    now += 2_000
    await until(() => givenUp > 0)
    assert.equal(looks, 4, 'two in a row')
    breaker.stop()
  })
})

const portOf = ({ connection: { port, connectionString = '' } }: DatabaseProxy): number =>
  port ?? Number(new URL(connectionString).port)

/** A URL of the database that names these ports of this machine, in their order. */
function urlWith(ports: number[]): string {
  const { user, database: name } = database.connection
  const url = new URL(proxies[1]?.connection.connectionString ?? 'postgres://localhost')
  const userinfo = user ?? (url.password ? `${url.username}:${url.password}` : url.username)
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  return `postgres://${userinfo}@${hosts}/${name ?? url.pathname.slice(1)}?target_session_attrs=read-write`
}

test('hosts: of several that take writes the first of the address is used by all, however late it answers', async () => {
  const [first, second] = proxies
  assert.ok(first && second)
  const ports = proxies.map(portOf)
  const connectionString = `${urlWith(ports)}&application_name=order` // an address that nobody has looked at yet
  const clients = [1, 2, 3].map(() => newClient({ connectionString }, {}))
  first.stall()
  const connecting = clients.map((client) => client.connect())
  for (let nth = 0; nth < 3; nth++) {
    const beside = newClient(second.connection, {})
    await beside.connect() // as long as it takes the second to say that it takes writes
    await beside.query('select')
    await beside.end()
  }
  first.restore()
  await Promise.all(connecting)
  assert.deepEqual(
    clients.map(({ port }) => port),
    clients.map(() => ports[0]),
  )
  for (const client of clients) await client.end()
})

test('hosts: of several the one that answers is used, and another when it is lost', async () => {
  const [first, second] = proxies
  assert.ok(first && second)
  first.cut()
  const connectionString = urlWith(proxies.map(portOf))
  const store = openStore({ connection: { connectionString }, max: 2 })
  const query = () => store.query(one)
  assert.deepEqual(await query(), [{ one: 1 }])
  first.restore()
  second.cut()
  await until(() =>
    query().then(
      () => true,
      (error) => {
        assert.ok(isUnavailable(error), String(error))
        return false
      },
    ),
  )
  first.cut()
  const none = async () => isUnavailable(await query().catch((error) => error))
  await until(none)
  await store.close()
})

test('hosts: one that hangs after the login is passed over before the pool gives up', async (t) => {
  const loggedIn = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')
  const hanging = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(loggedIn))
  }).listen(0, '127.0.0.1')
  t.after(() => hanging.close())
  await once(hanging, 'listening')
  const proxy = await openDatabaseProxy(database.connection)
  t.after(() => proxy.close())
  const connectionString = urlWith([(hanging.address() as AddressInfo).port, portOf(proxy)])
  const store = openStore({ connection: { connectionString }, max: 1 })
  t.after(() => store.close())
  const queries = [store.query(one), store.query(one)] // the second waits for the connection of the first
  assert.deepEqual(await Promise.all(queries), [[{ one: 1 }], [{ one: 1 }]])
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
