import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type Audited, audit } from '../../accounts/audit.ts'
import type { Modo } from '../../apps/app.ts'
import type { Country } from '../../config.ts'
import { storedPhoneKeys } from '../../phone.ts'
import type { Db } from '../../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../../store/keyset.ts'
import { withdrawFromReplicas } from '../../store/replicas.ts'
import type { Seal } from '../../store/sealed.ts'
import { ulid } from '../../ulid.ts'
import type { ConsultasDeps } from './deps.ts'
import { countErasureApps, eraseFromEvents, notifyErasure } from './events.ts'
import { eraseFromHistory } from './history.ts'
import { EMPTY_PERSON, storedPersonKeys } from './person.ts'

/** A person to erase, by mail, telephone or both, in one mode or in both. */
export interface Person {
  email?: string | undefined
  telefono?: string | undefined
  modo?: Modo | undefined
}

/** What a request erased, and earlier requests for the same person. */
export interface ErasureRecord {
  id: string
  at: Date
  consultas: number
  /** Event payloads emptied, and responses of receivers deleted. */
  eventos: number
  respuestas: number
  correos: number
  apps: number
  /** Inquiries that stay although they share a mail or telephone with these; they need a request of their own. */
  relacionadas: number
  before: { id: string; at: Date }[]
}

export const countOf = (db: Db, person: Person, country: Country): Promise<number> =>
  db.count(sql`select count(*) from consultas where ${isBy(person, country)}`)

/** How many others share a mail or telephone with those. */
export const countRelated = async (db: Db, person: Person, country: Country): Promise<number> =>
  countOthers(db, await consultasOf(db, person, country), person.modo, country)

const countOthers = async (db: Db, keys: Keys[], modo: Modo | undefined, country: Country): Promise<number> =>
  (await countSharing(db, keys, modo, country)) - keys.length

const consultasOf = (db: Db, person: Person, country: Country): Promise<PersonConsulta[]> =>
  db.query(sql`
    select sid, agencia_id as "agenciaId", fuente, email, telefono from consultas where ${isBy(person, country)}`)

type Keys = { email: string | null; telefono: string | null }
type PersonConsulta = Keys & { sid: string; agenciaId: number; fuente: number }

async function countSharing(db: Db, keys: Keys[], modo: Modo | undefined, country: Country): Promise<number> {
  const known = (of: keyof Keys) => [...new Set(keys.flatMap((each) => each[of] ?? []))]
  const telefonos = known('telefono').flatMap((key) => storedPhoneKeys(key, country))
  return db.count(sql`
    select count(*) from consultas
    where (email = any (${known('email')}::text[]) or telefono = any (${telefonos}::text[]))
      ${modo ? sql`and modo = ${modo}` : empty}`)
}

export interface ErasurePreview extends Omit<ErasureRecord, 'id' | 'at' | 'respuestas'> {
  agencias: number
}

export async function previewErasure(db: Db, seal: Seal, person: Person, country: Country): Promise<ErasurePreview> {
  const consultas = await consultasOf(db, person, country)
  const sids = consultas.map(({ sid }) => sid)
  const [found] = await db.query<Pick<ErasurePreview, 'eventos' | 'correos'>>(sql`
    select
      (select count(*) from events
       where sid = any (${sids}::text[]) and topic in ('consulta.recibida', 'consulta.modificada')) as eventos,
      (select count(*) from mail_recipients
       where sid = any (${sids}::text[]) and kind = 'consulta-recibo') as correos`)
  return {
    consultas: sids.length,
    agencias: new Set(consultas.map(({ agenciaId }) => agenciaId)).size,
    ...(found ?? { eventos: 0, correos: 0 }),
    apps: await countErasureApps(db, consultas),
    relacionadas: await countOthers(db, consultas, person.modo, country),
    before: await requestedBefore(db, hashesOf(seal, person, country)),
  }
}

/**
 * Erases a person from inquiries, notes, events, responses of receivers and emails in one transaction, and notifies the apps.
 * Pending events are sent without the person, except those that a worker holds in memory (docs/decisions/outbox.md). A repeated
 * request erases what arrived since.
 */
export async function erasePerson(
  { store, seal, clock, config }: ConsultasDeps,
  person: Person,
  by: Pick<Audited, 'accountId' | 'via'>,
): Promise<ErasureRecord> {
  const now = clock()
  const { timeZone, country } = config
  const hashes = hashesOf(seal, person, country)
  return store.transaction(async (tx) => {
    const before = await requestedBefore(tx, hashes)
    const consultas = await eraseFromConsultas(tx, person, country)
    // Only now: the locks of the rows make the second of two requests wait for the first.
    const repeated = consultas.length === 0 && (await repeatedRecord(tx, hashes, by.accountId, now))
    if (repeated) return { ...repeated, before: before.filter(({ id }) => id !== repeated.id) }
    await withdrawFromReplicas(tx)
    const sids = consultas.map(({ sid }) => sid)
    // Associations first, in the same order as when one ends.
    const apps = await notifyErasure(tx, consultas, { moment: now, timeZone })
    const { eventos, respuestas } = await eraseFromEvents(tx, sids)
    const correos = await deleteReceiptEmails(tx, sids)
    await eraseFromHistory(tx, sids)
    const relacionadas = await countSharing(tx, consultas, person.modo, country) // the erased ones no longer have either

    const reached = { consultas: sids.length, eventos, respuestas, correos, apps, relacionadas }
    const record = { id: ulid(now.getTime()), at: now, ...reached }
    await insertErasureRecord(tx, record, hashes, by)
    return { ...record, before }
  })
}

/** Identifies a person in later requests, however the telephone is written, without naming them. */
function hashesOf(seal: Seal, person: Person, country: Country): Buffer[] {
  const { email, telefonos } = storedPersonKeys(person, country)
  const keys = [...(email ? [`email ${email}`] : []), ...telefonos.map((key) => `telefono ${key}`)]
  return keys.map((key) => seal.hash(key, 'suprimir'))
}

const requestedBefore = (db: Db, hashes: Buffer[]): Promise<ErasureRecord['before']> =>
  db.query(sql`select id, at from suppressions where person_hashes && ${hashes}::bytea[] order by id`)

/** Compared as intake stores it: the mail without case, the telephone as it is understood. */
function isBy(person: Person, country: Country): Sql {
  const { email, telefonos } = storedPersonKeys(person, country)
  const keys = [
    ...(email ? [sql`email = ${email}`] : []),
    ...(telefonos.length > 0 ? [sql`telefono = any (${telefonos}::text[])`] : []),
  ]
  if (keys.length === 0) throw new Error('A person needs a mail or a telephone.')
  return sql`(${join(keys, ' or ')}) ${person.modo ? sql`and modo = ${person.modo}` : empty}`
}

const eraseFromConsultas = (tx: Db, person: Person, country: Country): Promise<PersonConsulta[]> =>
  tx.query(sql`
    with theirs as materialized (
      select sid, email, telefono from consultas where ${isBy(person, country)} order by sid for no key update)
    update consultas c
    set interesado = ${JSON.stringify(EMPTY_PERSON)}, email = null, telefono = null, suprimida_at = now()
    from theirs where c.sid = theirs.sid
    returning c.sid, c.agencia_id as "agenciaId", c.fuente, theirs.email, theirs.telefono`)

/** Only receipts are addressed to the person; emails to the agency are composed when they are sent. */
async function deleteReceiptEmails(tx: Db, sids: string[]): Promise<number> {
  const deleted = await tx.query(sql`
    with emptied as (
      update mails set receipt_id = null, receipt_to = null, receipt_estado = null, receipt_error = null
      where sid = any (${sids}::text[]) and receipt_to is not null returning 1),
    deleted as (delete from mails where sid = any (${sids}::text[]) and kind = 'consulta-recibo' returning 1)
    select from emptied union all select from deleted`)
  return deleted.length
}

async function insertErasureRecord(
  tx: Db,
  { id, at, ...reached }: Omit<ErasureRecord, 'before'>,
  hashes: Buffer[],
  by: Pick<Audited, 'accountId' | 'via'>,
): Promise<void> {
  await tx.query(sql`
    insert into suppressions (id, person_hashes, by_account, reached, at)
    values (${id}, ${hashes}, ${by.accountId}, ${JSON.stringify(reached)}, ${at})`)
  await audit(tx, { ...by, act: 'suprimir', subject: id, detail: reached })
}

/** A person's request that is sent again within this time, and finds nothing more, is a double click. */
const DOUBLE_CLICK_MS = 10_000

async function repeatedRecord(tx: Db, hashes: Buffer[], accountId: number | null, now: Date) {
  const [made] = await tx.query<{ id: string }>(sql`
    select id from suppressions
    where person_hashes = ${hashes}::bytea[] and by_account = ${accountId} and (reached ->> 'consultas')::int > 0
      and at > ${new Date(now.getTime() - DOUBLE_CLICK_MS)}
    order by id desc limit 1`)
  return made && findErasure(tx, made.id)
}

/** A completed request, without the person. */
export interface Erasure extends Omit<ErasureRecord, 'before'> {
  /** Null: the command line. */
  by: { email: string; nombre: string; apellido: string } | null
}

const selected = (where: Sql): Sql => sql`
  select s.id, s.at, (s.reached ->> 'consultas')::int as consultas, (s.reached ->> 'eventos')::int as eventos,
         (s.reached ->> 'respuestas')::int as respuestas, (s.reached ->> 'correos')::int as correos,
         (s.reached ->> 'apps')::int as apps, coalesce((s.reached ->> 'relacionadas')::int, 0) as relacionadas,
         case when a.id is not null then
           json_build_object('email', a.email, 'nombre', a.nombre, 'apellido', a.apellido) end as by
  from suppressions s left join accounts a on a.id = s.by_account where ${where}`

/** Receipts, newest first. */
export async function listErasures(db: Db, cursor: Cursor): Promise<ResultPage<Erasure>> {
  const { within, order, limit } = keysetBy(sql`s.id`, cursor)
  return resultPage(await db.query<Erasure>(sql`${selected(within)} order by ${order} limit ${limit}`), cursor)
}

export const findErasure = (db: Db, id: string): Promise<Erasure | undefined> =>
  db.first<Erasure>(selected(sql`s.id = ${id}`))
