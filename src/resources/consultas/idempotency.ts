import sql, { type Sql } from 'sql-template-tag'
import { conflict, invalid } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'

const HOURS = 24 // decisions, 9
const VISIBLE_ASCII = /^[!-~]{1,255}$/

/** By what a request that comes twice is recognised. */
export interface Once {
  sitioId: number
  key: string
  /** Of the body: under one key there is one. */
  digest: Buffer
}

/** What was received under a key. */
export interface Used {
  sid: string
  digest: Buffer
}

/** The `Idempotency-Key` of a request; 400 where it is not of the form that we keep. */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && VISIBLE_ASCII.test(header)) return header
  throw invalid({ 'Idempotency-Key': ['Debe tener de 1 a 255 caracteres ASCII visibles, sin espacios.'] })
}

/** What a key was used for, as a row to be joined. */
export const usedSql = (once: Once | undefined): Sql =>
  once
    ? sql`(select sid, digest from idempotency_keys
           where sitio_id = ${once.sitioId} and key = ${once.key} and ${fresh})`
    : sql`(select null::text as sid, null::bytea as digest)`

const fresh = sql`idempotency_keys.created_at > now() - make_interval(hours => ${HOURS})`

/**
 * Takes the key for an inquiry, as the part `claimed` of a statement: it has a row where the key was free. Of two at the
 * same moment the second waits here until the first is kept, and gets none.
 */
export const claimSql = (once: Once | undefined, sid: string): Sql =>
  once
    ? sql`claimed as (
        insert into idempotency_keys (sitio_id, key, digest, sid)
        values (${once.sitioId}, ${once.key}, ${once.digest}, ${sid})
        on conflict (sitio_id, key) do update
          set digest = excluded.digest, sid = excluded.sid, created_at = now() where not (${fresh})
        returning sid)`
    : sql`claimed as (select ${sid}::text as sid)`

export const sameBody = (once: Once, used: Used): boolean => once.digest.equals(used.digest)

/** 409: the key stands for another inquiry. */
export const usedForAnother = () =>
  conflict({ 'Idempotency-Key': ['Ya se usó con otro cuerpo.'] }, 'Esa Idempotency-Key ya se usó para otra consulta.')

/** Forgets keys that are too old to be honoured. */
export async function forgetKeys(db: Db): Promise<void> {
  await db.query(sql`delete from idempotency_keys where not (${fresh})`)
}
