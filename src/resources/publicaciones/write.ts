import { isDeepStrictEqual } from 'node:util'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { fold } from '../../catalogue/text.ts'
import { assignFrom, type Columns, columnNames, recordColumns, recordNames } from '../../store/columns.ts'
import type { Db } from '../../store/db.ts'
import {
  type DatoTecnico,
  type Details,
  INSERT_COLUMNS,
  PUBLICACION,
  type Publicacion,
  type Vehicle,
  type Visibility,
} from './publicacion.ts'

type Column = keyof typeof INSERT_COLUMNS

export interface NewPublicacion
  extends Omit<Vehicle, 'escrito'>,
    Omit<Details, 'datosTecnicos'>,
    Partial<Visibility>,
    Pick<Publicacion, 'agenciaId' | 'externalId'> {
  app: Pick<App, 'id' | 'modo'>
  datosTecnicos?: DatoTecnico[]
  escrito?: string
}

/** The text that `q` searches: the car and the partner's own numbers, without case and accents. */
const searchText = (row: Pick<Publicacion, 'marca' | 'modelo' | 'version' | 'externalId' | 'refStock'>) =>
  fold([row.marca, row.modelo, row.version, row.externalId, row.refStock].filter(Boolean).join(' '))

export type NewListing = { vehicle: Vehicle; details: Details; visibility: Visibility; motivo?: string | null }

/** The row of a listing that a partner publishes; `motivo` only of one that is imported. */
export function newRow(owner: object, externalId: string, listing: NewListing): object {
  const { vehicle, details, visibility, motivo } = listing
  const busqueda = searchText({ ...vehicle, externalId, refStock: details.refStock })
  return { ...owner, externalId, busqueda, motivo, ...vehicle, ...details, ...visibility }
}

const returningRow = sql`returning ${PUBLICACION}`

/** Inserts listings in one statement, except those whose ExternalId the app already uses at the agency. */
export const insertRows = (tx: Db, rows: object[], returning: Sql = empty): Promise<Publicacion[]> =>
  tx.query<Publicacion>(sql`
    insert into publicaciones as p (${columnNames(INSERT_COLUMNS)})
    select ${recordNames(INSERT_COLUMNS)}
    from json_to_recordset(${JSON.stringify(rows)}) as row (${recordColumns(INSERT_COLUMNS)})
    on conflict (agencia_id, lower(external_id), app_id) where estado <> 'Archivada' do nothing
    ${returning}`)

export const insertPublicaciones = (tx: Db, given: NewPublicacion[]): Promise<Publicacion[]> =>
  insertRows(
    tx,
    given.map(({ app, agenciaId, estado = 'Activa', datosTecnicos = [], escrito = '', suspensiones, ...data }) => {
      const visibility = { estado, suspensiones: suspensiones ?? (estado === 'Suspendida' ? ['app'] : []) }
      const owner = { modo: app.modo, agenciaId, appId: app.id }
      return { ...owner, ...visibility, datosTecnicos, escrito, busqueda: searchText(data), ...data }
    }),
    returningRow,
  )

/** Undefined if the ExternalId is taken. */
export const insertPublicacion = async (tx: Db, given: NewPublicacion) => (await insertPublicaciones(tx, [given]))[0]

export interface Update {
  current: Publicacion
  details: Details
  visibility: Visibility
  columns: Column[]
}

export const changesOf = (current: Details & Visibility, details: Details, visibility: Visibility): Column[] => [
  ...differing(current, details),
  ...differing(current, visibility),
]

const differing = <Part extends Details | Visibility>(current: Part, part: Part) =>
  (Object.keys(part) as (keyof Part & Column)[]).filter((name) => !isSame(part[name], current[name]))

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && one !== null && isDeepStrictEqual(one, other))

/** Updates listings in one statement. It sends only columns that change somewhere: most uploads change prices alone. */
export function updateRows(tx: Db, changes: Update[], returning: Sql = empty): Promise<Publicacion[]> {
  const changed = new Set(changes.flatMap(({ columns }) => columns))
  if (changed.has('refStock')) changed.add('busqueda')
  const columns: Columns = Object.fromEntries([...changed].map((name) => [name, INSERT_COLUMNS[name]]))
  const rows = changes.map((change) => changedRow(change, [...changed]))
  // The reason that others gave stays as long as they suspend it.
  const motivo = sql`, motivo = case when row.suspensiones && '{mercado,agencia}' then p.motivo end`
  return tx.query<Publicacion>(sql`
    update publicaciones p
    set ${assignFrom('row', columns)} ${changed.has('suspensiones') ? motivo : empty}, updated_at = now()
    from json_to_recordset(${JSON.stringify(rows)}) as row (id int, ${recordColumns(columns)})
    where p.id = row.id
    ${returning}`)
}

function changedRow({ current, details, visibility }: Update, columns: readonly Column[]): object {
  const row: Record<string, unknown> = { id: current.id }
  for (const column of columns) {
    if (column in details) row[column] = details[column as keyof Details]
    else if (column in visibility) row[column] = visibility[column as keyof Visibility]
    else row[column] = searchText({ ...current, refStock: details.refStock })
  }
  return row
}

export const updatePublicacion = async (tx: Db, change: Update) => (await updateRows(tx, [change], returningRow))[0]

/** Archives listings for good; their ExternalIds are free again. */
export const archivePublicaciones = (tx: Db, ids: number[]) =>
  tx.query(sql`
    update publicaciones p set estado = 'Archivada', archived_at = now(), updated_at = now()
    where p.id = any(${ids}) and p.estado <> 'Archivada'`)

/** Gives listings of an agency to somebody who works there: they get the new inquiries about them. Returns how many changed. */
export async function assignPublicaciones(
  tx: Db,
  agenciaId: number,
  ids: readonly number[],
  operador: string,
): Promise<number> {
  const changed = await tx.query(sql`
    update publicaciones set operador = ${operador}, updated_at = now()
    where id in (
      select id from publicaciones
      where id = any (${ids}::int[]) and agencia_id = ${agenciaId} and estado <> 'Archivada' and operador <> ${operador}
      order by id for no key update)
    returning 1`)
  return changed.length
}
