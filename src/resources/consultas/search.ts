import sql, { empty, type Sql } from 'sql-template-tag'
import { fold } from '../../catalogue/text.ts'
import type { Period } from '../../http/dates.ts'
import { limitConcurrency } from '../../http/limit-concurrency.ts'
import { message } from '../../i18n/messages.tsx'
import type { Db } from '../../store/db.ts'
import { type Cursor, collect, keysetBy, type ResultPage, readsUpwards, resultPage } from '../../store/keyset.ts'
import { ulidRange } from '../../ulid.ts'
import { ACCENTED } from '../agencias/read.ts'
import { CONSULTA_SELECT, type Consulta, type EstadoConsulta } from './consulta.ts'
import { touchedBy } from './counts.ts'
import type { Scope } from './scope.ts'

const MAX_WORDS = 6

interface Search extends Omit<Scope, 'app'> {
  period: Period
  estado?: EstadoConsulta | undefined
  /** Only about the listing with that ExternalId, in lower case. */
  externalKey?: string | undefined
  /** Only those that wait for an answer. */
  unanswered?: boolean | undefined
  /** Words of the person, the message or the car; all must match. */
  text?: string | undefined
}

type SearchPage = ResultPage<Consulta, string>

/** Rows scanned for one page; a search for something rare continues on the next. */
export const MAX_SCANNED = 5_000

/** Searches for words in this process: one at a time for each agency, a few in all, so that others find a connection. */
const limited = limitConcurrency({ most: 4, mostOfKey: 1, refusal: message('problema.searches') })

/** A page of search results, newest first, without a total. */
export const searchConsultas = (db: Db, search: Search, cursor: Cursor): Promise<SearchPage> =>
  search.text ? limited(search.agenciaId, () => searchPage(db, search, cursor)) : searchPage(db, search, cursor)

async function searchPage(db: Db, search: Search, cursor: Cursor): Promise<SearchPage> {
  const { period, estado, unanswered, text = '' } = search
  const { fromSid, untilSid } = ulidRange(period)
  const { within, order, limit } = keysetBy(sql`c.sid`, cursor)
  const words = fold(text).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  const narrows = estado !== undefined || unanswered === true || words.length > 0
  const reach = narrows ? Math.max(MAX_SCANNED, limit) : limit
  const sids = sidsOf(search, cursor, reach)
  const found = await db.query<Consulta>(sql`
    select ${CONSULTA_SELECT} from (${sids}) w
    join consultas c on c.sid = w.sid and c.sid >= ${fromSid} and c.sid < ${untilSid} and ${within}
    where true
      ${estado === undefined ? empty : sql`and c.estado = ${estado}`}
      ${unanswered ? sql`and c.estado in ('nueva', 'leida') and c.suprimida_at is null` : empty}
      ${words.length === 0 ? empty : sql`and (${SEARCHED_TEXT}) ~* all (${words.map(patternOf)}::text[])`}
    order by ${order} limit ${limit}`)
  const part = resultPage(found, cursor)
  if (found.length === limit || !narrows) return part
  const [last] = await db.query<{ sid: string }>(
    sql`select c.sid from (${sids}) c order by ${order} limit 1 offset ${reach - 1}`,
  )
  if (!last) return part
  if (readsUpwards(cursor)) return { ...part, newer: true, searchedTo: { after: last.sid } }
  return { ...part, older: true, searchedTo: { before: last.sid } }
}

/** The newest `limit` results, for a file: searches on until there are enough. */
export const exportConsultas = (db: Db, search: Search, { limit }: Pick<Cursor, 'limit'>): Promise<SearchPage> =>
  collect((from: SearchPage['searchedTo'], left) => searchConsultas(db, search, { ...from, limit: left }), limit)

/** The first rows to scan from the cursor on, merged from the index of each source in the counters. */
export function sidsOf(
  { agenciaId, operadores, externalKey, period }: Pick<Search, 'agenciaId' | 'operadores' | 'externalKey' | 'period'>,
  cursor: Omit<Cursor, 'limit'>,
  reach: number,
): Sql {
  const { fromSid, untilSid } = ulidRange(period)
  const { within, order } = keysetBy(sql`c.sid`, { ...cursor, limit: reach })
  return sql`
    select c.sid
    from (select distinct n.fuente from consulta_counts n where n.agencia_id = ${agenciaId} and ${touchedBy(period)}) seen
    ${operadores === undefined ? empty : sql`cross join unnest(${operadores}::text[]) as responsible (operador)`}
    cross join lateral (
      select c.sid from consultas c
      where c.agencia_id = ${agenciaId} and c.fuente = seen.fuente and c.sid >= ${fromSid} and c.sid < ${untilSid} and ${within}
        ${operadores === undefined ? empty : sql`and c.operador = responsible.operador`}
        ${externalKey === undefined ? empty : sql`and c.external_key = ${externalKey}`}
      order by ${order} limit ${reach}
    ) c
    order by ${order} limit ${reach}`
}

/** For each letter, its accented ones in both cases: a database in the C locale folds the case of ASCII only. */
const accentedOf = new Map<string, string>()
for (const letter of ACCENTED) accentedOf.set(fold(letter), (accentedOf.get(fold(letter)) ?? '') + letter)

/**
 * A pattern that finds a folded word, whatever the case and accents of the text. Folding the text in SQL takes 24 times as
 * long, because `translate` is slow on what is not ASCII.
 */
function patternOf(word: string): string {
  const partOf = (letter: string) => {
    const accented = accentedOf.get(letter)
    return accented ? `[${letter}${accented}]` : letter.replace(PUNCTUATION, '\\$&')
  }
  return Array.from(word, partOf).join('')
}

/** The ASCII characters that may mean something in a pattern. */
const PUNCTUATION = /[!-/:-@[-`{-~]/

/** The text of person, message and car. */
const SEARCHED_TEXT: Sql = sql`
  select concat_ws(' ', i."Nombre", i."Apellido", i."Email", i."Telefono", translate(i."Telefono", ' +()-./', ''), c.telefono,
                   i."Comentario", a."Marca", a."Modelo", a."Version", a."ExternalId", a."RefStock")
  from json_to_record(c.interesado::json) i ("Nombre" text, "Apellido" text, "Email" text, "Telefono" text, "Comentario" text),
       json_to_record(c.auto::json) a ("Marca" text, "Modelo" text, "Version" text, "ExternalId" text, "RefStock" text)`
