import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../tests/support/database.ts'
import { withoutIndexes } from './without-indexes.ts'

const TABLES = ['consultas', 'events', 'deliveries', 'delivery_attempts']
const WITH_PARTS = `('{consultas,consultas_other,${TABLES.slice(1).join()}}'::regclass[])`

const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisprimary, indisvalid
  from pg_index where indrelid = any ${WITH_PARTS} order by 1`

const FOREIGN_KEYS = `
  select conname, pg_get_constraintdef(oid) as definition, convalidated
  from pg_constraint where contype = 'f' and conrelid = any ${WITH_PARTS} order by 1`

const UNTIDIED = `
  select oid::regclass from pg_class where oid = any ${WITH_PARTS} and 'autovacuum_enabled=off' = any (reloptions)`

describe('tables that are loaded without their indexes', () => {
  let database: TestDatabase
  let client: pg.Client
  const ask = async (statement: string): Promise<unknown[]> => (await client.query(statement)).rows
  const look = async () => ({
    indexes: await ask(INDEXES),
    keys: await ask(FOREIGN_KEYS),
    untidied: await ask(UNTIDIED),
  })

  beforeEach(async () => {
    database = await createDatabase()
    client = new pg.Client(database.connection)
    client.on('error', () => undefined) // one test takes it away
    await client.connect()
  })

  afterEach(async () => {
    await client.end()
    await database.drop()
  })

  it('have the same ones afterwards, partitions and foreign keys included, and are tidied up again', async () => {
    const before = await look()
    assert.ok(before.indexes.length > 10 && before.keys.length > 1)
    assert.deepEqual(before.untidied, [])
    await withoutIndexes(client, TABLES, async () => {
      const { indexes, keys, untidied } = await look()
      assert.deepEqual([...indexes, ...keys], [])
      assert.equal(untidied.length, TABLES.length)
    })
    assert.deepEqual(await look(), before)
  })

  it('have them back where loading fails, which is what is told', async () => {
    const before = await look()
    const fails = () => Promise.reject(new Error('the disk is full'))
    await assert.rejects(withoutIndexes(client, TABLES, fails), /the disk is full/)
    assert.deepEqual(await look(), before)
  })

  it('have them back where one of them cannot be taken away', async () => {
    await client.query('create view told_once as select id, app_id from deliveries group by id')
    const before = await look()
    await assert.rejects(
      withoutIndexes(client, TABLES, async () => undefined),
      /deliveries_pkey.* depend on it/,
    )
    assert.deepEqual(await look(), before)
  })

  it('tell what failed, where nothing can be given back because PostgreSQL is gone', async () => {
    const fails = async () => {
      await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
      throw new Error('the disk is full')
    }
    await assert.rejects(withoutIndexes(client, TABLES, fails), /the disk is full/)
  })
})
