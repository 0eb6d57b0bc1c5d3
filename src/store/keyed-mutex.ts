/** Runs work after earlier work with the same key has ended; other keys do not wait. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

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
