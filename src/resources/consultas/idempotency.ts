import { hash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Body } from '../../http/body.ts'
import { conflict, invalid } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'

const HOURS = 24 // decisions, 9
const VISIBLE_ASCII = /^[!-~]{1,255}$/

/** By what a request of one site that comes twice is recognised. */
export interface Once {
  key: string
  /** Of the body: under one key there is one. */
  digest: Buffer
}

/** What was received under a key. */
export interface Used {
  sid: string
  digest: Buffer
}

/** What a request of this `Idempotency-Key` and body is recognised by; 400 where the key is not of the form that we keep. */
export function readOnce(header: string | string[] | undefined, body: Body): Once | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && VISIBLE_ASCII.test(header))
    return { key: header, digest: Buffer.from(hash('sha256', body, 'hex'), 'hex') }
  throw invalid({ 'Idempotency-Key': ['Debe tener de 1 a 255 caracteres ASCII visibles, sin espacios.'] })
}

/** Whose keys those of this server's own form are. */
export const OWN_FORM = 0

/** Whether a row of idempotency_keys is still honoured. */
export const FRESH = (row: Sql): Sql => sql`${row}.created_at > now() - make_interval(hours => ${HOURS})`

/**
 * Takes the keys of the inquiries in `drafted`, as the part `claimed` of a statement: it has the sids whose key was free.
 * Of two at the same moment the second waits here until the first is kept, and is not among them.
 */
export const CLAIMED: Sql = sql`
  claimed as (
    insert into idempotency_keys (sitio_id, key, digest, sid)
    select coalesce(sitio_id, ${OWN_FORM}), key, digest, sid from drafted where key is not null order by 1, 2
    on conflict (sitio_id, key) do update
      set digest = excluded.digest, sid = excluded.sid, created_at = now() where not (${FRESH(sql`idempotency_keys`)})
    returning sid
  )`

export const sameBody = (once: Once, used: Used): boolean => once.digest.equals(used.digest)

/** 409: the key stands for something else. */
export const usedForAnother = (what = 'otra consulta') =>
  conflict({ 'Idempotency-Key': ['Ya se usó con otro cuerpo.'] }, `Esa Idempotency-Key ya se usó para ${what}.`)

/** Forgets keys that are too old to be honoured. */
export async function forgetKeys(db: Db): Promise<void> {
  await db.query(sql`delete from idempotency_keys where not (${FRESH(sql`idempotency_keys`)})`)
}
