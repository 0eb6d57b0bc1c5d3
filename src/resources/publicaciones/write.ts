import { isDeepStrictEqual } from 'node:util'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { fold } from '../../catalogue/text.ts'
import type { Db } from '../../store/db.ts'
import { assigned, COLUMNS, type Column, inRow, inTable, typed } from './columns.ts'
import type { DatoTecnico, Details, Publicacion, PublicacionData } from './publicacion.ts'
import { PUBLICACION } from './store.ts'

/** Where a listing stands. */
export type Visibility = Pick<Publicacion, 'estado' | 'suspensiones' | 'exposicionPedida' | 'exposicion'>

export interface NewPublicacion extends Omit<PublicacionData, 'datosTecnicos' | 'escrito'>, Partial<Visibility> {
  agenciaId: number
  app: Pick<App, 'id' | 'modo'>
  datosTecnicos?: DatoTecnico[]
  escrito?: string
}

/** What `q` looks through: a listing's car and the partner's own numbers, without case and accents. */
export const searchText = (
  row: Pick<Publicacion, 'marca' | 'modelo' | 'version' | 'externalId' | 'refStock'>,
): string => fold([row.marca, row.modelo, row.version, row.externalId, row.refStock].filter(Boolean).join(' '))

/**
 * A row as it travels, from parts that have no member in common. They are joined as text: copying objects of thirty
 * members into one cost as much as writing them into the table.
 */
export const rowText = (...parts: object[]): string =>
  `{${parts.map((part) => JSON.stringify(part).slice(1, -1)).join(',')}}`

const inFull = sql`returning ${PUBLICACION}`

/** Puts listings in, in one statement; a live ExternalId of the same app at the same agency is not put in twice. */
export const insertRows = (tx: Db, rows: string[], returning: Sql = empty): Promise<Publicacion[]> =>
  tx.query<Publicacion>(sql`
    insert into publicaciones as p (modo, agencia_id, app_id, ${inTable(COLUMNS)})
    select modo, "agenciaId", "appId", ${inRow(COLUMNS)}
    from json_to_recordset(${`[${rows.join(',')}]`}) as row (modo text, "agenciaId" int, "appId" int, ${typed(COLUMNS)})
    on conflict (agencia_id, lower(external_id), app_id) where estado <> 'Archivada' do nothing
    ${returning}`)

/** The same for listings that are given whole, and shown as they were kept. */
export const insertPublicaciones = (tx: Db, given: NewPublicacion[]): Promise<Publicacion[]> =>
  insertRows(
    tx,
    given.map(({ app, agenciaId, estado = 'Activa', datosTecnicos = [], escrito = '', suspensiones, ...data }) => {
      const visibility = { estado, suspensiones: suspensiones ?? (estado === 'Suspendida' ? ['app'] : []) }
      const whose = { modo: app.modo, agenciaId, appId: app.id }
      return rowText(whose, visibility, { datosTecnicos, escrito, busqueda: searchText(data) }, data)
    }),
    inFull,
  )

/** Puts one listing in; undefined where its ExternalId is taken. */
export const insertPublicacion = async (tx: Db, given: NewPublicacion): Promise<Publicacion | undefined> =>
  (await insertPublicaciones(tx, [given]))[0]

/** A listing that an app says something new of, in the parts that it was read in, and what that changes. */
export interface Change {
  current: Details & Visibility & Pick<Publicacion, 'id' | 'externalId' | 'marca' | 'modelo' | 'version'>
  details: Details
  visibility: Visibility
  columns: Column[]
}

/** What would be another than it is. */
export const changesOf = (current: Details & Visibility, details: Details, visibility: Visibility): Column[] => [
  ...differing(current, details),
  ...differing(current, visibility),
]

const differing = <Part extends Details | Visibility>(current: Part, part: Part) =>
  (Object.keys(part) as (keyof Part & Column)[]).filter((name) => !isSame(part[name], current[name]))

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && one !== null && isDeepStrictEqual(one, other))

/**
 * Writes what listings say from now on, in one statement. Only columns that differ somewhere travel and are written: an
 * upload mostly brings new prices, and its long descriptions and photos would cost the more.
 */
export function updateRows(tx: Db, changes: Change[], returning: Sql = empty): Promise<Publicacion[]> {
  const changed = new Set(changes.flatMap(({ columns }) => columns))
  if (changed.has('refStock')) changed.add('busqueda')
  const columns = [...changed]
  const rows = changes.map((change) => changedRow(change, columns))
  // What others said when they suspended it stays as long as they do.
  const motivo = sql`, motivo = case when row.suspensiones && '{mercado,agencia}' then p.motivo end`
  return tx.query<Publicacion>(sql`
    update publicaciones p
    set ${assigned(columns)} ${changed.has('suspensiones') ? motivo : empty}, updated_at = now()
    from json_to_recordset(${JSON.stringify(rows)}) as row (id int, ${typed(columns)})
    where p.id = row.id
    ${returning}`)
}

function changedRow({ current, details, visibility }: Change, columns: readonly Column[]): object {
  const row: Record<string, unknown> = { id: current.id }
  for (const column of columns) {
    if (column in details) row[column] = details[column as keyof Details]
    else if (column in visibility) row[column] = visibility[column as keyof Visibility]
    else row[column] = searchText({ ...current, refStock: details.refStock })
  }
  return row
}

/** Writes one of them, and gives it as it then is. */
export const updatePublicacion = async (tx: Db, change: Change): Promise<Publicacion | undefined> =>
  (await updateRows(tx, [change], inFull))[0]

/** Ends listings for good: their ExternalIds are free again. */
export const archivePublicaciones = (tx: Db, ids: number[]): Promise<Publicacion[]> =>
  tx.query<Publicacion>(sql`
    update publicaciones p set estado = 'Archivada', archived_at = now(), updated_at = now()
    where p.id = any(${ids}) and p.estado <> 'Archivada'
    returning ${PUBLICACION}`)
