import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../tests/support/database.ts'
import { changedSince, type Fingerprint, rowsOf, takeFingerprint } from './fingerprint.ts'

describe('upgrade: fingerprint of the rows', () => {
  let database: TestDatabase
  let fingerprint: Fingerprint
  before(async () => {
    database = await createDatabase()
    await database.store.query(sql`create table cosas (id int, que text)`)
    await database.store.query(sql`insert into cosas values (1, 'una'), (2, 'otra'), (2, 'otra')`)
    fingerprint = await takeFingerprint(database.store)
  })
  after(() => database.drop())

  /** The changes seen after these statements, which are then rolled back. */
  async function seenAfter(...changes: Parameters<TestDatabase['store']['query']>[0][]) {
    const undone = new Error('undone')
    let seen: Awaited<ReturnType<typeof changedSince>> = []
    await database.store
      .transaction(async (tx) => {
        for (const change of changes) await tx.query(change)
        seen = await changedSince({ ...database.store, query: tx.query }, fingerprint)
        throw undone
      })
      .catch((error) => assert.equal(error, undone))
    return seen
  }

  it('covers every row of every table', () => {
    assert.equal(fingerprint.get('cosas')?.digests.length, 3)
    assert.ok(rowsOf(fingerprint) > 3, 'migrations too')
  })

  it('ignores added rows and columns', async () => {
    assert.deepEqual(
      await seenAfter(sql`insert into cosas values (3, 'más')`, sql`alter table cosas add column nueva int default 7`),
      [],
    )
  })

  it('counts changed and deleted rows by table', async () => {
    assert.deepEqual(await seenAfter(sql`update cosas set que = 'distinta' where id = 1`), [
      { table: 'cosas', rows: 1, of: 3 },
    ])
    assert.deepEqual(await seenAfter(sql`delete from cosas where ctid = (select max(ctid) from cosas)`), [
      { table: 'cosas', rows: 1, of: 3 },
    ])
    assert.deepEqual(await seenAfter(sql`delete from cosas`), [{ table: 'cosas', rows: 3, of: 3 }])
  })
})
