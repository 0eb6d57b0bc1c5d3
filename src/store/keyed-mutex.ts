/** Runs work after earlier work with the same key has ended; other keys do not wait. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * A transaction that waits for a database lock holds a connection meanwhile, and enough of them leave none for others.
 * Work that is known to contend waits here instead, without a connection.
 */
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
