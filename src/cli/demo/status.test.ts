import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { readUptime } from '../../status/read.ts'
import { loadStatus, removeStatus } from './status.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const NOW = new Date('2026-05-20T15:40:00Z')
const load = () => loadStatus(database.store, { apps: [], agencias: [], now: NOW })

test('the uptime before a server ran is invented and can be removed; what the server stored stays', async () => {
  const { store } = database
  // Minutes 30 to 39.
  await store.query(sql`
    insert into heartbeats (part, hora, minutes, first_at, last_at)
    select part, '2026-05-20T15:00Z', ((1::bigint << 10) - 1) << 30, '2026-05-20T15:30:10Z', '2026-05-20T15:39:40Z'
    from unnest(array['api', 'entregas']) as part`)
  const stored = () => store.query(sql`select * from heartbeats order by part, hora`)
  const before = await stored()

  const { incidents, until } = await load()
  assert.equal(incidents.length, 4)
  const [api, entregas] = await readUptime(store, NOW, 'UTC')
  const lostOf = (part: typeof api) => part?.days.reduce((sum, { up, of }) => sum + of - up, 0)
  assert.deepEqual([lostOf(api), lostOf(entregas)], [13 + 4, 34])
  assert.ok(api?.days.every(({ of }) => of > 0) && api.works)
  assert.deepEqual((await load()).incidents, [], 'it has a history now')

  await removeStatus(store, until?.toISOString() ?? '')
  assert.deepEqual(await stored(), before)
})
