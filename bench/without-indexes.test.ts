import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { createDatabase } from '../tests/support/database.ts'
import { withoutIndexes } from './without-indexes.ts'

const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisprimary, indisvalid
  from pg_index where indrelid = any ('{consultas,consultas_other,events,deliveries}'::regclass[]) order by 1`

const TIDIED = `
  select count(*)::int as untidied from pg_class
  where relname ~ '^(consultas_|events$|deliveries$)' and relkind = 'r' and 'autovacuum_enabled=off' = any (reloptions)`

describe('tables that are loaded without their indexes', () => {
  it('have the same ones afterwards, partitions included, and are tidied up again', async () => {
    const database = await createDatabase()
    const client = new pg.Client(database.connection)
    await client.connect()
    try {
      const before = (await client.query(INDEXES)).rows
      let meanwhile: unknown[] = []
      let untidied = 0
      await withoutIndexes(client, ['consultas', 'events', 'deliveries'], async () => {
        meanwhile = (await client.query(INDEXES)).rows
        untidied = (await client.query(TIDIED)).rows[0].untidied
      })
      assert.deepEqual(meanwhile, [])
      assert.deepEqual((await client.query(INDEXES)).rows, before)
      assert.ok(before.length > 10)
      assert.equal(untidied, 3)
      assert.deepEqual((await client.query(TIDIED)).rows, [{ untidied: 0 }])
    } finally {
      await client.end()
      await database.drop()
    }
  })
})
