import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { openHeartbeat, SLOWER_MS } from './heartbeat.ts'
import { addUpdate, createIncident, findIncident, recentIncidents } from './incidents.ts'
import { readLatency, readUptime } from './read.ts'

const NOW = new Date('2026-03-04T12:30:00Z')
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('status', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  const insert = (part: string, hora: string, minutes: bigint) =>
    database.store.query(sql`
      insert into heartbeats (part, hora, minutes, first_at, last_at)
      values (${part}, ${hora}, ${String(minutes)}, ${hora}, ${hora}::timestamptz + interval '59 minutes')`)

  it('every minute without a heartbeat counts as down since the first one, and earlier days as unknown', async () => {
    const whole = 2n ** 60n - 1n
    await insert('api', '2026-03-03T22:00:00Z', whole)
    await insert('api', '2026-03-03T23:00:00Z', 0b111n) // then nothing ran until 12:00
    await insert('api', '2026-03-04T12:00:00Z', 2n ** 30n - 1n)
    const [api, entregas] = await readUptime(database.store, NOW, 'UTC')
    assert.equal(api?.days.length, 90)
    assert.deepEqual(api?.days.at(-3), { dia: '2026-03-02', up: 0, of: 0 })
    assert.deepEqual(api?.days.at(-2), { dia: '2026-03-03', up: 63, of: 120 })
    assert.deepEqual(api?.days.at(-1), { dia: '2026-03-04', up: 30, of: 12 * 60 + 28 })
    assert.deepEqual([entregas?.works, entregas?.days], [false, []])
    const later = await readUptime(database.store, new Date('2026-03-04T13:05:00Z'), 'UTC')
    assert.equal(later[0]?.works, false, 'its last sign is six minutes old')
  })

  it('a process stores its minutes and the latency of its deliveries, and several add up', async () => {
    await database.store.query(sql`delete from heartbeats`)
    const [one, other] = (['api', 'entregas'] as const).map((part) =>
      openHeartbeat({ db: database.store, log: SILENT, parts: [part] }),
    )
    for (const ms of [20, 80, 400]) one?.delivered(ms)
    other?.delivered(3_000)
    await Promise.all([one?.beat(), other?.beat()])
    await one?.beat()
    other?.delivered(90_000_000)
    await Promise.all([one?.stop(), other?.stop()])

    const now = await database.store.query<{ now: Date }>(sql`select now()`)
    const at = new Date((now[0]?.now ?? NOW).getTime() + 1_000)
    const parts = await readUptime(database.store, at, 'UTC')
    assert.deepEqual(
      parts.map(({ works }) => works),
      [true, true],
    )
    const [latency] = await readLatency(database.store, at, [24])
    assert.deepEqual(latency, { hours: 24, deliveries: 5, p50: 500, p95: SLOWER_MS, p99: SLOWER_MS })
  })

  it('an incident has its updates, the newest first, and ends with the one that says so', async () => {
    const { store } = database
    const given = { titulo: 'Demoras', impacto: 'menor', estado: 'investigando', texto: 'Hay demoras.' } as const
    const id = (await createIncident(store, given, 0)) ?? assert.fail()
    await addUpdate(store, id, { estado: 'resuelto', texto: 'Ya no.' })
    assert.equal(await createIncident(store, given, 0), undefined, 'a form that is sent twice')
    const ended = await findIncident(store, id)
    assert.ok(ended?.hasta)
    assert.deepEqual(
      ended.updates.map(({ estado }) => estado),
      ['resuelto', 'investigando'],
    )
    await addUpdate(store, id, { estado: 'observando', texto: 'Volvió.' })
    const [recent] = await recentIncidents(store, 90, 10)
    assert.deepEqual([recent?.id, recent?.hasta], [id, null])
  })
})
