import type { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { MINUTE_MS } from './clock.ts'
import type { Log } from './store/circuit-breaker.ts'
import type { Db, Store } from './store/db.ts'
import { forScrape, gauge } from './store/metrics.ts'

export interface ScheduledTask {
  name: string
  everyMs: number
  /** Several nodes may run it at once. A long one throws between two steps once the signal is aborted. */
  run(signal: AbortSignal): Promise<unknown>
}

export interface TaskStatus {
  name: string
  everySeconds: number
  lastSuccess: Date | null
  /** Of the last run, if that failed. */
  error: string | null
  state: 'ok' | 'failing' | 'late'
}

interface TaskDeps {
  store: Store
  log: Log
  nowMs: () => number
}

/** A failed task is run again after its interval, at most so much later. */
const MAX_RETRY_SECONDS = 300
/** A task is late once it has missed a run and this time has passed. */
const GRACE_SECONDS = 600

/**
 * Runs each task at its interval, never twice at once in this process. Those at intervals over a minute are due by the
 * last run that any node has stored, so that restarts do not postpone them. The returned function stops those that are
 * running, and waits for them.
 */
export function startTasks(tasks: readonly ScheduledTask[], { store, log, nowMs }: TaskDeps): () => Promise<void> {
  const running = new Map<ScheduledTask, Promise<unknown>>()
  const stopping = new AbortController()
  const { signal } = stopping
  const record = createRecorder(store, nowMs)
  const warn = (err: Error) => log.warn({ err }, 'tasks: could not read or store when they ran')

  function start(task: ScheduledTask): void {
    if (signal.aborted || running.has(task)) return
    const work = task
      .run(signal)
      .then(
        () => record(task),
        (err: Error) => {
          if (signal.aborted && err.name === 'AbortError') return undefined // due again at the next start
          log.error({ err, task: task.name }, 'scheduled task failed; it runs again at its next time')
          return record(task, err)
        },
      )
      .catch(warn)
      .finally(() => running.delete(task))
    running.set(task, work)
  }

  const slow = tasks.filter(({ everyMs }) => everyMs > MINUTE_MS)
  const quick = tasks.filter(({ everyMs }) => everyMs <= MINUTE_MS)
  async function startDue(): Promise<void> {
    await forgetOthers(store, tasks)
    const names = await dueNames(store, slow)
    for (const task of slow) if (names.has(task.name)) start(task)
  }
  const registered = register(store, tasks).catch(warn)
  let starting: Promise<unknown> = Promise.resolve()
  const timers = quick.map((task) => setInterval(() => start(task), task.everyMs))
  timers.push(
    setInterval(() => {
      starting = startDue().catch(warn)
    }, MINUTE_MS),
  )
  return async () => {
    stopping.abort()
    for (const timer of timers) clearInterval(timer)
    await Promise.all([registered, starting, ...running.values()])
  }
}

/** A task that never runs is then late. */
const register = (db: Db, tasks: readonly ScheduledTask[]) =>
  db.query(sql`
    insert into scheduled_tasks (name, every_seconds)
    select * from unnest(${tasks.map(({ name }) => name)}::text[], ${tasks.map(secondsOf)}::int[]) on conflict do nothing`)

/** A task that this worker does not have may belong to one of another version, unless nobody has run it for a day. */
const forgetOthers = (db: Db, tasks: readonly ScheduledTask[]) =>
  db.query(sql`
    delete from scheduled_tasks where name <> all (${tasks.map(({ name }) => name)}::text[])
      and greatest(created_at, last_success_at, last_failure_at) < now() - make_interval(days => 1, secs => 2 * every_seconds)`)

/** A success that is in the future was stored while the clock of the database was wrong. */
async function dueNames(db: Db, tasks: readonly ScheduledTask[]): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(sql`
    select task.name
    from unnest(${tasks.map(({ name }) => name)}::text[], ${tasks.map(secondsOf)}::int[]) as task (name, every)
    left join scheduled_tasks s on s.name = task.name
    where coalesce(s.last_success_at not between now() - make_interval(secs => task.every) and now(), true)
      and coalesce(s.last_failure_at not between
        now() - make_interval(secs => least(task.every, ${MAX_RETRY_SECONDS})) and now(), true)`)
  return new Set(rows.map(({ name }) => name))
}

const secondsOf = ({ everyMs }: ScheduledTask): number => Math.max(1, Math.round(everyMs / 1000))

/** Stores the results. One that equals the last is stored once a minute: some tasks run every second. */
function createRecorder(db: Db, nowMs: () => number) {
  const stored = new Map<string, { error: string | null; atMs: number }>()

  return async (task: ScheduledTask, failure?: Error): Promise<void> => {
    const error = failure?.message ?? null
    const atMs = nowMs()
    const before = stored.get(task.name)
    if (before && before.error === error && atMs - before.atMs < MINUTE_MS) return
    const [success, failed] = error === null ? [sql`now()`, sql`null`] : [sql`null`, sql`now()`]
    await db.query(sql`
      insert into scheduled_tasks as task (name, every_seconds, last_success_at, last_failure_at, last_error)
      values (${task.name}, ${secondsOf(task)}, ${success}, ${failed}, ${error})
      on conflict (name) do update
      set every_seconds = excluded.every_seconds, last_error = excluded.last_error,
        last_success_at = coalesce(excluded.last_success_at, task.last_success_at),
        last_failure_at = coalesce(excluded.last_failure_at, task.last_failure_at)`)
    stored.set(task.name, { error, atMs })
  }
}

/** Every task that any node has run, by name. */
export const taskStatuses = (db: Db): Promise<TaskStatus[]> =>
  db.query<TaskStatus>(sql`
    select name, every_seconds as "everySeconds", last_success_at as "lastSuccess", last_error as error,
      case when last_error is not null then 'failing'
        when coalesce(last_success_at, created_at) < now() - make_interval(secs => 2 * every_seconds + ${GRACE_SECONDS})
        then 'late' else 'ok' end as state
    from scheduled_tasks order by name`)

/** Exports the status of every task to Prometheus. While the database does not answer there are no values. */
export function measureTasks(registry: Registry, db: Db): void {
  const figure = (name: string, help: string, value: (status: TaskStatus) => number) =>
    gauge(registry, name, help, ['task'], async () =>
      (await forScrape(taskStatuses(db)))?.map((status) => [{ task: status.name }, value(status)]),
    )
  figure(
    'rodado_task_last_success_timestamp_seconds',
    'When each scheduled task last succeeded, on any node; 0 if it never did.',
    ({ lastSuccess }) => (lastSuccess?.getTime() ?? 0) / 1000,
  )
  figure(
    'rodado_task_failing',
    '1 if the last run of a scheduled task failed, or if it should have run again by now.',
    ({ state }) => (state === 'ok' ? 0 : 1),
  )
}
