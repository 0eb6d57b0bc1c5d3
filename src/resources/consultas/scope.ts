import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { Agencia, Permisos } from '../agencias/agencia.ts'
import { inboxScope } from '../agencias/inbox.ts'
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
  /** Only those assigned to one of these. */
  operadores?: readonly string[] | undefined
}

/** Whose inquiries somebody of the agency sees: undefined, everybody's; else their own, and unassigned ones if these are open. */
export async function operadoresSeenBy(
  db: Db,
  agencia: Pick<Agencia, 'id' | 'operadores'>,
  email: string,
): Promise<string[] | undefined> {
  const seen = await inboxScope(db, agencia, email)
  if (seen === 'all') return undefined
  return seen === 'own' ? [email] : [email, ...(await unassignedTo(db, agencia, email))]
}

/** The operadores of unassigned inquiries: the administrator, and people who no longer work there. The counters name them. */
export async function unassignedTo(
  db: Db,
  { id, operadores }: Pick<Agencia, 'id' | 'operadores'>,
  except?: string,
): Promise<string[]> {
  const salespeople = operadores.filter(({ rol }) => rol === 'vendedor').map(({ email }) => email)
  const rows = await db.query<{ operador: string }>(sql`
    select distinct n.operador from consulta_counts n
    where n.agencia_id = ${id} and n.operador <> all (${[...salespeople, ...(except ? [except] : [])]}::text[])`)
  return rows.map(({ operador }) => operador)
}

/** An app's scope whose permissions another part of the statement may find. */
export type SqlAppScope = Record<keyof AppScope, number | boolean | Sql>

/** SQL condition: an inquiry with the source in that column is visible to the app. */
export const visibleTo = (app: SqlAppScope | 'all', fuente: Sql): Sql =>
  app === 'all'
    ? sql`true`
    : sql`
  (${fuente} = ${app.appId} or case when ${fuente} = ${CATALOGO} then ${app.catalogo}::boolean else ${app.otros}::boolean end)`

/** The rule of `visibleTo` for an association `s`: whether it shows inquiries of that source. */
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
