import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createEmptyDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { firstUlid, ulid } from '../ulid.ts'
import { createLogMonths, maintainLog } from '../webhooks/sweep.ts'
import { MIGRATIONS_DIR, migrate, migrationNames } from './migrate.ts'
import { createMonths } from './partitions.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const DAY_MS = 86_400_000

describe('the log of an earlier version', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createEmptyDatabase()
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'migrations-'))
    await migrateTo('0031')
    await database.store.query(sql`insert into apps (app_key, nombre, modo) values (${'a'.repeat(32)}, 'x', 'prueba')`)
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** The version that had migrations up to this one. */
  async function migrateTo(last: string): Promise<string[]> {
    const dir = join(folder, last)
    await mkdir(dir)
    for (const name of await migrationNames())
      if (name.slice(0, 4) <= last) await copyFile(join(MIGRATIONS_DIR, `${name}.sql`), join(dir, `${name}.sql`))
    return migrate(database.connection, { dir })
  }
  async function insert(id: string): Promise<void> {
    await database.store.query(sql`
      with event as (insert into events (id, app_id, topic, payload) values (${id}, 1, 'x', '{}')),
        delivery as (insert into deliveries (id, app_id) values (${id}, 1))
      insert into delivery_attempts (delivery_id, at, ms) values (${id}, now(), 1)`)
  }
  const tables = () =>
    database.store.query<{ id: string; table: string }>(sql`
      select e.id, e.tableoid::regclass::text as table from events e
      join deliveries d using (id) join delivery_attempts a on a.delivery_id = e.id order by e.position`)

  it('becomes partitioned while rows are written, in steps that can be interrupted; nothing is copied or lost', async () => {
    const now = new Date()
    const written = [ulid(now.getTime() - 80 * DAY_MS), ulid(now.getTime()), ulid(Date.parse('2100-01-01'))]
    for (const id of written) await insert(id)
    const [{ oid } = { oid: 0 }] = await database.store.query<{ oid: number }>(
      sql`select 'events'::regclass::oid as oid`,
    )

    let migrated = false
    const writing = (async () => {
      while (!migrated) {
        const id = ulid(Date.now())
        await insert(id)
        written.push(id)
      }
    })()
    assert.deepEqual((await migrateTo('0033')).length, 2)
    assert.deepEqual((await migrateTo('0036')).length, 3)
    migrated = true
    await writing
    await insert(ulid(Date.now()))

    const stored = await tables()
    assert.deepEqual(new Set(stored.slice(0, -1).map(({ id }) => id)), new Set(written))
    const place = (id: string | undefined) => stored.find((row) => row.id === id)?.table ?? ''
    assert.match(place(written[0]), /^events_until_\d{4}_\d\d$/)
    assert.equal(place(written[2]), 'events_other', 'what a wrong clock made')
    assert.match(stored.at(-1)?.table ?? '', /^events_until_/, 'a row written after it, with the next position')
    const [{ until } = { until: 0 }] = await database.store.query<{ until: number }>(sql`
      select ${place(written[0])}::regclass::oid as until`)
    assert.equal(until, oid, 'the table is the one it was')
  })

  it('has no months of its own until the bound, then one for each; the former table is dropped after 90 days more', async () => {
    const [table] = (await tables()).map((row) => row.table)
    const bound = new Date(`${table?.slice(-7).replace('_', '-')}-01T00:00:00Z`)
    const late = ulid(bound.getTime())
    await insert(late)
    await assert.rejects(createMonths(database.store, 'events', bound, 0, 0), /quiet hour/, 'not while requests wait')
    assert.equal((await tables()).find(({ id }) => id === late)?.table, 'events_other')
    const made = await createLogMonths(database.store, new Date(bound.getTime() - 40 * DAY_MS))
    assert.deepEqual(
      made.filter((name) => name.startsWith('events')),
      [`events_${table?.slice(-7)}`, 'events_2100_01'],
      'of rows in the default partition',
    )
    assert.equal((await tables()).find(({ id }) => id === late)?.table, `events_${table?.slice(-7)}`)

    const { store } = database
    await maintainLog({ store, log: silent }, new Date(bound.getTime() + 89 * DAY_MS))
    assert.equal((await tables())[0]?.table, table)
    await maintainLog({ store, log: silent }, new Date(bound.getTime() + 90 * DAY_MS))
    assert.deepEqual(
      (await tables()).map(({ id }) => id).filter((id) => id < firstUlid(bound)),
      [],
    )
  })
})
