import type { Listener } from './listener.ts'

const TRUSTED_MS = 900 // a revoked key is refused within a second on every node

/** A copy of a whole table in memory, by a key that requests contain. */
export interface Mirror<Entry> {
  /** The entry of a key: from memory while the copy is known to be fresh, otherwise from the database. */
  find(key: string): Entry | undefined | Promise<Entry | undefined>
}

interface MirrorOptions<Entry> {
  listener: Pick<Listener, 'on' | 'onGap' | 'freshSince'>
  nowMs: () => number
  /** The NOTIFY channel of the table's changes; the payload is the row's id. */
  channel: string
  /** Reads the entries of these rows, or of all; a deleted or revoked row has none. */
  read(ids: number[] | 'all'): Promise<Entry[]>
  /** Reads one entry from the database. */
  readOne(key: string): Promise<Entry | undefined>
  idOf(entry: Entry): number
  keyOf(entry: Entry): string
}

/** Holds all entries rather than the recent ones, so that an unknown key costs no more than a known one. */
export async function openMirror<Entry>(options: MirrorOptions<Entry>): Promise<Mirror<Entry>> {
  const { listener, nowMs, channel, read, readOne, idOf, keyOf } = options
  const entries = new Map<string, Entry>()
  const keys = new Map<number, string>()
  const due = new Set<number | 'all'>(['all'])
  let reading: Promise<void> | undefined

  /** Reads one batch after another, so that an older result never replaces a newer one. */
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
    refresh().catch(() => undefined) // what could not be read stays due
  }

  listener.on(channel, (id) => markDue(Number(id)))
  listener.onGap(() => markDue('all'))
  await refresh()

  const isFresh = () => due.size === 0 && reading === undefined && nowMs() - listener.freshSince() < TRUSTED_MS

  return {
    find(key) {
      if (isFresh()) return entries.get(key)
      if (due.size > 0) refresh().catch(() => undefined)
      return readOne(key)
    },
  }
}
