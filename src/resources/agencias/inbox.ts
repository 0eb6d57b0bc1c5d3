import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { Agencia } from './agencia.ts'

/** Who gets a new inquiry that names nobody: the administrator, everybody in turn, or the people of the nearest branch. */
export const SHARING_RULES = ['ninguna', 'turno', 'sucursal'] as const
type SharingRule = (typeof SHARING_RULES)[number]

/** How an agency shares its inquiries. */
export interface InboxSettings {
  regla: SharingRule
  /** Salespeople see the inquiries and listings that nobody was given. */
  abierta: boolean
  /** Within how many minutes the agency wants to answer. */
  objetivoMinutos: number
}

const DEFAULTS: InboxSettings = { regla: 'ninguna', abierta: false, objetivoMinutos: 120 }

export async function inboxSettings(db: Db, agenciaId: number): Promise<InboxSettings> {
  const [found] = await db.query<InboxSettings>(sql`
    select regla, abierta, objetivo_minutos as "objetivoMinutos" from inbox_settings where agencia_id = ${agenciaId}`)
  return found ?? DEFAULTS
}

/** SQL condition: the operador `o` takes part in the agency's rule. */
export const SHARES: Sql = sql`coalesce(o.recibe, o.rol = 'vendedor')`

/** Whether somebody takes part in the rule, and their branch. */
export interface SharingOperador {
  accountId: number
  recibe: boolean
  sucursalId: number | null
}

export const sharingOperadores = (db: Db, agenciaId: number): Promise<SharingOperador[]> =>
  db.query(sql`
    select o.account_id as "accountId", ${SHARES} as recibe, o.sucursal_id as "sucursalId"
    from operadores o where o.agencia_id = ${agenciaId}`)

/** Saves how an agency shares its inquiries. Branches of others are ignored. */
export async function saveInbox(
  tx: Db,
  agenciaId: number,
  { regla, abierta, objetivoMinutos }: InboxSettings,
  operadores: readonly SharingOperador[],
): Promise<void> {
  await tx.query(sql`
    insert into inbox_settings (agencia_id, regla, abierta, objetivo_minutos)
    values (${agenciaId}, ${regla}, ${abierta}, ${objetivoMinutos})
    on conflict (agencia_id) do update
      set regla = excluded.regla, abierta = excluded.abierta, objetivo_minutos = excluded.objetivo_minutos`)
  await tx.query(sql`
    update operadores o set recibe = given.recibe, sucursal_id = s.id
    from unnest(${operadores.map(({ accountId }) => accountId)}::int[], ${operadores.map(({ recibe }) => recibe)}::boolean[],
                ${operadores.map(({ sucursalId }) => sucursalId)}::int[]) as given (account_id, recibe, sucursal_id)
    left join sucursales s on s.id = given.sucursal_id and s.agencia_id = ${agenciaId}
    where o.agencia_id = ${agenciaId} and o.account_id = given.account_id`)
}

/** What a person of the agency sees: all, their own, or also what was given to nobody else. */
export async function inboxScope(
  db: Db,
  { id, operadores }: Pick<Agencia, 'id' | 'operadores'>,
  email: string,
): Promise<'all' | 'own' | { except: string[] }> {
  if (operadores.find((each) => each.email === email)?.rol === 'administrador') return 'all'
  if (!(await inboxSettings(db, id)).abierta) return 'own'
  const others = operadores.filter((each) => each.rol === 'vendedor' && each.email !== email)
  return { except: others.map((each) => each.email) }
}
