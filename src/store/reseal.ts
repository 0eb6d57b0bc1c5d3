import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, Store } from './db.ts'
import { followStore, readSealState, type Seal, type SealedColumn } from './sealed.ts'

const BATCH = 500

interface ResealOptions {
  store: Store
  seal: Seal
  columns: SealedColumn[]
  /** Called with a column and how many of its values were sealed so far; the last call for it has `done`. */
  onProgress?: (name: string, count: number, done: boolean) => void
  /** Waits until no transaction runs any more that sealed something with the former key. */
  settle(): Promise<unknown>
  /** Stops between two batches; run it again to continue. */
  signal?: AbortSignal
}

/** Longer than a node may go without reading the active key (sealed.ts) and then write what it sealed. */
export const SETTLE_MS = 75_000

/**
 * Seals every stored value with MASTER_KEY while all nodes go on. First the store names it as the active key, and nodes
 * seal with it; then values of another key are sealed anew in batches. Whatever was done stays done: a value says which
 * key opens it, so that an interrupted run continues. Returns how many values were sealed anew.
 */
export async function reseal({ store, seal, columns, onProgress, settle, signal }: ResealOptions): Promise<number> {
  await activate(store, seal)
  let total = 0
  // A node may have sealed with the former key until it heard of the new one, and commit later. So there is another pass
  // after the wait, and nobody needs the former key once such a pass finds nothing.
  for (let settled = false; ; ) {
    let found = 0
    for (const column of columns) found += await resealColumn(store, seal, column, onProgress, signal)
    total += found
    if (found === 0 && settled) break
    settled = found === 0
    if (settled) await settle()
  }
  await store.query(sql`delete from settings where name = 'master_key_former'`)
  return total
}

/** Makes MASTER_KEY the active key. Nodes have both, so it does not matter when each of them hears of it. */
async function activate(store: Store, seal: Seal): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('rodado master_key'))`)
    const { active } = await readSealState(tx)
    const changes: [string, string][] = [['master_key_ids', 'on']]
    if (active !== seal.fingerprint)
      changes.push(
        ['master_key_fingerprint', seal.fingerprint],
        ['master_key_former', active],
        ['hash_key', seal.sealHashKey()],
      )
    for (const [name, value] of changes)
      await tx.query(sql`
        insert into settings (name, value) values (${name}, ${value})
        on conflict (name) do update set value = excluded.value`)
    await tx.query(sql`select pg_notify('master_key', '')`)
  })
  await followStore(store, seal)
}

interface Row {
  id: string
  owner: string
  sealed: Buffer
}

/** In order of the ids. A value that changes meanwhile is left as it is; the next pass finds it if it must. */
async function resealColumn(
  store: Store,
  seal: Seal,
  column: SealedColumn,
  onProgress: ResealOptions['onProgress'],
  signal: AbortSignal | undefined,
): Promise<number> {
  const { idType, purpose } = column
  const { table, id, value } = namesOf(column)
  const name = `${column.table}.${column.column}`
  let count = 0
  let after: string | null = null
  for (;;) {
    signal?.throwIfAborted()
    const rows: Row[] = await store.query<Row>(sql`
      select ${id}::text as id, ${column.owner ? raw(column.owner) : id}::text as owner, ${value} as sealed from ${table}
      where ${isOther(value, seal)} and (${after}::text is null or ${id} > ${after}::${raw(idType)})
      order by ${id} limit ${BATCH}`)
    if (rows.length === 0) break
    const anew = rows.map(({ owner, sealed }) => seal.sealAnew(seal.open(sealed, purpose(owner)), purpose(owner)))
    await store.query(sql`
      update ${table} row set ${value} = anew.sealed
      from unnest(${rows.map((row) => row.id)}::text[], ${rows.map(({ sealed }) => sealed)}::bytea[], ${anew}::bytea[])
        as anew (id, former, sealed)
      where row.${id} = anew.id::${raw(idType)} and row.${value} = anew.former`)
    count += rows.length
    after = rows.at(-1)?.id ?? null
    onProgress?.(name, count, false)
  }
  if (count > 0) onProgress?.(name, count, true)
  return count
}

/** How many values of each column MASTER_KEY did not seal. */
export async function countOthers(db: Db, seal: Seal, columns: SealedColumn[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const column of columns) {
    const { table, value } = namesOf(column)
    counts[`${column.table}.${column.column}`] = await db.count(
      sql`select count(*) from ${table} where ${isOther(value, seal)}`,
    )
  }
  return counts
}

const namesOf = ({ table, id, column }: SealedColumn) => ({ table: raw(table), id: raw(id), value: raw(column) })

/** Null is no value. */
const isOther = (value: Sql, { prefix }: Seal): Sql => sql`substring(${value} from 1 for ${prefix.length}) <> ${prefix}`
