import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../tests/support/database.ts'
import { until } from '../tests/support/until.ts'
import { measureTasks, type ScheduledTask, startTasks, taskStatuses } from './tasks.ts'

const HOUR_MS = 3_600_000
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('scheduled tasks', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  const start = (tasks: ScheduledTask[]) =>
    startTasks(tasks, { store: database.store, log: silent, nowMs: () => performance.now() })
  const statusOf = async (name: string) => (await taskStatuses(database.store)).find((each) => each.name === name)

  it('store their last success, and the error of a run that failed until one succeeds', async () => {
    let failure: Error | undefined = new Error('permission denied')
    const stop = start([
      { name: 'good', everyMs: 5, run: async () => undefined },
      { name: 'bad', everyMs: 5, run: () => (failure ? Promise.reject(failure) : Promise.resolve()) },
    ])
    const failing = await until(async () => {
      const [good, bad] = [await statusOf('good'), await statusOf('bad')]
      return good?.lastSuccess && bad?.error ? { good, bad } : undefined
    })
    assert.deepEqual([failing.good.state, failing.good.error], ['ok', null])
    assert.deepEqual(
      [failing.bad.state, failing.bad.error, failing.bad.lastSuccess],
      ['failing', 'permission denied', null],
    )
    const registry = new Registry()
    measureTasks(registry, database.store)
    const text = await registry.metrics()
    assert.match(text, /rodado_task_failing\{task="good"\} 0/)
    assert.match(text, /rodado_task_failing\{task="bad"\} 1/)
    assert.match(text, /rodado_task_last_success_timestamp_seconds\{task="good"\} \d{10}/)
    assert.match(text, /rodado_task_last_success_timestamp_seconds\{task="bad"\} 0/)

    failure = undefined
    await until(async () => (await statusOf('bad'))?.state === 'ok')
    await stop()
  })

  it('at long intervals run when the last run of any node is long enough ago', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const ran: string[] = []
    const task = (name: string): ScheduledTask => ({ name, everyMs: HOUR_MS, run: async () => void ran.push(name) })
    const stop = start([
      task('never ran'),
      task('ran lately'),
      task('ran long ago'),
      task('failed lately'),
      task('ran tomorrow'),
    ])
    const stored = async () => (await taskStatuses(database.store)).map(({ name }) => name)
    await until(async () => (await stored()).includes('failed lately'))
    await database.store.query(sql`
      insert into scheduled_tasks (name, every_seconds, created_at, last_success_at)
      values ('of another worker', 60, now() - interval '9 days', now() - interval '1 hour'),
        ('of an earlier version', 60, now() - interval '9 days', now() - interval '2 days')`)
    await database.store.query(sql`
      update scheduled_tasks set last_success_at = now() - make_interval(mins => case name when 'ran lately' then 59 else 61 end),
        last_failure_at = case name when 'failed lately' then now() end
      where name <> 'never ran' and name not like 'of an%'`)
    // Stored while the clock of the database was wrong.
    await database.store.query(sql`
      update scheduled_tasks set last_success_at = now() + interval '1 day' where name = 'ran tomorrow'`)
    t.mock.timers.tick(60_000)
    await until(() => ran.length >= 3)
    await stop()
    assert.deepEqual(ran.toSorted(), ['never ran', 'ran long ago', 'ran tomorrow'])
    const others = (await stored()).filter((name) => name.startsWith('of '))
    assert.deepEqual(others, ['of another worker'], 'those of other workers stay while they run')
  })

  it('begin no run once they are stopped, though it was about to begin', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let runs = 0
    const { store } = database
    let letGo: (() => void) | undefined
    const slow = {
      ...store,
      query: async (...query: Parameters<typeof store.query>) => {
        const rows = await store.query(...query)
        if (query[0].text.includes('left join scheduled_tasks')) await new Promise<void>((resolve) => (letGo = resolve))
        return rows
      },
    } as typeof store
    const task: ScheduledTask = { name: 'about to begin', everyMs: HOUR_MS, run: async () => runs++ }
    const stop = startTasks([task], { store: slow, log: silent, nowMs: () => performance.now() })
    t.mock.timers.tick(60_000)
    await until(() => letGo !== undefined)
    const stopped = stop()
    letGo?.()
    await stopped
    await new Promise(setImmediate)
    assert.equal(runs, 0)
  })

  it('that run while the server stops end by the signal, and have neither succeeded nor failed', async () => {
    let begun = false
    const run = async (signal: AbortSignal) => {
      begun = true
      await once(signal, 'abort')
      signal.throwIfAborted()
    }
    const logged: unknown[] = []
    const log = { ...silent, error: (about: unknown) => void logged.push(about) }
    const tasks = [{ name: 'endless', everyMs: 5, run }]
    const stop = startTasks(tasks, { store: database.store, log, nowMs: () => performance.now() })
    await until(() => begun)
    await stop()
    const { lastSuccess, error } = (await statusOf('endless')) ?? {}
    assert.deepEqual([lastSuccess, error, logged], [null, null, []])
  })

  it('that no node runs any more are late', async () => {
    await start([{ name: 'inquiries', everyMs: HOUR_MS, run: async () => undefined }])()
    const afterHours = async (hours: number) => {
      await database.store.query(sql`update scheduled_tasks set created_at = now() - make_interval(hours => ${hours})`)
      return (await statusOf('inquiries'))?.state
    }
    assert.equal(await afterHours(2), 'ok')
    assert.equal(await afterHours(3), 'late')
  })
})
