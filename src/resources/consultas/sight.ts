import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { Slots } from '../../store/prepared.ts'
import type { Permisos } from '../agencias/agencia.ts'
import { CATALOGO } from './consulta.ts'

/** What an app sees of an agency's inquiries: those on its own listings, and what the agency allowed beyond them. */
export interface Sight {
  appId: number
  catalogo: boolean
  otros: boolean
}

export const sightOf = (app: { id: number }, permisos: Permisos): Sight => ({
  appId: app.id,
  catalogo: permisos.consultasDeCatalogo,
  otros: permisos.consultasDeOtros,
})

/** Whether an inquiry of the source in that column is within sight: `seenBy(sight, sql`c.fuente`)`. */
export const visibleTo = ({ appId, catalogo, otros }: Slots<Sight>, fuente: Sql): Sql => sql`
  (${fuente} = ${appId} or case when ${fuente} = ${CATALOGO} then ${catalogo}::boolean else ${otros}::boolean end)`

/** The same for whoever may see `all`: the agency's own people. */
export const within = (sight: Slots<Sight> | 'all', fuente: Sql): Sql =>
  sight === 'all' ? sql`true` : visibleTo(sight, fuente)

/** Whether the association `s` shows inquiries of that source: the same rule, asked of an agency's associations. */
export const showsSource = (fuente: Sql | number): Sql => sql`
  (s.app_id = ${fuente}
   or case when ${fuente}::int = ${CATALOGO} then s.consultas_de_catalogo else s.consultas_de_otros end)`

/**
 * The apps that see an agency's inquiries of that source, in the order they came. Their associations are held until the
 * transaction ends: what ends one withdraws its events, and none may come after.
 */
export async function holdAppsThatSee(
  tx: Db,
  { agenciaId, fuente }: { agenciaId: number; fuente: number },
): Promise<number[]> {
  const rows = await tx.query<{ appId: number }>(sql`
    select s.app_id as "appId" from asociaciones s
    where s.agencia_id = ${agenciaId} and s.ended_at is null and ${showsSource(fuente)} order by s.id for share`)
  return rows.map(({ appId }) => appId)
}
