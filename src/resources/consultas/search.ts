import sql, { empty, type Sql } from 'sql-template-tag'
import { fold } from '../../catalogue/text.ts'
import type { Period } from '../../http/dates.ts'
import { limitConcurrency } from '../../http/limit-concurrency.ts'
import { message } from '../../i18n/messages.tsx'
import type { Db } from '../../store/db.ts'
import { type UlidRange, ulidRange } from '../../ulid.ts'
import { ACCENTED } from '../agencias/read.ts'
import { CONSULTA_SELECT, type Consulta, type EstadoConsulta } from './consulta.ts'
import { touchedBy } from './counts.ts'
import { PER_PAGE } from './read.ts'
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
  page: number
  /** Only those before this sid, where an earlier search stopped. */
  before?: string | undefined
  most?: number
}

interface SearchPage {
  rows: Consulta[]
  /** There is another page among the scanned rows. */
  more: boolean
  /** Where the search stopped after `MAX_SCANNED` rows, if there may be more. */
  searchedTo?: string
}

/** Rows scanned for one page; a search for something rare continues on the next. */
export const MAX_SCANNED = 5_000

/** Searches for words in this process: one at a time for each agency, a few in all, so that others find a connection. */
const limited = limitConcurrency({ most: 4, mostOfKey: 1, refusal: message('problema.searches') })

/** A page of search results, newest first, without a total. */
export const searchConsultas = (db: Db, search: Search): Promise<SearchPage> =>
  search.text ? limited(search.agenciaId, () => searchPage(db, search)) : searchPage(db, search)

async function searchPage(db: Db, search: Search): Promise<SearchPage> {
  const { period, estado, unanswered, text = '', page, most = PER_PAGE } = search
  const { fromSid, untilSid } = ulidRange(period)
  const until = search.before !== undefined && search.before < untilSid ? search.before : untilSid
  const reach = Math.max(MAX_SCANNED, most + 1)
  const sids = newestSids(search, { fromSid, untilSid: until }, reach)
  const words = fold(text).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  const found = await db.query<Consulta>(sql`
    select ${CONSULTA_SELECT} from (${sids}) w
    join consultas c on c.sid = w.sid and c.sid >= ${fromSid} and c.sid < ${until}
    where true
      ${estado === undefined ? empty : sql`and c.estado = ${estado}`}
      ${unanswered ? sql`and c.estado in ('nueva', 'leida') and c.suprimida_at is null` : empty}
      ${words.length === 0 ? empty : sql`and (${SEARCHED_TEXT}) ~* all (${words.map(patternOf)}::text[])`}
    order by w.sid desc limit ${most + 1} offset ${(page - 1) * most}`)
  const rows = found.slice(0, most)
  const more = found.length > most
  if (more) return { rows, more }
  const [last] = await db.query<{ sid: string }>(sql`
    select sid from (${sids}) w order by sid desc limit 1 offset ${reach - 1}`)
  return { rows, more, ...(last && { searchedTo: last.sid }) }
}

/** The first results of all pages, for a file: searches on until there are enough. */
export async function searchOn(db: Db, search: Omit<Search, 'page' | 'most'>, most: number): Promise<SearchPage> {
  const rows: Consulta[] = []
  let before = search.before
  for (;;) {
    const found = await searchConsultas(db, { ...search, before, page: 1, most: most - rows.length })
    rows.push(...found.rows)
    if (rows.length === most || found.searchedTo === undefined) return { ...found, rows }
    before = found.searchedTo
  }
}

/** The newest rows to scan, merged from the index of each source in the counters. */
export function newestSids(
  { agenciaId, operadores, externalKey, period }: Pick<Search, 'agenciaId' | 'operadores' | 'externalKey' | 'period'>,
  { fromSid, untilSid }: UlidRange,
  reach: number,
): Sql {
  return sql`
    select newest.sid
    from (select distinct n.fuente from consulta_counts n where n.agencia_id = ${agenciaId} and ${touchedBy(period)}) seen
    ${operadores === undefined ? empty : sql`cross join unnest(${operadores}::text[]) as responsible (operador)`}
    cross join lateral (
      select c.sid from consultas c
      where c.agencia_id = ${agenciaId} and c.fuente = seen.fuente and c.sid >= ${fromSid} and c.sid < ${untilSid}
        ${operadores === undefined ? empty : sql`and c.operador = responsible.operador`}
        ${externalKey === undefined ? empty : sql`and c.external_key = ${externalKey}`}
      order by c.sid desc limit ${reach}
    ) newest
    order by newest.sid desc limit ${reach}`
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
