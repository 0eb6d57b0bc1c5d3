import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { createDatabase } from '../tests/support/database.ts'
import { withoutIndexes } from './without-indexes.ts'

const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisprimary, indisvalid
  from pg_index where indrelid = any ('{consultas,consultas_other,events,deliveries}'::regclass[]) order by 1`

describe('tables that are loaded without their indexes', () => {
  it('have the same ones afterwards, partitions included', async () => {
    const database = await createDatabase()
    const client = new pg.Client(database.connection)
    await client.connect()
    try {
      const before = (await client.query(INDEXES)).rows
      let meanwhile: unknown[] = []
      await withoutIndexes(client, ['consultas', 'events', 'deliveries'], async () => {
        meanwhile = (await client.query(INDEXES)).rows
      })
      assert.deepEqual(meanwhile, [])
      assert.deepEqual((await client.query(INDEXES)).rows, before)
      assert.ok(before.length > 10)
    } finally {
      await client.end()
      await database.drop()
    }
  })
})
