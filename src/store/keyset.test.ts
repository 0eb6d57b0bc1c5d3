import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createEmptyDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { type Cursor, collect, keysetBy, resultPage, type SortKey } from './keyset.ts'

const NAMES = ['delta', 'alfa', 'charlie', 'alfa', 'bravo', 'alfa', 'echo']
const BY_NAME: SortKey<number> = {
  key: sql`c.nombre`,
  keyOf: (id) => sql`select nombre from cars where id = ${id}`,
}

describe('pages by keyset', () => {
  let database: TestDatabase
  before(async () => {
    database = await createEmptyDatabase()
    await database.store.query(sql`create table cars (id int primary key, nombre text collate "C" not null)`)
    await database.store.query(sql`
      insert into cars select row_number() over (), nombre from unnest(${NAMES}::text[]) as given (nombre)`)
  })
  after(() => database.drop())

  async function find(cursor: Cursor<number>, sort: SortKey<number> | undefined) {
    const { within, order, limit } = keysetBy(sql`c.id`, cursor, sort)
    const rows = await database.store.query<{ id: number }>(sql`
      select c.id from cars c where ${within} order by ${order} limit ${limit}`)
    const { rows: shown, ...page } = resultPage(rows, cursor)
    return { ids: shown.map(({ id }) => id), ...page }
  }

  const orders = [
    ['by id', undefined, [1, 2, 3, 4, 5, 6, 7]],
    ['by a key that rows share', BY_NAME, [2, 4, 6, 5, 3, 1, 7]],
  ] as const
  for (const [name, sort, ids] of orders)
    for (const ascending of [true, false])
      it(`${name}, ${ascending ? 'ascending' : 'descending'}: every row once, to the end and back`, async () => {
        const expected = ascending ? ids : ids.toReversed()
        const next = (shown: number[]) => ({ [ascending ? 'after' : 'before']: shown.at(-1) })
        const previous = (shown: number[]) => ({ [ascending ? 'before' : 'after']: shown[0] })
        const [onward, backward] = ascending ? (['newer', 'older'] as const) : (['older', 'newer'] as const)

        let page = await find({ limit: 3, ascending }, sort)
        const pages = [page]
        assert.equal(page[backward], false)
        while (page[onward]) {
          page = await find({ ...next(page.ids), limit: 3, ascending }, sort)
          assert.equal(page[backward], true)
          pages.push(page)
        }
        assert.deepEqual(
          pages.flatMap((each) => each.ids),
          expected,
        )
        for (const earlier of pages.slice(0, -1).reverse()) {
          page = await find({ ...previous(page.ids), limit: 3, ascending }, sort)
          assert.deepEqual(page.ids, earlier.ids)
          assert.equal(page[onward], true)
        }
        assert.equal(page[backward], false)
      })
})

describe('rows of several pages, for a file', () => {
  interface Found {
    rows: number[]
    older: boolean
    searchedTo?: number
  }
  /** Each page scans two numbers from 1 to 9 and finds the odd one. */
  const calls: unknown[] = []
  const find = async (from = 0, limit: number): Promise<Found> => {
    calls.push([from, limit])
    const page = { rows: [from + 1], older: from < 8 }
    return from < 8 ? { ...page, searchedTo: from + 2 } : page
  }
  beforeEach(() => void calls.splice(0))

  it('reads on to the end of the list', async () => {
    assert.deepEqual(await collect(find, 10), { rows: [1, 3, 5, 7, 9], older: false })
  })

  it('ends with enough rows; each page is asked for those that are missing', async () => {
    assert.deepEqual(await collect(find, 2), { rows: [1, 3], older: true, searchedTo: 4 })
    assert.deepEqual(calls, [
      [0, 2],
      [2, 1],
    ])
    const ofTwo = async (from = 0) => ({ rows: [from, from + 1], searchedTo: from + 2 })
    assert.deepEqual((await collect(ofTwo, 3)).rows, [0, 1, 2], 'also where pages have more')
  })

  it('ends after so many pages, and says where', async () => {
    assert.deepEqual(await collect(find, 10, 3), { rows: [1, 3, 5], older: true, searchedTo: 6 })
  })
})
