import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import pino from 'pino'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { openDatabaseProxy } from '../../tests/support/database-proxy.ts'
import { until } from '../../tests/support/until.ts'
import { openStore } from '../store/db.ts'
import { type Listener, openListener } from '../store/listener.ts'
import type { Handler, Outcome } from './handler.ts'
import { type Claimed, claim, SINGLE_QUEUE, settle } from './outbox.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

interface Parcel extends Claimed {
  word: string
}

interface Kept {
  word: string
  estado: string
  attempts: number
  leased: boolean
  wait: number
  last_error: string | null
}

const HOUR_MS = 3_600_000
const lines: string[] = []
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })

let database: TestDatabase
let listener: Listener
let running: { stop(): Promise<void> }[] = []

before(async () => {
  database = await createDatabase()
  await database.store.query(sql`
    create table parcels (
      id bigint generated always as identity primary key, word text not null,
      estado text not null default 'pendiente', attempts int not null default 0, due_at timestamptz not null default now(),
      leased_until timestamptz, lease text, last_error text, settled_at timestamptz)`)
  await database.store.query(sql`create table noted (id bigint, outcome text)`)
  listener = openListener({ connection: database.connection, log })
  await until(() => listener.freshSince() > 0)
})
beforeEach(() => {
  running = []
  lines.length = 0
})
afterEach(async () => {
  for (const worker of running) await worker.stop()
  await database.store.query(sql`truncate parcels, noted`)
})
after(async () => {
  await listener.close()
  await database.drop()
})

/** A handler of parcels that does as the test says, and a worker that never polls. */
function work(
  deliver: Handler<Parcel>['deliver'],
  {
    timing,
    store = database.store,
    listener: ear = listener,
    ...handler
  }: Partial<Handler<Parcel>> & Partial<WorkerOptions> = {},
) {
  const worker = startWorker({
    store,
    listener: ear,
    log,
    random: () => 0.5,
    handlers: [
      {
        table: 'parcels',
        id: 'bigint',
        columns: sql`row.word`,
        inFlight: 10,
        schedule: [60, 300],
        deliver,
        ...handler,
      },
    ],
    timing: { pollMs: HOUR_MS, ...timing },
  })
  running.push(worker)
  return worker
}

async function put(...words: string[]): Promise<void> {
  await database.store.query(sql`insert into parcels (word) select unnest(${words}::text[])`)
  database.store.notify('parcels')
}

const all = () =>
  database.store.query<Kept>(sql`
    select word, estado, attempts, lease is not null as leased, last_error,
      extract(epoch from due_at - now())::float8 as wait from parcels order by id`)

const takeUpTo = (most: number, lease: string) =>
  claim<Parcel>(database.store, { table: 'parcels', id: 'bigint' }, sql`row.word`, {
    lease,
    leaseSeconds: 45,
    takenMs: 0,
    limits: [[SINGLE_QUEUE, most]],
  })

const states = async () => (await all()).map(({ word, estado }) => `${word} ${estado}`)
const delivered = async (): Promise<Outcome> => ({ kind: 'delivered' })
const pending = () => new Promise<Outcome>(() => undefined)

test('delivered: a new row is delivered at once, though the worker never polls', async () => {
  const delivered: string[] = []
  work(async ({ word, attempts }) => {
    delivered.push(`${word} ${attempts}`)
    return { kind: 'delivered' }
  })
  await put('a')
  await until(async () => (await states()).join() === 'a entregada')
  await put('b', 'c')
  await until(async () => (await states()).join() === 'a entregada,b entregada,c entregada')
  assert.deepEqual(delivered.sort(), ['a 1', 'b 1', 'c 1'])
})

test('delivered: rows inserted while no worker ran are delivered by the first one', async () => {
  await put('a')
  work(delivered)
  await until(async () => (await states()).join() === 'a entregada')
})

test('delivered: two workers share a thousand rows, and none is delivered twice', async () => {
  const delivered: [string, Claimed['id']][] = []
  const by = (name: string) => (row: Parcel) => {
    delivered.push([name, row.id])
    return new Promise<Outcome>((resolve) => setImmediate(() => resolve({ kind: 'delivered' })))
  }
  await put(...Array.from({ length: 1_000 }, (_, n) => String(n)))
  work(by('one'))
  work(by('two'))
  await until(async () => (await all()).every(({ estado }) => estado === 'entregada'))
  assert.equal(delivered.length, 1_000)
  assert.equal(new Set(delivered.map(([, id]) => id)).size, 1_000)
  assert.equal(new Set(delivered.map(([name]) => name)).size, 2)
})

test('claim: of two workers that claim at once, each row goes to one', async () => {
  await put(...Array.from({ length: 60 }, (_, n) => String(n)))
  const claims = await Promise.all(Array.from({ length: 6 }, () => takeUpTo(20, randomUUID())))
  const ids = claims.flat().map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(claims.every((rows) => rows.length <= 20))
})

test('take-over: a dead worker’s row is delivered by another when its lease has ended', async () => {
  await put('a')
  await takeUpTo(1, 'dead')
  let delivered = 0
  work(
    async () => {
      delivered++
      return { kind: 'delivered' }
    },
    { timing: { pollMs: 20 } },
  )
  await put('b') // when this one is settled, the worker has looked, and more than once
  await until(async () => (await states()).includes('b entregada'))
  assert.equal(delivered, 1)
  await database.store.query(sql`update parcels set leased_until = now() - interval '1 second' where word = 'a'`)
  await until(async () => (await states()).join() === 'a entregada,b entregada')
  assert.equal((await all())[0]?.attempts, 2)
})

test('take-over: repeatable rows lose no attempts to workers that die with their lease', async () => {
  await put('often', 'asked again')
  await database.store.query(sql`
    update parcels set attempts = case word when 'often' then 2 else 0 end, lease = 'dead', leased_until = now()`)
  const delivered: string[] = []
  work(
    async ({ word, attempts }) => {
      delivered.push(`${word} ${attempts}`)
      return { kind: 'postponed', reason: 'busy' }
    },
    { repeatable: true },
  )
  await until(async () => (await all()).every(({ leased }) => !leased))
  assert.deepEqual(delivered.sort(), ['asked again 1', 'often 2'])
  const waits = (await all()).map(({ wait }) => Math.round(wait / 60))
  assert.deepEqual(
    [await states(), waits],
    [
      ['often pendiente', 'asked again pendiente'],
      [5, 1],
    ],
  )
})

test('take-over: a worker that lost the lease changes neither the row nor what follows from it', async () => {
  await put('a')
  const first = new EventTarget()
  work(
    async () => {
      await once(first, 'go')
      return { kind: 'failed', reason: 'too late' }
    },
    // Deaf after its first look: it would take its own row again, too.
    { settled: (tx, ended) => note(tx, ended), listener: { on: () => undefined, onGap: () => undefined } },
  )
  await until(async () => (await all())[0]?.leased)
  await database.store.query(sql`update parcels set leased_until = now() - interval '1 second'`)
  work(delivered)
  await until(async () => (await states()).join() === 'a entregada')
  first.dispatchEvent(new Event('go'))
  await until(() => lines.some((line) => line.includes('"failed"')))
  for (const worker of running) await worker.stop()
  assert.deepEqual(await states(), ['a entregada'])
  assert.deepEqual(await database.store.query(sql`select * from noted`), [])
})

test('take-over: if some leases of a batch were lost, the other rows are settled', async () => {
  await put('a', 'b', 'c')
  const rows = await takeUpTo(3, 'x')
  await database.store.query(sql`update parcels set lease = 'other' where word = 'b'`)
  const batch = rows.map(({ id, attempts }) => ({
    id,
    attempts,
    lease: 'x',
    estado: 'entregada' as const,
    usesAttempt: true,
    delaySeconds: null,
    error: null,
  }))
  const queue = { table: 'parcels', id: 'bigint' as const }
  const isSettled = await settle(database.store, queue, batch, 60)
  assert.deepEqual(await states(), ['a entregada', 'b pendiente', 'c entregada'])
  assert.deepEqual(
    rows.filter(isSettled).map(({ word }) => word),
    ['a', 'c'],
  )
  const isSettledAgain = await settle(database.store, queue, batch, 60)
  assert.ok(rows.every((row) => !isSettledAgain(row)))
})

test('take-over: of a row that is twice in one batch, only the outcome of the current lease counts', async () => {
  await put('a')
  const [lost] = await takeUpTo(1, 'lost')
  await database.store.query(sql`update parcels set lease = null, leased_until = null`)
  const [held] = await takeUpTo(1, 'held')
  const batch = [lost, held].map((row) => ({
    id: row?.id ?? 0,
    lease: row?.lease ?? '',
    attempts: 1,
    estado: 'entregada' as const,
    usesAttempt: true,
    delaySeconds: null,
    error: null,
  }))
  const isSettled = await settle(database.store, { table: 'parcels', id: 'bigint' }, batch, 60)
  assert.deepEqual(
    batch.filter(isSettled).map(({ lease }) => lease),
    ['held'],
  )
})

const note: NonNullable<Handler<Parcel>['settled']> = async (tx, ended) => {
  for (const { row, outcome } of ended)
    await tx.query(sql`insert into noted (id, outcome) values (${row.id}, ${outcome.kind})`)
}

test('postponed: due again after its delay and then counted, with the reason; failed after the last', async () => {
  work(async () => ({ kind: 'postponed', reason: 'busy' }), { timing: { pollMs: 20 }, settled: note })
  await put('a')
  for (const [attempts, wait] of [
    [1, 60],
    [2, 300],
  ] as const) {
    await until(async () => (await all()).some((row) => row.attempts === attempts && !row.leased))
    const [row] = await all()
    assert.deepEqual([row?.estado, row?.last_error], ['pendiente', 'busy'])
    assert.ok(Math.abs((row?.wait ?? 0) - wait) < 20, `due in ${row?.wait} s`)
    await database.store.query(sql`update parcels set due_at = now()`)
  }
  await until(async () => (await states()).join() === 'a fallida')
  const noted = await database.store.query<{ outcome: string }>(sql`select outcome from noted`)
  assert.deepEqual(
    noted.map(({ outcome }) => outcome),
    ['postponed', 'postponed', 'failed'],
  )
})

test('postponed: a handler that throws, or never ends, loses nothing', async () => {
  const limits: number[] = []
  work(
    ({ word }, _, timeoutMs) => {
      if (word === 'throws') throw new TypeError('no')
      if (word === 'rejects') return Promise.reject(new Error('no'))
      limits.push(timeoutMs)
      return pending()
    },
    { timing: { attemptMs: 50 } },
  )
  await put('throws', 'rejects', 'hangs')
  await until(async () => (await all()).every(({ last_error }) => last_error))
  assert.deepEqual(await states(), ['throws pendiente', 'rejects pendiente', 'hangs pendiente'])
  assert.equal((await all())[2]?.last_error, 'Tardó demasiado.')
  assert.deepEqual(limits, [50])
})

test('failed: a row that no worker survives is not attempted again', async () => {
  await put('poison')
  await database.store.query(sql`update parcels set attempts = 3, lease = 'dead', leased_until = now()`)
  work(() => assert.fail('delivered'))
  await until(async () => (await states()).join() === 'poison fallida')
  assert.ok(lines.some((line) => line.includes('"code":"abandoned"')))
})

test('in flight: never more at a time than the handler allows', async () => {
  let [now, most] = [0, 0]
  work(
    async () => {
      most = Math.max(most, ++now)
      await new Promise(setImmediate)
      now--
      return { kind: 'delivered' }
    },
    { inFlight: 3 },
  )
  await put(...Array.from({ length: 50 }, (_, n) => String(n)))
  await until(async () => (await all()).every(({ estado }) => estado === 'entregada'))
  assert.equal(most, 3)
})

test('stop: running attempts are finished and settled, and nothing more is claimed', async () => {
  const gate = new EventTarget()
  const worker = work(
    async () => {
      await once(gate, 'go')
      return { kind: 'delivered' }
    },
    { inFlight: 1 },
  )
  await put('a', 'b')
  await until(async () => (await all())[0]?.leased)
  const stopped = worker.stop()
  gate.dispatchEvent(new Event('go'))
  await stopped
  assert.deepEqual(await states(), ['a entregada', 'b pendiente'])
})

test('stop: an attempt that hangs is given back as if it had not been claimed', async () => {
  const worker = work(pending, { timing: { drainMs: 10 } })
  await put('a')
  await until(async () => (await all())[0]?.leased)
  await worker.stop()
  const [row] = await all()
  assert.deepEqual([row?.estado, row?.attempts, row?.leased], ['pendiente', 0, false])
})

test('settled: an attempt that cannot be recorded is left out, and the others keep theirs', async () => {
  work(delivered, {
    settled: async (tx, ended) => {
      await note(tx, ended)
      if (ended.some(({ row }) => row.word === 'bad')) await tx.query(sql`select 1 / 0`)
    },
  })
  await put('a', 'bad', 'c')
  await until(async () => (await states()).join() === 'a entregada,bad entregada,c entregada')
  assert.equal((await database.store.query(sql`select * from noted`)).length, 2)
  assert.ok(lines.some((line) => line.includes('attempt could not be recorded')))
})

test('settled: while the database is away outcomes are held, and stored when it is back', async () => {
  const proxy = await openDatabaseProxy(database.connection)
  const store = openStore({ connection: proxy.connection, max: 2, log })
  let delivered = 0
  const gate = new EventTarget()
  work(
    async () => {
      delivered++
      await once(gate, 'go')
      return { kind: 'delivered' }
    },
    { store, timing: { pollMs: 20 } },
  )
  await put('a')
  await until(() => delivered === 1)
  proxy.cut()
  gate.dispatchEvent(new Event('go'))
  await until(() => lines.some((line) => line.includes('outcomes could not be stored')))
  proxy.restore()
  await until(async () => (await states()).join() === 'a entregada')
  assert.equal(delivered, 1)
  for (const worker of running) await worker.stop()
  await store.close()
  await proxy.close()
})

test('log: one line for each attempt, with what an operator needs', async () => {
  work(async () => ({ kind: 'failed', reason: 'no such person', code: '550' }), { describe: () => ({ kind: 'box' }) })
  await put('a')
  await until(async () => (await states()).join() === 'a fallida')
  const [line, ...more] = lines.filter((each) => each.includes('"outcome"')).map((each) => JSON.parse(each))
  assert.equal(more.length, 0)
  const { ms, id, time, ...rest } = line
  assert.deepEqual(rest, {
    level: 30,
    table: 'parcels',
    kind: 'box',
    attempt: 1,
    outcome: 'failed',
    code: '550',
    msg: 'delivery attempt',
  })
  assert.ok(ms >= 0 && id > 0 && time)
})
