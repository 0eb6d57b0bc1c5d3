import sql, { empty, type Sql } from 'sql-template-tag'
import { fold } from '../../catalogue/text.ts'
import type { Db } from '../../store/db.ts'
import type { Consulta, EstadoConsulta } from './consulta.ts'
import { touchedBy } from './counts.ts'
import type { Period } from './period.ts'
import { CONSULTA, PER_PAGE, type Scope } from './store.ts'

const MOST_WORDS = 6

export interface Search extends Omit<Scope, 'sight'> {
  period: Period
  estado?: EstadoConsulta | undefined
  /** Words that all stand somewhere in who asks or what about. */
  text?: string | undefined
  page: number
  /** How many a page has; what fits a screen unless said otherwise. */
  most?: number
}

/** A page of what an agency's people look for, newest first, and whether there is another; how many in all is not counted. */
export async function searchConsultas(db: Db, search: Search): Promise<{ rows: Consulta[]; more: boolean }> {
  const { agenciaId, operador, period, estado, text = '', page, most = PER_PAGE } = search
  const offset = (page - 1) * most
  const words = fold(text).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  const looked = sql`
    c.agencia_id = ${agenciaId} and c.fuente = seen.fuente and c.sid >= ${period.fromSid} and c.sid < ${period.untilSid}
    ${operador === undefined ? empty : sql`and c.operador = ${operador}`}
    ${estado === undefined ? empty : sql`and c.estado = ${estado}`}
    ${words.length === 0 ? empty : sql`and ${SAYS} like all (${words.map(part)}::text[])`}`
  const rows = await db.query<Consulta>(sql`
    with seen as materialized (
      select distinct n.fuente from consulta_counts n where n.agencia_id = ${agenciaId} and ${touchedBy(period)}
    )
    select newest.* from seen cross join lateral (
      select ${CONSULTA} from consultas c where ${looked} order by c.sid desc limit ${offset + most + 1}
    ) newest
    order by newest.sid desc limit ${most + 1} offset ${offset}`)
  return { rows: rows.slice(0, most), more: rows.length > most }
}

const part = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

const ACCENTED = 'áéíóúàèìòùâêîôûäëïöüãõçñÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜÃÕÇÑ'

/** Who asks and what about, without case and accents: whatever the locale of the database knows of them. */
const SAYS: Sql = sql`
  lower(translate(
    concat_ws(' ', c.interesado::json ->> 'Nombre', c.interesado::json ->> 'Apellido', c.interesado::json ->> 'Email',
              c.interesado::json ->> 'Telefono', c.telefono, c.auto::json ->> 'Marca', c.auto::json ->> 'Modelo',
              c.auto::json ->> 'Version', c.auto::json ->> 'ExternalId', c.auto::json ->> 'RefStock'),
    ${ACCENTED}, ${fold(ACCENTED)}))`
