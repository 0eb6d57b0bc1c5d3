import sql, { join, type Sql } from 'sql-template-tag'
import type { Db, Transactional } from '../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../store/keyset.ts'

export const IMPACTOS = ['menor', 'mayor', 'mantenimiento'] as const
export type Impacto = (typeof IMPACTOS)[number]

export const ESTADOS_INCIDENTE = ['investigando', 'identificado', 'observando', 'resuelto'] as const
export type EstadoIncidente = (typeof ESTADOS_INCIDENTE)[number]

interface IncidentUpdate {
  estado: EstadoIncidente
  texto: string
  at: Date
}

export interface Incident {
  id: number
  titulo: string
  impacto: Impacto
  desde: Date
  hasta: Date | null
  /** The newest first; never empty. */
  updates: IncidentUpdate[]
}

interface IncidentRow extends Omit<Incident, 'updates'> {
  updates: (Omit<IncidentUpdate, 'at'> & { at: string })[]
}

async function select(db: Db, conditions: Sql[], order: Sql, limit: number): Promise<Incident[]> {
  const rows = await db.query<IncidentRow>(sql`
    select i.id, i.titulo, i.impacto, i.created_at as desde, i.ended_at as hasta,
      (select json_agg(json_build_object('estado', u.estado, 'texto', u.texto, 'at', u.created_at) order by u.id desc)
       from incident_updates u where u.incident_id = i.id) as updates
    from incidents i where ${join(conditions, ' and ')} order by ${order} limit ${limit}`)
  return rows.map((row) => ({ ...row, updates: row.updates.map((each) => ({ ...each, at: new Date(each.at) })) }))
}

/** For the status page: those that go on, and those of the last days. */
export const recentIncidents = (db: Db, days: number, most: number): Promise<Incident[]> =>
  select(
    db,
    [sql`(i.ended_at is null or i.ended_at > now() - make_interval(days => ${days}))`],
    sql`i.ended_at is not null, i.id desc`,
    most,
  )

export async function listIncidents(
  db: Db,
  { estado }: { estado: 'abiertos' | 'resueltos' | undefined },
  cursor: Cursor<number>,
): Promise<ResultPage<Incident>> {
  const { within, order, limit } = keysetBy(sql`i.id`, cursor)
  const conditions = [within]
  if (estado) conditions.push(estado === 'abiertos' ? sql`i.ended_at is null` : sql`i.ended_at is not null`)
  return resultPage(await select(db, conditions, order, limit), cursor)
}

export const findIncident = async (db: Db, id: number): Promise<Incident | undefined> =>
  (await select(db, [sql`i.id = ${id}`], sql`i.id`, 1))[0]

export type NewUpdate = Pick<IncidentUpdate, 'estado' | 'texto'>

/**
 * A form that is sent twice publishes one incident: none since `previous`, the newest one that its page knew, may have this
 * title and text.
 */
export function createIncident(
  store: Transactional,
  { titulo, impacto, ...update }: Pick<Incident, 'titulo' | 'impacto'> & NewUpdate,
  previous: number,
): Promise<number | undefined> {
  return store.transaction(async (tx) => {
    await tx.query(sql`lock table incidents in share row exclusive mode`)
    const [since] = await tx.query(sql`
      select 1 from incidents i join incident_updates u on u.incident_id = i.id
      where i.id > ${previous} and i.titulo = ${titulo} and u.texto = ${update.texto}`)
    if (since) return undefined
    const [row] = await tx.query<{ id: number }>(sql`
      insert into incidents (titulo, impacto) values (${titulo}, ${impacto}) returning id`)
    const id = row?.id as number
    await addUpdate(tx, id, update)
    return id
  })
}

export async function newestIncident(db: Db): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0) as id from incidents`)
  return row?.id ?? 0
}

/** An incident ends with the update that says so, and goes on with any later one that does not. */
export async function addUpdate(tx: Db, id: number, { estado, texto }: NewUpdate): Promise<void> {
  await tx.query(sql`insert into incident_updates (incident_id, estado, texto) values (${id}, ${estado}, ${texto})`)
  await tx.query(sql`
    update incidents set ended_at = case when ${estado} = 'resuelto' then coalesce(ended_at, now()) end where id = ${id}`)
}

export async function deleteIncident(db: Db, id: number): Promise<void> {
  await db.query(sql`delete from incidents where id = ${id}`)
}
