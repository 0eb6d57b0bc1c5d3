import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { Slots } from '../../store/prepared.ts'
import type { Permisos } from '../agencias/agencia.ts'
import { CATALOGO } from './consulta.ts'

/** What an app sees of an agency's inquiries: those on its own listings, and what the agency allowed beyond them. */
export interface AppScope {
  appId: number
  catalogo: boolean
  otros: boolean
}

export const appScope = (app: { id: number }, permisos: Permisos): AppScope => ({
  appId: app.id,
  catalogo: permisos.consultasDeCatalogo,
  otros: permisos.consultasDeOtros,
})

/** Which of an agency's inquiries somebody sees: an app what it may, a collaborator those assigned to them. */
export interface Scope {
  agenciaId: number
  /** `all` for the agency's own people. */
  app: AppScope | 'all'
  /** Only those assigned to this person. */
  operador?: string | undefined
}

/** SQL condition: an inquiry with the source in that column is visible to the app. */
export const visibleTo = (app: Slots<AppScope> | 'all', fuente: Sql): Sql =>
  app === 'all'
    ? sql`true`
    : sql`
  (${fuente} = ${app.appId} or case when ${fuente} = ${CATALOGO} then ${app.catalogo}::boolean else ${app.otros}::boolean end)`

/** The same rule for an association `s`: whether it shows inquiries of that source. */
export const showsSource = (fuente: Sql | number): Sql => sql`
  (s.app_id = ${fuente}
   or case when ${fuente}::int = ${CATALOGO} then s.consultas_de_catalogo else s.consultas_de_otros end)`

/** Locks the associations: ending one deletes its events, and none may be written afterwards. */
export async function lockAppsThatSee(
  tx: Db,
  { agenciaId, fuente }: { agenciaId: number; fuente: number },
): Promise<number[]> {
  const rows = await tx.query<{ appId: number }>(sql`
    select s.app_id as "appId" from asociaciones s
    where s.agencia_id = ${agenciaId} and s.ended_at is null and ${showsSource(fuente)} order by s.id for share`)
  return rows.map(({ appId }) => appId)
}
