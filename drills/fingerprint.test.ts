import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../tests/support/database.ts'
import { changedSince, type Fingerprint, rowsOf, takeFingerprint } from './fingerprint.ts'

describe('upgrade: rows of before', () => {
  let database: TestDatabase
  let fingerprint: Fingerprint
  before(async () => {
    database = await createDatabase()
    await database.store.query(sql`create table cosas (id int, que text)`)
    await database.store.query(sql`insert into cosas values (1, 'una'), (2, 'otra'), (2, 'otra')`)
    fingerprint = await takeFingerprint(database.store)
  })
  after(() => database.drop())

  /** What is seen after that, which is then undone. */
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

  it('every row of every table is remembered', () => {
    assert.equal(fingerprint.get('cosas')?.digests.length, 3)
    assert.ok(rowsOf(fingerprint) > 3, 'migrations too')
  })

  it('what is added, a row or a column, changes nothing', async () => {
    assert.deepEqual(
      await seenAfter(sql`insert into cosas values (3, 'más')`, sql`alter table cosas add column nueva int default 7`),
      [],
    )
  })

  it('rows that are changed or gone are counted as rows, by table', async () => {
    assert.deepEqual(await seenAfter(sql`update cosas set que = 'distinta' where id = 1`), [
      { table: 'cosas', rows: 1, of: 3 },
    ])
    assert.deepEqual(await seenAfter(sql`delete from cosas where ctid = (select max(ctid) from cosas)`), [
      { table: 'cosas', rows: 1, of: 3 },
    ])
    assert.deepEqual(await seenAfter(sql`delete from cosas`), [{ table: 'cosas', rows: 3, of: 3 }])
  })
})
