import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { openStore } from './db.ts'
import { readinessOf } from './health.ts'

const ALL_OK = { database: 'ok', writes: 'ok', disk: 'ok', clock: 'ok' }
const nowMs = () => performance.now()
const clockApart = (seconds: number) => () => new Date(Date.now() + seconds * 1_000)

// A full disk needs a file system of its own: `npm run drill:disk`.
describe('what ready checks', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  it('ok: everything, also with a clock that differs by less than a minute', async () => {
    for (const seconds of [0, -50, 50])
      assert.deepEqual(await readinessOf(database.store, clockApart(seconds), nowMs)(), ALL_OK)
  })

  it('clock: more than a minute apart from the database, either way', async () => {
    for (const seconds of [-70, 70])
      assert.deepEqual(await readinessOf(database.store, clockApart(seconds), nowMs)(), {
        ...ALL_OK,
        clock: "the clock is 70 s apart from the database's: signatures are refused",
      })
  })

  it('ok: calls within half a second share one check', async () => {
    let ms = 0
    const check = readinessOf(database.store, clockApart(0), () => ms)
    const first = check()
    ms = 499
    assert.equal(check(), first)
    ms = 500
    const second = check()
    assert.notEqual(second, first)
    assert.deepEqual(await Promise.all([first, second]), [ALL_OK, ALL_OK])
  })

  it('writes: a database that accepts none', async () => {
    await database.store.query(sql`alter database ${raw(database.name)} set default_transaction_read_only = on`)
    const store = openStore({ connection: database.connection, max: 1 })
    try {
      assert.deepEqual(await readinessOf(store, clockApart(0), nowMs)(), {
        ...ALL_OK,
        writes: 'the database accepts no writes: it is a replica, or read-only',
      })
    } finally {
      await store.close()
    }
  })
})
