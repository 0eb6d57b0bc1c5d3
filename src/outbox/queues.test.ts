import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { until } from '../../tests/support/until.ts'
import { type Listener, openListener } from '../store/listener.ts'
import type { Carrier, Lanes, Outcome } from './handler.ts'
import { type Claimed, dueLanes, settle } from './outbox.ts'
import { openLanes } from './queues.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

const HOUR_MS = 3_600_000
const QUEUE = { table: 'parcels', id: 'text', lane: 'street' } as const
const everyLane: Lanes['admit'] = async (_store, lanes) => new Map(lanes.map((lane) => [lane, 1_000]))
const LANES: Lanes = { inFlight: 2, ahead: { lane: 8, all: 20 }, admit: everyLane }

describe('a queue with lanes', () => {
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

  function work(carry: Carrier['carry'], lanes: Partial<Lanes> = {}, timing: WorkerOptions['timing'] = {}): Worker {
    const carrier: Carrier = {
      ...QUEUE,
      columns: sql`row.estado`,
      inFlight: 5,
      lanes: { ...LANES, ...lanes },
      schedule: [60, 300],
      carry,
    }
    const deps = { store: database.store, listener, log, random: () => 0.5 }
    const worker = startWorker({ ...deps, carriers: [carrier], timing: { pollMs: HOUR_MS, ...timing } })
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

  it('carries a lane that is rung for, and what else was due when it began', async () => {
    await put({ 7: 3 })
    work(delivered)
    await until(async () => (await count(7, 'entregada')) === 3)
    await put({ 8: 30 })
    await until(async () => (await count(8, 'entregada')) === 30)
  })

  it('finds every lane in which something is due, and no other', async () => {
    await put({ 3: 2, 5: 1, 9: 4 })
    await database.store.query(sql`update parcels set due_at = now() + interval '1 hour' where street = 5`)
    await database.store.query(sql`update parcels set estado = 'entregada' where street = 9 and id <> '9-2'`)
    await database.store.query(sql`insert into parcels (id) values ('nowhere')`)
    assert.deepEqual(await dueLanes(database.store, QUEUE), [3, 9])
  })

  it('one lane that hangs holds up no other, and never more than its own hands', async () => {
    await put({ 1: 50, 2: 40, 3: 40 })
    const worker = work(({ lane }) => (lane === 1 ? pending() : delivered()), {}, { drainMs: 0, pollMs: 20 })
    await until(async () => (await count(2, 'entregada')) === 40 && (await count(3, 'entregada')) === 40)
    assert.equal(worker.inFlight('parcels'), 2)
    await worker.stop()
    const left = await inStreet(1, 'pendiente')
    assert.ok(left.length === 50 && left.every(({ attempts, leased }) => attempts === 0 && !leased), 'all given back')
  })

  it('takes from a lane what its carrier admits, and nothing from one that is shut', async () => {
    await put({ 1: 9, 2: 9, 3: 9 })
    let open = true
    const admit: Lanes['admit'] = async () => {
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

  it('returned: it goes back as if it had not been taken; discarded: for good', async () => {
    await put({ 1: 3 })
    work(async ({ id }) => (id === '1-1' ? { kind: 'returned' } : { kind: 'discarded', reason: 'nobody lives here' }))
    await until(async () => (await count(1, 'descartada')) === 2)
    await until(async () => (await inStreet(1, 'pendiente')).every(({ leased }) => !leased))
    assert.equal((await inStreet(1, 'pendiente'))[0]?.attempts, 0)
    assert.equal((await inStreet(1, 'descartada'))[0]?.attempts, 0)
  })

  it('what waited so long that its lease might end is given back, not carried', async () => {
    await put({ 1: 2 })
    let carried = 0
    const carry = async (): Promise<Outcome> => {
      carried++
      return { kind: 'delivered' }
    }
    let looks = 0
    const admit: Lanes['admit'] = (store, lanes) => {
      looks++
      return everyLane(store, lanes)
    }
    const worker = work(carry, { admit }, { leaseSeconds: 30, carryMs: 30_001, pollMs: 20 })
    await until(() => looks > 2) // by the third, what the first took has come back
    await worker.stop()
    assert.equal(carried, 0)
    assert.ok((await inStreet(1, 'pendiente')).every(({ attempts, leased }) => attempts === 0 && !leased))
  })

  it('asked for again while it was carried: a failure is not the end, and the schedule begins anew', async () => {
    await put({ 1: 2 })
    await database.store.query(sql`update parcels set lease = 'x', attempts = 0, leased_until = now() + interval '9 s'`)
    const ended = (id: string, estado: 'fallida' | 'entregada') => ({
      ...{ id, lease: 'x', attempts: 3, counts: true, delaySeconds: null },
      ...{ estado, error: estado === 'fallida' ? 'no' : null },
    })
    await settle(database.store, QUEUE, [ended('1-2', 'entregada'), ended('1-1', 'fallida')], 60)
    assert.equal(await count(1, 'entregada'), 1)
    const [again] = await inStreet(1, 'pendiente')
    assert.deepEqual([again?.id, again?.attempts, again?.leased], ['1-1', 0, false])
    assert.ok(Math.abs((again?.wait ?? 0) - 60) < 20)
  })
})

describe('rows at hand', () => {
  const row = (lane: number, id = 0): Claimed => ({ id, lane, attempts: 1, lease: 'x', takenMs: 0 })
  const open = () => openLanes({ inFlight: 5, lanes: LANES } as Carrier)

  it('go lane by lane, each in its turn, and wait when its hands or all are busy', () => {
    const lanes = open()
    lanes.put([row(1), row(1), row(1), row(2), row(3), row(3)])
    const order = [lanes.next(), lanes.next(), lanes.next(), lanes.next(), lanes.next()].map((next) => next?.lane)
    assert.deepEqual(order, [1, 2, 3, 1, 3])
    assert.deepEqual([lanes.next(), lanes.carrying(), lanes.atHand()], [undefined, 5, 6])
    lanes.ended(row(2), 1)
    assert.equal(lanes.next(), undefined, 'lane 1 has two hands, and both are busy')
    lanes.ended(row(1), 1)
    assert.equal(lanes.next()?.lane, 1)
  })

  it('of one party’s lanes have no more hands than the party, and go on in turn when one is free', () => {
    const party = { of: (lane: number) => (lane < 10 ? 1 : undefined), inFlight: 3 }
    const lanes = openLanes({ inFlight: 9, lanes: { ...LANES, party } } as Carrier)
    const drain = () => {
      const order: number[] = []
      for (let next = lanes.next(); next; next = lanes.next()) order.push(next.lane)
      return order
    }
    lanes.put([row(1), row(1), row(2), row(2), row(3), row(3), row(10), row(10)])
    assert.deepEqual(drain(), [1, 2, 3, 10, 10], 'the lane of nobody has its own hands')
    lanes.ended(row(2), 1)
    assert.deepEqual(drain(), [1])
    lanes.ended(row(1), 1)
    lanes.ended(row(1), 1)
    assert.deepEqual(drain(), [2, 3])
    assert.equal(lanes.carrying(), 5)
  })

  it('are taken ahead of a quick lane, and not of a slow one', () => {
    const lanes = open()
    assert.equal(lanes.room(1), 2, 'nothing is known of it')
    const pass = (ms: number) => {
      lanes.put([row(1), row(1)])
      lanes.ended(lanes.next() as Claimed, ms)
    }
    pass(1)
    assert.equal(lanes.room(1), 7)
    pass(1)
    assert.equal(lanes.room(1), 6)
    for (let times = 0; times < 20; times++) {
      lanes.put([row(1)])
      lanes.ended(lanes.next() as Claimed, 15_000)
    }
    assert.equal(lanes.room(1), 0)
  })

  it('of a quick lane are low when half are left, of any other when none waits', () => {
    const lanes = open()
    assert.equal(lanes.isLow(1), true, 'there are none')
    lanes.put([row(1), row(1), row(1)])
    assert.equal(lanes.isLow(1), false)
    const pass = () => lanes.ended(lanes.next() as Claimed, 1)
    pass()
    lanes.put([row(1), row(1), row(1), row(1)])
    assert.deepEqual([lanes.atHand(), lanes.isLow(1)], [6, false])
    pass()
    assert.deepEqual([lanes.atHand(), lanes.isLow(1)], [5, false])
    pass()
    assert.deepEqual([lanes.atHand(), lanes.isLow(1)], [4, true])
  })

  it('are given back when asked for, save what was begun', () => {
    const lanes = open()
    lanes.put([row(1, 1), row(1, 2), row(2, 3)])
    lanes.next()
    assert.deepEqual(
      lanes.empty().map(({ id }) => id),
      [2, 3],
    )
    assert.deepEqual([lanes.next(), lanes.atHand()], [undefined, 1])
  })
})
