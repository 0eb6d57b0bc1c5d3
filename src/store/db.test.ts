import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import sql from 'sql-template-tag'
import { asAdmin, createDatabase, type TestDatabase, testServer } from '../../tests/support/database.ts'
import { isUnavailable } from './circuit-breaker.ts'
import { type Db, openStore } from './db.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
  await database.store.query(sql`create table facts (id bigint primary key, at timestamptz not null default now())`)
})
after(() => database.drop())

test('rows: int8 is a number and timestamptz a Date', async () => {
  const [row] = await database.store.query<{ id: number; at: Date }>(
    sql`insert into facts (id) values (${7}) returning *`,
  )
  assert.equal(row?.id, 7)
  assert.ok(row?.at instanceof Date)
})

test('transaction: what fails leaves nothing behind, and its connection serves again', async () => {
  const failing = database.store.transaction(async (tx) => {
    await tx.query(sql`insert into facts (id) values (100)`)
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  const [row] = await database.store.query<{ n: number }>(sql`select count(*) as n from facts where id = 100`)
  assert.equal(row?.n, 0)
})

test('transaction: an error that the work swallowed is not taken for a commit', async () => {
  const swallowing = database.store.transaction(async (tx) => {
    await tx.query(sql`insert into facts (id) values (101)`)
    await tx.query(sql`select 1 / 0`).catch(() => undefined)
  })
  await assert.rejects(swallowing, /rolled back/)
})

test('transaction: a connection that is cut in the middle is not used again', async () => {
  const store = openStore({ connection: database.connection, max: 1 })
  const cut = store.transaction((tx) => tx.query(sql`select pg_terminate_backend(pg_backend_pid())`))
  await assert.rejects(cut, (error) => isUnavailable(error))
  const cutIdle = store.transaction(async (tx) => {
    const [me] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.store.query(sql`select pg_terminate_backend(${me?.pid})`)
    await tx.query(sql`select 1`)
  })
  await assert.rejects(cutIdle, (error) => isUnavailable(error))
  assert.deepEqual(await store.query(sql`select 1 as one`), [{ one: 1 }])
  await store.close()
})

test('a query over its time limit fails as unavailable, its transaction is rolled back, and the next query works', async () => {
  const store = openStore({ connection: database.connection, max: 1, statementTimeoutMs: 500 })
  const forever = sql`select pg_sleep(600)`
  await assert.rejects(store.query(forever), (error) => isUnavailable(error))
  const later = store.transaction(async (tx) => {
    await tx.query(sql`insert into facts (id) values (102)`)
    await tx.query(forever)
  })
  await assert.rejects(later, (error) => isUnavailable(error))
  assert.deepEqual(await store.query(sql`select count(*) as n from facts where id = 102`), [{ n: 0 }])
  await store.close()
})

test('a wait for a lock over its time limit fails as unavailable, and the connection serves on', async () => {
  const store = openStore({ connection: database.connection, max: 1, lockTimeoutMs: 100 })
  const pid = sql`select pg_backend_pid() as pid`
  const before = await store.query(pid)
  await database.store.transaction(async (tx) => {
    await tx.query(sql`lock table facts`)
    const waiting = store.transaction((other) => other.query(sql`insert into facts (id) values (103)`))
    await assert.rejects(waiting, (error: NodeJS.ErrnoException) => error.code === '55P03' && isUnavailable(error))
  })
  assert.deepEqual(await store.query(pid), before)
  await store.close()
})

test('a value that cannot be serialised fails its own query alone: the process lives, and the next query works', async () => {
  const store = openStore({ connection: database.connection, max: 1 })
  const unsendable = sql`select ${{ n: 1n }}`
  await assert.rejects(store.query(unsendable), (error) => !isUnavailable(error))
  await assert.rejects(
    store.transaction((tx) => tx.query(unsendable)),
    (error) => !isUnavailable(error),
  )
  assert.deepEqual(await store.query(sql`select 1 as one`), [{ one: 1 }])
  await store.close()
})

test('the stack of an error shows who called', async () => {
  const wrong = sql`select 1 / 0`
  const shown = ({ stack }: Error) => /\bdivideByZero\b/.test(stack ?? '')
  async function divideByZero(db: Db) {
    await db.query(wrong)
  }
  await assert.rejects(divideByZero(database.store), shown)
  await assert.rejects(
    database.store.transaction((tx) => divideByZero(tx)),
    shown,
  )
})

test('withLock: transactions with one key hold one connection, so that others are served while they wait for one another', async () => {
  const store = openStore({ connection: database.connection, max: 2 })
  const done: number[] = []
  let begun = () => {}
  const first = new Promise<void>((resolve) => {
    begun = resolve
  })
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = (at: number) => async () => {
    if (at === 0) begun()
    if (at === 0) await ended
    done.push(at)
    if (at === 1) throw new Error('no')
  }
  const many = Array.from({ length: 10 }, (_, at) => store.withLock('one', work(at)))
  const outcomes = Promise.allSettled(many)
  await first
  assert.deepEqual(await store.query(sql`select 1 as one`), [{ one: 1 }])
  await store.withLock('another', (tx) => tx.query(sql`select 1`))
  assert.deepEqual(done, [])
  end()
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'rejected', ...Array(8).fill('fulfilled')],
  )
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await store.close()
})

test('unavailable: a server that is not there, by socket, port and name', async () => {
  for (const connectionString of ['postgres://u@127.0.0.1:1/x', 'postgres://u@nowhere.invalid/x']) {
    const store = openStore({ connection: { connectionString }, max: 1 })
    await assert.rejects(store.ping(), (error) => isUnavailable(error))
    await store.close()
  }
  const store = openStore({ connection: { host: '/nonexistent', user: 'u', database: 'x' }, max: 1 })
  await assert.rejects(store.ping(), (error) => isUnavailable(error))
  await store.close()
})

test('unavailable: a server that does not admit the role any more', async () => {
  const role = `left_${randomBytes(4).toString('hex')}`
  const server = testServer()
  await asAdmin(server, `create role ${role} login password 'x'`)
  const { connectionString, ...parts } = database.connection
  const { host, port, database: name } = new pg.Client(connectionString ?? parts)
  const store = openStore({ connection: { host, port, database: name, user: role, password: 'x' }, max: 1 })
  try {
    await store.ping()
    await asAdmin(server, `alter role ${role} nologin`)
    await asAdmin(server, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
    await assert.rejects(store.ping(), isUnavailable)
    await assert.rejects(store.ping(), (error: { code?: string }) => error.code === '28000' && isUnavailable(error))
  } finally {
    await store.close()
    await asAdmin(server, `drop role ${role}`)
  }
})

test('unavailable: faults of ours are not', async () => {
  await assert.rejects(database.store.query(sql`select 1 / 0`), (error) => !isUnavailable(error))
  assert.equal(isUnavailable(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })), false)
  const away = ['08006', '28P01', '57P01', '57P03', '53300', '53100', '25006', '57014', '55P03', 'ECONNRESET', 'EPIPE']
  for (const code of away) {
    assert.equal(isUnavailable(Object.assign(new Error('x'), { code })), true, code)
  }
  for (const code of ['23505', '42P01', '40001']) {
    assert.equal(isUnavailable(Object.assign(new Error('x'), { code })), false, code)
  }
})
