import type { Span } from '@opentelemetry/api'
import { activeSpans, withSpans } from '../tracing.ts'
import { isUnavailable } from './circuit-breaker.ts'

interface BatchOptions {
  maxItems: number
  /** The next batch does not wait longer than this for a batch that is blocked. */
  maxWaitMs: number
}

/**
 * Combines concurrent calls into one statement and one commit. A call runs at once if no batch is running; calls that come
 * meanwhile form the next batch. `run` returns a result for each item, in their order. If a batch fails although the
 * database is reachable, each item runs alone, so that none fails because of another.
 */
export function batch<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxItems, maxWaitMs }: BatchOptions,
): (item: Item) => Promise<Result> {
  interface Call {
    item: Item
    resolve(result: Result): void
    reject(error: unknown): void
    spans: readonly Span[]
  }
  const waiting: Call[] = []
  let running = false

  async function runBatch(calls: Call[]): Promise<void> {
    try {
      const spans = calls.flatMap((call) => call.spans)
      const results = await withSpans(spans, () => run(calls.map(({ item }) => item)))
      for (const [at, { resolve }] of calls.entries()) resolve(results[at] as Result)
    } catch (error) {
      if (calls.length === 1 || isUnavailable(error)) for (const { reject } of calls) reject(error)
      else for (const call of calls) await runBatch([call])
    }
  }

  function next(): void {
    if (running || waiting.length === 0) return
    running = true
    let over = false
    const goOn = () => {
      if (over) return
      over = true
      running = false
      next()
    }
    const timer = setTimeout(goOn, maxWaitMs)
    void runBatch(waiting.splice(0, maxItems)).finally(() => {
      clearTimeout(timer)
      goOn()
    })
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject, spans: activeSpans() })
      next()
    })
}

/** Runs work after earlier work with the same key has ended; other keys do not wait. */
type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Work that contends for a database lock waits here instead, where it holds no connection. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const current = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, current)
    const release = () => {
      if (last.get(key) === current) last.delete(key)
    }
    current.then(release, release)
    return current
  }
}
