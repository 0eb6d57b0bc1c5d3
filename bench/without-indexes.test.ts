import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../tests/support/database.ts'
import { withoutIndexes } from './without-indexes.ts'

const TABLES = ['consultas', 'events', 'deliveries']

const WITH_PARTS = `('{consultas,consultas_other,events,deliveries}'::regclass[])`
const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisprimary, indisvalid
  from pg_index where indrelid = any ${WITH_PARTS} order by 1`

const FOREIGN_KEYS = `
  select conname, pg_get_constraintdef(oid) as definition, convalidated
  from pg_constraint where contype = 'f' and conrelid = any ${WITH_PARTS} order by 1`

const UNTIDIED = `
  select relname from pg_class
  where relname ~ '^(consultas_|events$|deliveries$)' and relkind = 'r' and 'autovacuum_enabled=off' = any (reloptions)`

describe('tables that are loaded without their indexes', () => {
  let database: TestDatabase
  let client: pg.Client
  const ask = async (statement: string): Promise<unknown[]> => (await client.query(statement)).rows

  before(async () => {
    database = await createDatabase()
    client = new pg.Client(database.connection)
    await client.connect()
  })

  after(async () => {
    await client.end()
    await database.drop()
  })

  it('have the same ones afterwards, partitions and foreign keys included, and are tidied up again', async () => {
    const [indexes, keys] = [await ask(INDEXES), await ask(FOREIGN_KEYS)]
    assert.ok(indexes.length > 10 && keys.length > 1)
    await withoutIndexes(client, TABLES, async () => {
      assert.deepEqual(await ask(INDEXES), [])
      assert.deepEqual(await ask(FOREIGN_KEYS), [])
      assert.equal((await ask(UNTIDIED)).length, 3)
    })
    assert.deepEqual(await ask(INDEXES), indexes)
    assert.deepEqual(await ask(FOREIGN_KEYS), keys)
    assert.deepEqual(await ask(UNTIDIED), [])
  })

  it('have them back where loading fails, which is what is told', async () => {
    const indexes = await ask(INDEXES)
    const fails = () => Promise.reject(new Error('the disk is full'))
    await assert.rejects(withoutIndexes(client, TABLES, fails), /the disk is full/)
    assert.deepEqual(await ask(INDEXES), indexes)
    assert.deepEqual(await ask(UNTIDIED), [])
  })
})
