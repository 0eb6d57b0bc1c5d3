import { hash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Body } from './body.ts'
import { conflict, invalid } from './problems.ts'

const HOURS = 24 // docs/decisions.md
const VISIBLE_ASCII = /^[!-~]{1,255}$/

/** Identifies a request of one site that is sent twice. */
export interface Once {
  key: string
  /** Of the body: one key stands for one body. */
  digest: Buffer
}

/** What was received with a key. */
export interface Used {
  sid: string
  digest: Buffer
}

/** Reads an `Idempotency-Key` and digests the body; 400 if the key is malformed. */
export function readIdempotencyKey(header: string | string[] | undefined, body: Body): Once | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && VISIBLE_ASCII.test(header))
    return { key: header, digest: Buffer.from(hash('sha256', body, 'hex'), 'hex') }
  throw invalid({ 'Idempotency-Key': ['Debe tener de 1 a 255 caracteres ASCII visibles, sin espacios.'] })
}

/** The site id of keys from this server's own form. */
export const OWN_FORM = 0

/** SQL condition: a row of idempotency_keys has not expired. */
export const FRESH = (row: Sql): Sql => sql`${row}.created_at > now() - make_interval(hours => ${HOURS})`

export const sameBody = (once: Once, used: Used): boolean => once.digest.equals(used.digest)

/** 409: the key was used with another body. */
export const keyReused = (what = 'otra consulta') =>
  conflict({ 'Idempotency-Key': ['Ya se usó con otro cuerpo.'] }, `Esa Idempotency-Key ya se usó para ${what}.`)

/** Deletes expired keys. */
export async function forgetKeys(db: Db): Promise<void> {
  await db.query(sql`delete from idempotency_keys where not (${FRESH(sql`idempotency_keys`)})`)
}
