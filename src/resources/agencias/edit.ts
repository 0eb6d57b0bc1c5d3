import sql, { empty } from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { requireCurrent } from '../../http/encoded-body.ts'
import { changedSinceRead, forbidden, invalid, refuse } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import { changedEmail } from '../../mail/compose.ts'
import { enqueueEmailTo } from '../../mail/email.ts'
import { assignValues } from '../../store/columns.ts'
import type { Db } from '../../store/db.ts'
import { type Agencia, type AgenciaOfApp, DATA_COLUMNS, formatCampo } from './agencia.ts'
import { type Change, changesBetween, formFaults, readEdit, versionOf } from './changes.ts'
import { type AgenciasDeps, publishAgenciaEvent } from './context.ts'
import { findInvitacion } from './invitacion-store.ts'
import { candidatos, isFault } from './place.ts'
import { agenciaOfAccount, findAgencia, lockAgencia } from './read.ts'
import { agenciaEntry, agenciaRef } from './represent.ts'
import type { AgenciaEdit } from './schema.ts'

/** Who edits an agency: an app with permission, a person, or the marketplace. */
type Author = { app: App } | { account: Account } | undefined

/** An agency locked for an edit until the transaction ends, with its associated apps. */
interface LockedAgencia<A extends Agencia = Agencia> {
  by: Author
  agencia: A
  apps: number[]
}

export type LockForEdit<A extends Agencia> = (tx: Db) => Promise<LockedAgencia<A>>

/** An app replaces an agency's data. Refusals in this order: form, 403, 412, meaning. */
export const edit = (deps: AgenciasDeps, app: App, adminMail: string, body: AgenciaEdit, ifMatch?: string) =>
  replace(
    deps,
    (tx) => lockByApp(tx, app, adminMail),
    body,
    (agencia) => requireCurrent(ifMatch, () => [agenciaEntry(agencia, deps.config.timeZone), agenciaRef(agencia)]),
  )

/** The administrator replaces the data, which had the version `read` (`versionOf`) on the page. */
export const editOwn = (deps: AgenciasDeps, account: Account, body: AgenciaEdit, read: string | undefined) =>
  replace(
    deps,
    (tx) => lockByAdministrator(tx, account),
    body,
    (agencia) => {
      if (read !== undefined && read !== versionOf(agencia)) throw changedSinceRead()
    },
  )

async function replace<A extends Agencia>(
  deps: AgenciasDeps,
  lock: LockForEdit<A>,
  body: AgenciaEdit,
  refuseStale: (agencia: A) => void,
): Promise<A> {
  refuse(formFaults(body))
  return deps.store.transaction(async (tx) => {
    const locked = await lock(tx)
    const { agencia } = locked
    refuseStale(agencia)
    const data = readEdit(deps, body, agencia)
    if (isFault(data)) throw invalid(data.errors, candidatos(data))
    const changes = changesBetween(agencia, data)
    if (changes.length === 0) return agencia

    const edited = { ...agencia, ...data }
    await tx.query(sql`update agencias set ${assignValues(DATA_COLUMNS, data)} where id = ${agencia.id}`)
    await recordEdit(tx, deps, { ...locked, agencia: edited }, changes)
    return edited
  })
}

/** Records a change and notifies the others: the administrator by email, the apps by an event. */
export async function recordEdit(tx: Db, deps: AgenciasDeps, { by, agencia, apps }: LockedAgencia, changes: Change[]) {
  await tx.query(sql`update agencias set updated_at = now() where id = ${agencia.id}`) // for the feed of changes
  await recordChanges(tx, deps, { by, agencia, apps }, changes)
  if (!by || !('app' in by)) return
  const { config } = deps
  await enqueueEmailTo(tx, deps.seal, agencia.adminMail, () =>
    changedEmail({
      to: agencia.adminMail,
      agencia: agencia.nombre,
      app: by.app.nombre,
      cambios: changes.map((change) => ({ ...change, campo: formatCampo(change.campo, config.country) })),
      cuentaUrl: `${config.publicUrl}/cuenta/apps`,
      brand: config.brand.current(),
    }),
  )
}

/** Writes the history of an agency, and notifies its apps except the author. `members`: what the event adds. */
export async function recordChanges(
  tx: Db,
  deps: Omit<AgenciasDeps, 'store'>,
  { by, agencia, apps }: LockedAgencia,
  changes: Change[],
  members?: Record<string, unknown>,
): Promise<void> {
  const appId = by && 'app' in by ? by.app.id : null
  const accountId = by && 'account' in by ? by.account.id : null
  await tx.query(sql`
    insert into agencia_history (agencia_id, app_id, account_id, changes)
    values (${agencia.id}, ${appId}, ${accountId}, ${JSON.stringify(changes)})`)
  for (const each of apps)
    if (each !== appId)
      await publishAgenciaEvent(tx, deps, { appId: each, topic: 'agencia.modificada', agencia, body: members })
}

/** Locks the agency for an app; 403 if it may not edit it. */
export async function lockByApp(tx: Db, app: App, adminMail: string): Promise<LockedAgencia<AgenciaOfApp>> {
  const found = await findAgencia(tx, app, adminMail)
  if (!found) throw (await findInvitacion(tx, app, adminMail)) ? forbidden(NOT_YET, 'invitacion-pendiente') : notYours()
  const apps = await lockAgencia(tx, found.id)
  const agencia = await findAgencia(tx, app, adminMail)
  if (!agencia) throw notYours() // the association ended while we waited
  if (!agencia.permisos.editar) throw forbidden(NOT_ALLOWED, 'sin-permiso')
  return { by: { app }, agencia, apps }
}

/** Locks the agency for its administrator; 403 for others. */
export async function lockByAdministrator(tx: Db, account: Account): Promise<LockedAgencia> {
  const found = await agenciaOfAccount(tx, account)
  const apps = found ? await lockAgencia(tx, found.id) : []
  const agencia = await agenciaOfAccount(tx, account)
  if (!agencia || agencia.id !== found?.id || agencia.rol !== 'administrador') throw forbidden(NOT_IN_CHARGE)
  return { by: { account }, agencia, apps }
}

/** Locks the agency; 403 unless the person administers it. Callers that change an association lock it first. */
export async function requireAdministrator(tx: Db, account: Account, agenciaId: number): Promise<void> {
  await tx.query(sql`select from agencias where id = ${agenciaId} for no key update`)
  const rows = await tx.query(sql`
    select from operadores where agencia_id = ${agenciaId} and account_id = ${account.id} and rol = 'administrador'`)
  if (rows.length === 0) throw forbidden(NOT_IN_CHARGE)
}

/** One answer for an agency that does not exist and for one that is not the app's. */
export const notYours = () => forbidden(message('problema.notYours'), 'sin-asociacion')
const NOT_YET = message('problema.invitationPending')
const NOT_IN_CHARGE = message('problema.notInCharge')
const NOT_ALLOWED = message('problema.editNotAllowed')

/** A change of an agency's data by an app, a person, or the marketplace if both are null. */
export interface HistoryEntry {
  id: string
  at: Date
  changes: Change[]
  app: string | null
  person: { nombre: string; apellido: string; email: string } | null
}

/** The changes of an agency, newest first, before the entry with the id `before`. */
export const historyOf = (db: Db, agenciaId: number, limit: number, before?: string): Promise<HistoryEntry[]> =>
  db.query<HistoryEntry>(sql`
    select h.id::text, h.at, h.changes, a.nombre as app,
           case when c.id is not null
                then json_build_object('nombre', c.nombre, 'apellido', c.apellido, 'email', c.email) end as person
    from agencia_history h
    left join apps a on a.id = h.app_id
    left join accounts c on c.id = h.account_id
    where h.agencia_id = ${agenciaId} ${before === undefined ? empty : sql`and h.id < ${before}::bigint`}
    order by h.id desc limit ${limit}`)
