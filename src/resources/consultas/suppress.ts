import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type Audited, audit } from '../../accounts/audit.ts'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { ulid } from '../../webhooks/ulid.ts'
import { ERASED } from './consulta.ts'
import type { ConsultasNeeds } from './needs.ts'
import { keysOf } from './person.ts'
import { emptyEvents, tellSuppressed } from './suppressed-events.ts'

/** Who asks to be forgotten: by mail, by telephone or both; in one mode, or wherever they are. */
export interface Person {
  email?: string | undefined
  telefono?: string | undefined
  modo?: Modo | undefined
}

/** What was reached, and that it was asked for before. */
export interface Receipt {
  id: string
  at: Date
  consultas: number
  /** Payloads of events that were emptied, and answers of receivers that were forgotten. */
  eventos: number
  respuestas: number
  correos: number
  /** How many apps are told. */
  apps: number
  before: { id: string; at: Date }[]
}

/** How many inquiries of that person there are, before anything is done. */
export async function countOf(db: Db, person: Person): Promise<number> {
  const [found] = await db.query<{ count: number }>(sql`select count(*) from consultas where ${isBy(person)}`)
  return found?.count ?? 0
}

/**
 * Erases a person from inquiries, events, what receivers answered and letters; what waits to be sent is sent without
 * them, and the apps that have it are told. All of it or nothing: one transaction, which holds only the rows of that
 * person. Asked again it reaches what has come since.
 */
export async function suppress(
  { store, seal, clock, config }: ConsultasNeeds,
  person: Person,
  by: Pick<Audited, 'accountId' | 'via'>,
): Promise<Receipt> {
  const now = clock()
  const hashes = Object.entries(keysOf(known(person))).flatMap(([key, value]) =>
    value ? [seal.hash(`${key} ${value}`, 'suprimir')] : [],
  )
  return store.transaction(async (tx) => {
    const before = await tx.query<{ id: string; at: Date }>(sql`
      select id, at from suppressions where person_hashes && ${hashes}::bytea[] order by id`)
    const consultas = await emptyConsultas(tx, person)
    const sids = consultas.map(({ sid }) => sid)
    // The apps first: whoever ends an association holds it, and then waits for its events.
    const apps = await tellSuppressed(tx, consultas, { moment: now, timeZone: config.timeZone })
    const { eventos, respuestas } = await emptyEvents(tx, sids)
    const correos = await forgetLetters(tx, sids)

    const receipt = { id: ulid(now.getTime()), at: now, consultas: sids.length, eventos, respuestas, correos, apps }
    await keepReceipt(tx, receipt, hashes, by)
    return { ...receipt, before }
  })
}

const known = ({
  email = '',
  telefono = null,
}: {
  email?: string | undefined
  telefono?: string | null | undefined
}) => ({
  Email: email.trim(),
  Telefono: telefono,
})

/** Recognised as reception writes it: the mail without case, the digits of the telephone. */
function isBy(person: Person): Sql {
  const { email, telefono } = keysOf(known(person))
  const keys = [...(email ? [sql`email = ${email}`] : []), ...(telefono ? [sql`telefono = ${telefono}`] : [])]
  if (keys.length === 0) throw new Error('A person is known by a mail or a telephone.')
  return sql`(${join(keys, ' or ')}) ${person.modo ? sql`and modo = ${person.modo}` : empty}`
}

const emptyConsultas = (tx: Db, person: Person): Promise<{ sid: string; agenciaId: number; fuente: number }[]> =>
  tx.query(sql`
    with theirs as materialized (select sid from consultas where ${isBy(person)} order by sid for no key update)
    update consultas c
    set interesado = ${JSON.stringify(ERASED)}, email = null, telefono = null, suprimida_at = now()
    from theirs where c.sid = theirs.sid
    returning c.sid, c.agencia_id as "agenciaId", c.fuente`)

/** A receipt is addressed to the person; the letters to the dealership say nothing until they are read. */
async function forgetLetters(tx: Db, sids: string[]): Promise<number> {
  const gone = await tx.query(sql`
    delete from mails where sid = any (${sids}::text[]) and kind = 'consulta-recibo' returning 1`)
  return gone.length
}

async function keepReceipt(
  tx: Db,
  { id, at, ...reached }: Omit<Receipt, 'before'>,
  hashes: Buffer[],
  by: Pick<Audited, 'accountId' | 'via'>,
): Promise<void> {
  await tx.query(sql`
    insert into suppressions (id, person_hashes, by_account, reached, at)
    values (${id}, ${hashes}, ${by.accountId}, ${JSON.stringify(reached)}, ${at})`)
  await audit(tx, { ...by, act: 'suprimir', subject: id, detail: reached })
}
