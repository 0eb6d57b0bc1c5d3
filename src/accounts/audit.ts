import sql, { empty } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../store/keyset.ts'
import type { Account } from './account.ts'

export const VIAS = ['consola', 'portal', 'agencia', 'sitio', 'comando'] as const

/** Where a person works: what they do about their own account is logged there. */
export const viaOf = ({ staff, develops }: Pick<Account, 'staff' | 'develops'>): Audited['via'] =>
  staff ? 'consola' : develops ? 'portal' : 'agencia'

export interface Audited {
  /** Null for the command line and the marketplace's sites, which know no names. */
  accountId: number | null
  via: (typeof VIAS)[number]
  /** `consulta.leer`, `consultas.listar`, `suprimir` … */
  act: string
  /** A sid, an agency, a receipt; never personal data itself. */
  subject: string
  detail?: Record<string, unknown>
}

/** An entry about what the command line does. */
export const byCommand = (act: string, subject: string, detail?: Record<string, unknown>): Audited => ({
  accountId: null,
  via: 'comando',
  act,
  subject,
  ...(detail && { detail }),
})

/** Stores an entry for good, before the personal data is shown (docs/decisions/reading-inquiries.md). */
export async function audit(db: Db, { accountId, via, act, subject, detail }: Audited): Promise<void> {
  await db.query(sql`
    insert into audit_log (account_id, via, act, subject, detail)
    values (${accountId}, ${via}, ${act}, ${subject}, ${detail ? JSON.stringify(detail) : null})`)
}

export interface AuditEntry extends Pick<Audited, 'via' | 'act'> {
  id: number
  at: Date
  account: { id: number; email: string; nombre: string; apellido: string } | null
  subject: string | null
  /** The account that the entry is about, if it is about one. */
  about: AuditEntry['account']
  detail: Record<string, unknown> | null
}

interface AuditFilters {
  accountId?: number | undefined
  via?: Audited['via'] | undefined
  act?: string | undefined
  subject?: string | undefined
  /** From the first moment of this … */
  desde?: Date | undefined
  /** … to before this. */
  hasta?: Date | undefined
}

/** More than a page can list. */
const MAX_SIDS = 100

/** The detail of an entry. Earlier versions stored every sid of a CSV file: these are shown as number, oldest and newest. */
const BOUNDED_DETAIL = sql`
  case when jsonb_array_length(jsonb_path_query_array(l.detail, '$.sids[*]')) > ${MAX_SIDS}::int
    then l.detail - 'sids' || jsonb_build_object('cantidad', jsonb_array_length(l.detail -> 'sids'),
      'desde', l.detail #> '{sids,-1}', 'hasta', l.detail #> '{sids,0}')
    else l.detail end`

/** The log, newest first. The subquery limits the rows first, so that PostgreSQL joins names only for one page. */
export async function listAudit(
  db: Db,
  filters: AuditFilters,
  cursor: Cursor<number>,
): Promise<ResultPage<AuditEntry>> {
  const { accountId, via, act, subject, desde, hasta } = filters
  const { within, order, limit } = keysetBy(sql`l.id`, cursor)
  const found = await db.query<AuditEntry>(sql`
    select l.id, l.at, l.via, l.act, l.subject, ${BOUNDED_DETAIL} as detail,
           case when a.id is not null then
             json_build_object('id', a.id, 'email', a.email, 'nombre', a.nombre, 'apellido', a.apellido) end as account,
           case when o.id is not null then
             json_build_object('id', o.id, 'email', o.email, 'nombre', o.nombre, 'apellido', o.apellido) end as about
    from (
      select l.* from audit_log l
      where ${within}
        ${accountId === undefined ? empty : sql`and l.account_id = ${accountId}`}
        ${via ? sql`and l.via = ${via}` : empty}
        ${act ? sql`and l.act = ${act}` : empty}
        ${subject ? sql`and l.subject = ${subject}` : empty}
        ${desde ? sql`and l.at >= ${desde} and l.id >= ${nearest(desde, 'first')}` : empty}
        ${hasta ? sql`and l.at < ${hasta} and l.id <= ${nearest(hasta, 'last')}` : empty}
      order by ${order} limit ${limit}
    ) l left join accounts a on a.id = l.account_id
      left join accounts o on o.id = substring(l.subject from '^cuenta (\\d{1,9})$')::int
    order by ${order}`)
  return resultPage(found, cursor)
}

/** Ids and times grow together except for late commits: look at this many ids beyond the day. */
const LATE = 1_000

/** The id near a time, so that a day of last year is not searched from today. */
const nearest = (moment: Date, edge: 'first' | 'last') =>
  edge === 'first'
    ? sql`coalesce((select id from audit_log where at >= ${moment} order by at, id limit 1), 0) - ${LATE}::int`
    : sql`coalesce((select id from audit_log where at < ${moment} order by at desc, id desc limit 1), 0) + ${LATE}::int`

/** Every act in the log, one step through the index each. */
export async function knownActs(db: Db): Promise<string[]> {
  const rows = await db.query<{ act: string }>(sql`
    with recursive known as (
      (select act from audit_log order by act limit 1)
      union all
      select (select l.act from audit_log l where l.act > known.act order by l.act limit 1) from known
      where known.act is not null)
    select act from known where act is not null`)
  return rows.map(({ act }) => act)
}
