import { hash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { message } from '../i18n/messages.tsx'
import type { Db } from '../store/db.ts'
import type { Body } from './body.ts'
import { conflict, fault, invalid } from './problems.ts'

const HOURS = 24 // docs/decisions/inquiries.md
const VISIBLE_ASCII = /^[!-~]{1,255}$/

/** Recognises a request that a site sends again. */
export interface IdempotencyKey {
  value: string
  /** Of the body: a key may not be reused with another one. */
  digest: Buffer
}

/** A key that was used before, and the inquiry that it created. */
export interface UsedKey {
  sid: string
  digest: Buffer
}

/** Reads an `Idempotency-Key` and digests the body; 400 if the key is malformed. */
export function readIdempotencyKey(header: string | string[] | undefined, body: Body): IdempotencyKey | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && VISIBLE_ASCII.test(header))
    return { value: header, digest: hash('sha256', body, 'buffer') }
  throw invalid({
    'Idempotency-Key': [fault('formato', 'Debe tener de 1 a 255 caracteres ASCII visibles, sin espacios.')],
  })
}

/** The site id of keys from this server's own form. */
export const OWN_FORM_SITIO = 0

/** SQL condition: a row of idempotency_keys has not expired. */
export const notExpired = (row: Sql): Sql => sql`${row}.created_at > now() - make_interval(hours => ${HOURS})`

export const sameBody = (key: IdempotencyKey, used: UsedKey): boolean => key.digest.equals(used.digest)

/** 409: the key was used with another body. */
export const keyReused = (detail = message('problema.keyReusedInquiry')) =>
  conflict({ 'Idempotency-Key': [fault('clave-usada', 'Ya se usó con otro cuerpo.')] }, detail)

export async function deleteExpiredKeys(db: Db): Promise<void> {
  await db.query(sql`delete from idempotency_keys where not (${notExpired(sql`idempotency_keys`)})`)
}
