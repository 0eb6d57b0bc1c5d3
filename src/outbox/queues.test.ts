import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { until } from '../../tests/support/until.ts'
import { openStore } from '../store/db.ts'
import { type Listener, openListener } from '../store/listener.ts'
import type { Handler, Outcome, QueueLimits } from './handler.ts'
import { type Claimed, dueQueues, settle } from './outbox.ts'
import { openQueues } from './queues.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

const HOUR_MS = 3_600_000
const TABLE = { table: 'parcels', id: 'text', queueColumn: 'street' } as const
const admitAll: QueueLimits['admit'] = async (_store, queues) => new Map(queues.map((queue) => [queue, 1_000]))
const LIMITS: QueueLimits = { inFlight: 2, prefetch: { queue: 8, all: 20 }, admit: admitAll }

describe('a table with queues', () => {
  const log = pino({ level: 'silent' })
  let database: TestDatabase
  let listener: Listener
  let running: Worker[] = []

  before(async () => {
    database = await createDatabase()
    await database.store.query(sql`
      create table parcels (
        id text primary key, street int,
        estado text not null default 'pendiente', attempts int not null default 0, due_at timestamptz not null default now(),
        leased_until timestamptz, lease text, last_error text, settled_at timestamptz)`)
    await database.store.query(sql`create index on parcels (street, due_at) where estado = 'pendiente'`)
    listener = openListener({ connection: database.connection, log })
    await until(() => listener.freshSince() > 0)
  })
  beforeEach(() => {
    running = []
  })
  afterEach(async () => {
    for (const worker of running) await worker.stop()
    await database.store.query(sql`truncate parcels`)
  })
  after(async () => {
    await listener.close()
    await database.drop()
  })

  function work(
    deliver: Handler['deliver'],
    limits: Partial<QueueLimits> = {},
    timing: WorkerOptions['timing'] = {},
  ): Worker {
    const handler: Handler = {
      ...TABLE,
      columns: sql`row.estado`,
      inFlight: 5,
      queues: { ...LIMITS, ...limits },
      schedule: [60, 300],
      deliver,
    }
    const deps = { store: database.store, listener, log, random: () => 0.5 }
    const worker = startWorker({ ...deps, handlers: [handler], timing: { pollMs: HOUR_MS, ...timing } })
    running.push(worker)
    return worker
  }

  /** So many parcels for each street, named for it. */
  async function put(streets: Record<number, number>): Promise<void> {
    for (const [street, count] of Object.entries(streets)) {
      await database.store.query(sql`
        insert into parcels (id, street) select ${street} || '-' || n, ${Number(street)}::int
        from generate_series(1, ${count}) n`)
      database.store.notify(`parcels:${street}`)
    }
  }

  const inStreet = (street: number, estado: string) =>
    database.store.query<{ id: string; attempts: number; leased: boolean; wait: number }>(sql`
      select id, attempts, lease is not null as leased, extract(epoch from due_at - now())::float8 as wait
      from parcels where street = ${street} and estado = ${estado} order by id`)
  const count = async (street: number, estado: string) => (await inStreet(street, estado)).length
  const delivered = async (): Promise<Outcome> => ({ kind: 'delivered' })
  const pending = () => new Promise<Outcome>(() => undefined)

  it('delivers a queue that it is notified of, and what else was due when it started', async () => {
    await put({ 7: 3 })
    work(delivered)
    await until(async () => (await count(7, 'entregada')) === 3)
    await put({ 8: 30 })
    await until(async () => (await count(8, 'entregada')) === 30)
  })

  it('takes new rows again after a queue with a backlog was emptied while it was not admitted', async () => {
    let admits = true
    const admit: QueueLimits['admit'] = async (_, queues) => new Map(admits ? queues.map((queue) => [queue, 8]) : [])
    const worker = work(
      async () => {
        admits = false
        return { kind: 'delivered' }
      },
      { admit },
      { pollMs: 20 },
    )
    await put({ 4: 50 })
    await until(async () => !admits && (await count(4, 'entregada')) > 0 && worker.inFlight('parcels') === 0)
    assert.equal(worker.directCapacity('parcels', 4), 0)
    await database.store.query(sql`delete from parcels`)
    await until(() => worker.directCapacity('parcels', 4) > 0)
  })

  it('finds every queue in which something is due, and no other', async () => {
    await put({ 3: 2, 5: 1, 9: 4 })
    await database.store.query(sql`update parcels set due_at = now() + interval '1 hour' where street = 5`)
    await database.store.query(sql`update parcels set estado = 'entregada' where street = 9 and id <> '9-2'`)
    await database.store.query(sql`insert into parcels (id) values ('nowhere')`)
    assert.deepEqual(await dueQueues(database.store, TABLE), [3, 9])
  })

  it('a queue that hangs delays no other, and takes no more than its own slots', async () => {
    await put({ 1: 50, 2: 40, 3: 40 })
    const worker = work(({ queue }) => (queue === 1 ? pending() : delivered()), {}, { drainMs: 0, pollMs: 20 })
    await until(async () => (await count(2, 'entregada')) === 40 && (await count(3, 'entregada')) === 40)
    assert.equal(worker.inFlight('parcels'), 2)
    await worker.stop()
    const left = await inStreet(1, 'pendiente')
    assert.ok(left.length === 50 && left.every(({ attempts, leased }) => attempts === 0 && !leased), 'all given back')
  })

  it('claims from a queue what its handler admits, and nothing from one that is closed', async () => {
    await put({ 1: 9, 2: 9, 3: 9 })
    let open = true
    const admit: QueueLimits['admit'] = async () => {
      const admitted = open ? new Map([[1, 4]]) : new Map()
      open = false
      return admitted.set(3, 100)
    }
    work(delivered, { admit })
    await until(async () => (await count(3, 'entregada')) === 9 && (await count(1, 'entregada')) >= 2)
    for (const worker of running) await worker.stop()
    assert.ok((await count(1, 'entregada')) <= 4)
    assert.equal(await count(2, 'pendiente'), 9)
  })

  it('new rows have no room while older ones of their queue wait in the database', async () => {
    const gate = new EventTarget()
    let claims = 0
    const admit: QueueLimits['admit'] = async (store, queues) => {
      if (++claims === 2) await once(gate, 'open')
      return admitAll(store, queues)
    }
    const attempts: string[] = []
    const deliver = async ({ id }: Claimed): Promise<Outcome> => {
      attempts.push(String(id))
      return id === '1-1' ? pending() : delivered()
    }
    const worker = work(deliver, { admit }, { drainMs: 0 })
    await put({ 1: 1 })
    await until(() => attempts.includes('1-1')) // which leaves one slot of two
    await put({ 2: 1 })
    await until(() => claims === 2) // until it is answered, nothing else is claimed
    assert.equal(worker.directCapacity('parcels', 1), 1)
    await database.store.query(sql`insert into parcels (id, street) values ('older', 1)`)
    database.store.notify('parcels:1')
    await until(() => worker.directCapacity('parcels', 1) === 0)
    gate.dispatchEvent(new Event('open'))
    await until(() => attempts.includes('older') && worker.directCapacity('parcels', 1) > 0)
  })

  it('returned: it goes back as if it had not been claimed; discarded: for good', async () => {
    await put({ 1: 3 })
    work(async ({ id }) => (id === '1-1' ? { kind: 'returned' } : { kind: 'discarded', reason: 'nobody lives here' }))
    await until(async () => (await count(1, 'descartada')) === 2)
    await until(async () => (await inStreet(1, 'pendiente')).every(({ leased }) => !leased))
    assert.equal((await inStreet(1, 'pendiente'))[0]?.attempts, 0)
    assert.equal((await inStreet(1, 'descartada'))[0]?.attempts, 0)
  })

  it('settling reads each row by index, also in a table without statistics', async () => {
    await database.store.query(sql`create table new_parcels (like parcels including all)`)
    const store = openStore({ connection: database.connection, max: 1 })
    const table = { ...TABLE, table: 'new_parcels' }
    const tableScans = async () => {
      await store.query(sql`select pg_stat_force_next_flush()`)
      const [row] = await store.query<{ scans: number }>(sql`
        select seq_scan as scans from pg_stat_user_tables where relname = 'new_parcels'`)
      return row?.scans
    }
    const before = await tableScans()
    for (let batch = 1; batch <= 20; batch++) {
      const ids = Array.from({ length: 20 }, (_, nth) => `${batch}-${nth}`)
      await store.query(sql`
        insert into new_parcels (id, street, attempts, lease) select id, 1, 1, 'x' from unnest(${ids}::text[]) id`)
      const ended = {
        lease: 'x',
        attempts: 1,
        estado: 'entregada',
        usesAttempt: true,
        delaySeconds: null,
        error: null,
      } as const
      const isSettled = await settle(
        store,
        table,
        ids.map((id) => ({ id, ...ended })),
        60,
      )
      assert.ok(isSettled({ id: `${batch}-0`, lease: 'x' }))
    }
    assert.equal(await tableScans(), before)
    await store.close()
    await database.store.query(sql`drop table new_parcels`)
  })

  it('a row that waited so long that its lease might end is given back, not delivered', async () => {
    await put({ 1: 2 })
    let delivered = 0
    const deliver = async (): Promise<Outcome> => {
      delivered++
      return { kind: 'delivered' }
    }
    let looks = 0
    const admit: QueueLimits['admit'] = (store, queues) => {
      looks++
      return admitAll(store, queues)
    }
    const worker = work(deliver, { admit }, { leaseSeconds: 30, attemptMs: 30_001, pollMs: 20 })
    await until(() => looks > 2) // by the third, what the first took has come back
    await worker.stop()
    assert.equal(delivered, 0)
    assert.ok((await inStreet(1, 'pendiente')).every(({ attempts, leased }) => attempts === 0 && !leased))
  })

  it('resent while it was delivered: a failure is not the end, and the schedule starts again', async () => {
    await put({ 1: 2 })
    await database.store.query(sql`update parcels set lease = 'x', attempts = 0, leased_until = now() + interval '9 s'`)
    const ended = (id: string, estado: 'fallida' | 'entregada') => ({
      id,
      lease: 'x',
      attempts: 3,
      usesAttempt: true,
      delaySeconds: null,
      estado,
      error: estado === 'fallida' ? 'no' : null,
    })
    await settle(database.store, TABLE, [ended('1-2', 'entregada'), ended('1-1', 'fallida')], 60)
    assert.equal(await count(1, 'entregada'), 1)
    const [again] = await inStreet(1, 'pendiente')
    assert.deepEqual([again?.id, again?.attempts, again?.leased], ['1-1', 0, false])
    assert.ok(Math.abs((again?.wait ?? 0) - 60) < 20)
  })
})

describe('claimed rows', () => {
  const row = (queue: number, id = 0): Claimed => ({ id, queue, attempts: 1, lease: 'x', takenMs: 0 })
  const open = () => openQueues({ inFlight: 5, queues: LIMITS } as Handler)

  it('queues take turns; a row waits while the slots of its queue or all slots are busy', () => {
    const queues = open()
    queues.put([row(1), row(1), row(1), row(2), row(3), row(3)])
    const order = [queues.next(), queues.next(), queues.next(), queues.next(), queues.next()].map((next) => next?.queue)
    assert.deepEqual(order, [1, 2, 3, 1, 3])
    assert.deepEqual([queues.next(), queues.inFlight(), queues.size()], [undefined, 5, 6])
    queues.ended(row(2), 1)
    assert.equal(queues.next(), undefined, 'queue 1 has two slots, and both are busy')
    queues.ended(row(1), 1)
    assert.equal(queues.next()?.queue, 1)
  })

  it('the queues of a tenant share its slots, and take turns when one is free', () => {
    const tenant = { of: (queue: number) => (queue < 10 ? 1 : undefined), inFlight: 3 }
    const queues = openQueues({ inFlight: 9, queues: { ...LIMITS, tenant } } as Handler)
    const drain = () => {
      const order: number[] = []
      for (let next = queues.next(); next; next = queues.next()) order.push(next.queue)
      return order
    }
    queues.put([row(1), row(1), row(2), row(2), row(3), row(3), row(10), row(10)])
    assert.deepEqual(drain(), [1, 2, 3, 10, 10], 'a queue without a tenant has its own slots')
    queues.ended(row(2), 1)
    assert.deepEqual(drain(), [1])
    queues.ended(row(1), 1)
    queues.ended(row(1), 1)
    assert.deepEqual(drain(), [2, 3])
    assert.equal(queues.inFlight(), 5)
  })

  it('rows are claimed ahead for a quick queue, not for a slow one', () => {
    const queues = open()
    assert.equal(queues.capacity(1), 2, 'nothing is known about it')
    const pass = (ms: number) => {
      queues.put([row(1), row(1)])
      queues.ended(queues.next() as Claimed, ms)
    }
    pass(1)
    assert.equal(queues.capacity(1), 7)
    pass(1)
    assert.equal(queues.capacity(1), 6)
    for (let times = 0; times < 20; times++) {
      queues.put([row(1)])
      queues.ended(queues.next() as Claimed, 15_000)
    }
    assert.equal(queues.capacity(1), 0)
  })

  it('idle queues are forgotten when there are many, busy ones are not', () => {
    const queues = open()
    const pass = (queue: number) => {
      queues.put([row(queue)])
      queues.ended(queues.next() as Claimed, 1)
    }
    queues.put([row(1)])
    queues.next()
    queues.ended(row(1), 1)
    queues.put([row(1)])
    queues.next()
    pass(2)
    assert.deepEqual([queues.capacity(1), queues.capacity(2)], [7, 8])
    for (let queue = 3; queue <= 1_010; queue++) pass(queue)
    assert.deepEqual([queues.capacity(1), queues.capacity(2), queues.capacity(1_010)], [7, 2, 8])
  })

  it('a quick queue is low when half of its rows are left, any other when none waits', () => {
    const queues = open()
    assert.equal(queues.shouldClaim(1), true, 'there are none')
    queues.put([row(1), row(1), row(1)])
    assert.equal(queues.shouldClaim(1), false)
    const pass = () => queues.ended(queues.next() as Claimed, 1)
    pass()
    queues.put([row(1), row(1), row(1), row(1)])
    assert.deepEqual([queues.size(), queues.shouldClaim(1)], [6, false])
    pass()
    assert.deepEqual([queues.size(), queues.shouldClaim(1)], [5, false])
    pass()
    assert.deepEqual([queues.size(), queues.shouldClaim(1)], [4, true])
  })

  it('waiting rows are given back, running ones are not', () => {
    const queues = open()
    queues.put([row(1, 1), row(1, 2), row(2, 3)])
    queues.next()
    assert.deepEqual(
      queues.empty().map(({ id }) => id),
      [2, 3],
    )
    assert.deepEqual([queues.next(), queues.size()], [undefined, 1])
  })
})
