import { LRUCache } from 'lru-cache'

const MAX_ENTRIES = 10_000
const MAX_KEY_LENGTH = 512 // values that repeat are short; a long one is not worth its memory

/** Caches the results of a function whose result for a key never changes while the server runs. */
export function memoize<Query, Result>(
  compute: (query: Query) => Result,
  keyOf: (query: Query) => string,
  maxEntries = MAX_ENTRIES,
): (query: Query) => Result {
  // Bounded by size, because `max` would allocate all of it at once. Boxed, because a result may be undefined.
  const cache = new LRUCache<string, { result: Result }>({ maxSize: maxEntries, sizeCalculation: () => 1 })
  return (query) => {
    const key = keyOf(query)
    if (key.length > MAX_KEY_LENGTH) return compute(query)
    const cached = cache.get(key)
    if (cached) return cached.result
    const result = compute(query)
    cache.set(key, { result })
    return result
  }
}

/** The key of a query that is a string. */
export const itself = (text: string): string => text

/** Computes a value on first use. */
export function lazy<T>(make: () => T): () => T {
  let computed: { value: T } | undefined
  return () => {
    computed ??= { value: make() }
    return computed.value
  }
}

/**
 * Calls with the same key share a run. A call during a run waits for the next one, which all such calls share: a run that has begun
 * may have read before the caller's last write.
 */
export function coalesce<Result>() {
  interface Run {
    ended: Promise<unknown>
    next?: Promise<Result>
  }
  const runs = new Map<string, Run>()

  function start(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (async () => work())()
    const run: Run = { ended: result.catch(() => undefined) }
    runs.set(key, run)
    void run.ended.then(() => {
      if (!run.next) runs.delete(key)
    })
    return result
  }

  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const run = runs.get(key)
    if (!run) return start(key, work)
    run.next ??= run.ended.then(() => start(key, work))
    return run.next
  }
}

/** The value that a map keeps under a key, made at its first use. */
export function getOrInsert<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = make()
  map.set(key, created)
  return created
}

/** Undefined if it throws: what was given is damaged, malformed, or sealed with another key. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
