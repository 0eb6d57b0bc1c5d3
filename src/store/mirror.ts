import type { Listener } from './listener.ts'

const TRUSTED_MS = 900 // "refused within a second on every node": past this, each request asks the database

/** A table that is held in memory as a whole, by a key that requests carry. */
export interface Mirror<Entry> {
  /** The entry under that key: from memory while that is known to be fresh, else asked of the database. */
  find(key: string): Entry | undefined | Promise<Entry | undefined>
}

export interface MirrorOptions<Entry> {
  listener: Pick<Listener, 'on' | 'onReconnect' | 'freshSince'>
  nowMs: () => number
  /** Where the table tells of its changes, by the row's id. */
  channel: string
  /** The entries of those rows, or of all; a row that is gone or revoked has none. */
  read(ids: number[] | 'all'): Promise<Entry[]>
  ask(key: string): Promise<Entry | undefined>
  idOf(entry: Entry): number
  keyOf(entry: Entry): string
}

/**
 * It holds all entries rather than those seen lately, so that an unknown key costs what a known one does; the database
 * tells it of each change, and it knows how long ago it last heard.
 */
export async function openMirror<Entry>(options: MirrorOptions<Entry>): Promise<Mirror<Entry>> {
  const { listener, nowMs, channel, read, ask, idOf, keyOf } = options
  const entries = new Map<string, Entry>()
  const keys = new Map<number, string>()
  const due = new Set<number | 'all'>(['all'])
  let reading: Promise<void> | undefined

  /** Reads what is due, one batch after the other, so that an older reading never overtakes a newer one. */
  function refresh(): Promise<void> {
    reading ??= readDue().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function readDue(): Promise<void> {
    while (due.size > 0) {
      const batch = [...due]
      due.clear()
      try {
        await readBatch(batch)
      } catch (error) {
        for (const item of batch) due.add(item)
        throw error
      }
    }
  }

  async function readBatch(batch: (number | 'all')[]): Promise<void> {
    const all = batch.includes('all')
    const ids = all ? [...keys.keys()] : (batch as number[])
    const fresh = await read(all ? 'all' : ids)
    for (const id of ids) entries.delete(keys.get(id) ?? '')
    for (const entry of fresh) {
      keys.set(idOf(entry), keyOf(entry))
      entries.set(keyOf(entry), entry)
    }
  }

  function markDue(item: number | 'all'): void {
    due.add(item)
    refresh().catch(() => undefined) // what could not be read stays due, and is asked for meanwhile
  }

  listener.on(channel, (id) => markDue(Number(id)))
  listener.onReconnect(() => markDue('all'))
  await refresh()

  const isFresh = () => due.size === 0 && reading === undefined && nowMs() - listener.freshSince() < TRUSTED_MS

  return {
    find(key) {
      if (isFresh()) return entries.get(key)
      if (due.size > 0) refresh().catch(() => undefined)
      return ask(key)
    },
  }
}
