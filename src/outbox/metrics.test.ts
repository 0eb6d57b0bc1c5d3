import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { ulid } from '../ulid.ts'
import { MAX_COUNTED, measureOutbox } from './metrics.ts'

/** As in webhooks/handler.ts, which this layer does not import. */
const DELIVERIES = {
  table: 'deliveries',
  queueColumn: 'webhook_id',
  held: sql`exists (select from unnest(array[7]) as paused where paused = row.webhook_id)`,
}

describe('metrics of the outbox', () => {
  let database: TestDatabase
  const registry = new Registry()
  before(async () => {
    database = await createDatabase()
    measureOutbox(registry, database.store, [{ table: 'mails' }, DELIVERIES])
  })
  after(() => database.drop())

  const insert = (webhookId: number, count: number, minutes: number) =>
    database.store.query(sql`
    insert into deliveries (id, app_id, webhook_id, due_at)
    select ${ulid(Date.now()).slice(0, 10)} || upper(substr(md5(${webhookId}::text || nth), 1, 16)), 1, ${webhookId}::int,
      now() - make_interval(mins => ${minutes}::int)
    from generate_series(1, ${count}::int) nth`)
  const read = async (name: string) =>
    Number(new RegExp(`^${name}\\{table="deliveries"\\} (\\S+)$`, 'm').exec(await registry.metrics())?.[1])

  it('the age is that of the oldest due row of any queue that is not held', async () => {
    assert.deepEqual([await read('rodado_outbox_queued'), await read('rodado_outbox_behind_seconds')], [0, 0])
    await insert(3, 2, -5)
    await insert(7, 2, 90)
    assert.deepEqual([await read('rodado_outbox_queued'), await read('rodado_outbox_behind_seconds')], [4, 0])
    await insert(9, 1, 10)
    const seconds = await read('rodado_outbox_behind_seconds')
    assert.ok(seconds >= 600 && seconds < 5_400, String(seconds))
  })

  it('deliveries that all wait for their order have an age, from when they were made', async () => {
    const former = await read('rodado_outbox_behind_seconds')
    await insert(11, 3, 0)
    await database.store.query(sql`
      update deliveries set due_at = 'infinity', created_at = now() - interval '2 hours' where webhook_id = 11`)
    const seconds = await read('rodado_outbox_behind_seconds')
    await database.store.query(sql`update deliveries set due_at = now() where id = (
      select min(id) from deliveries where webhook_id = 11)`)
    assert.ok(seconds >= 7_200 && seconds < 7_800, String(seconds))
    const released = await read('rodado_outbox_behind_seconds')
    assert.ok(released >= former && released < 7_200, 'one that is due counts by its own time')
  })

  it('the depth is counted up to a limit, and estimated beyond it', async () => {
    await insert(1, 2 * MAX_COUNTED, 0)
    await database.store.query(sql`analyze deliveries`)
    const queued = await read('rodado_outbox_queued')
    assert.ok(queued >= MAX_COUNTED && queued < 3 * MAX_COUNTED, String(queued))
  })
})
