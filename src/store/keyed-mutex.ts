/** Does a piece of work when those of the same name that came before it are done; another name waits for nobody. */
export type KeyedMutex = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * Whoever waits for a lock of the database holds a connection meanwhile: enough of them, all after one lock, and nobody
 * else is served. Those who know that they will wait for one another wait here first, where waiting costs nothing.
 */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, mine)
    const leave = () => {
      if (last.get(name) === mine) last.delete(name)
    }
    mine.then(leave, leave)
    return mine
  }
}
