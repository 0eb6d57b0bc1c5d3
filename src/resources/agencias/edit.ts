import sql, { empty } from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { etagOf, namesEtagStrongly } from '../../http/etag.ts'
import { changedSinceRead, forbidden, invalid } from '../../http/problems.ts'
import { enqueueEmail } from '../../mail/email.ts'
import { changedEmail } from '../../mail/emails/agencias.ts'
import type { Db } from '../../store/db.ts'
import type { Agencia, AgenciaData, AgenciaOfApp } from './agencia.ts'
import { type Change, changesBetween, formFaults, readEdit, versionOf } from './changes.ts'
import { type AgenciasDeps, supportOf, tell } from './context.ts'
import { formatCampo } from './fields.ts'
import { findInvitacion } from './invitation.ts'
import { candidatos, isFault } from './place.ts'
import { agenciaOfAccount, findAgencia, lockAgencia } from './read.ts'
import { agenciaEntry, agenciaRef } from './represent.ts'
import type { AgenciaEdit } from './schema.ts'

/** Who changes an agency: an app that it lets, or the person who administers it. */
export type Author = { app: App } | { account: Account }

/** An agency under somebody's hand: held until the end of the transaction, with the apps that see it. */
export interface Edit<A extends Agencia = Agencia> {
  by: Author
  agencia: A
  apps: number[]
}

/** Takes an agency in hand, or refuses. */
export type Opener<A extends Agencia> = (tx: Db) => Promise<Edit<A>>

/**
 * An app replaces an agency's data. The administrator is told by mail, the other apps by an event, and the history
 * keeps it; one that changes nothing does none of this. Refusals in the house's order: form, 403, 412, meaning.
 */
export const edit = (
  deps: AgenciasDeps,
  app: App,
  adminMail: string,
  body: AgenciaEdit,
  ifMatch?: string,
): Promise<AgenciaOfApp> =>
  replace(
    deps,
    (tx) => openForEdit(tx, app, adminMail),
    body,
    (agencia) => ifMatch === undefined || isCurrent(ifMatch, agencia, deps.config.timeZone),
  )

/** Its administrator does the same, knowing it as it was at `read` (`versionOf`); every app is told. */
export const editOwn = (
  deps: AgenciasDeps,
  account: Account,
  body: AgenciaEdit,
  read: string | undefined,
): Promise<Agencia> =>
  replace(
    deps,
    (tx) => openOwn(tx, account),
    body,
    (agencia) => read === undefined || read === versionOf(agencia),
  )

async function replace<A extends Agencia>(
  deps: AgenciasDeps,
  open: Opener<A>,
  body: AgenciaEdit,
  isCurrent: (agencia: A) => boolean,
): Promise<A> {
  const faults = formFaults(body)
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return deps.store.transaction(async (tx) => {
    const hand = await open(tx)
    const { agencia } = hand
    if (!isCurrent(agencia)) throw changedSinceRead()
    const data = readEdit(deps, body, agencia)
    if (isFault(data)) throw invalid(data.errors, candidatos(data))
    const changes = changesBetween(agencia, data)
    if (changes.length === 0) return agencia

    const edited = { ...agencia, ...data }
    await write(tx, agencia.id, data)
    await tellEdit(tx, deps, { ...hand, agencia: edited }, changes)
    return edited
  })
}

/** What was changed of an agency is kept, and told to whoever did not do it: its administrator by mail, apps by an event. */
export async function tellEdit(
  tx: Db,
  deps: AgenciasDeps,
  { by, agencia, apps }: Edit,
  changes: Change[],
): Promise<void> {
  await tx.query(sql`update agencias set updated_at = now() where id = ${agencia.id}`) // for whoever follows changes
  const author = 'app' in by ? by.app : undefined
  await remember(tx, agencia.id, 'app' in by ? { appId: by.app.id } : { accountId: by.account.id }, changes)
  if (author) await enqueueEmail(tx, deps.seal, letter(deps, author, agencia, changes))
  for (const appId of apps) if (appId !== author?.id) await tell(tx, deps, appId, 'agencia.modificada', agencia)
}

/** The agency for an app that is about to edit it; 403 where it may not. */
export async function openForEdit(tx: Db, app: App, adminMail: string): Promise<Edit<AgenciaOfApp>> {
  const seen = await findAgencia(tx, app, adminMail)
  if (!seen) throw forbidden((await findInvitacion(tx, app, adminMail)) ? NOT_YET : NOT_YOURS)
  const apps = await lockAgencia(tx, seen.id)
  const agencia = await findAgencia(tx, app, adminMail)
  if (!agencia) throw forbidden(NOT_YOURS) // it was detached while we waited
  if (!agencia.permisos.editar) throw forbidden(NOT_ALLOWED)
  return { by: { app }, agencia, apps }
}

/** The agency for the person who administers it; 403 for whoever does not, or no longer does. */
export async function openOwn(tx: Db, account: Account): Promise<Edit> {
  const seen = await agenciaOfAccount(tx, account)
  const apps = seen ? await lockAgencia(tx, seen.id) : []
  const agencia = await agenciaOfAccount(tx, account)
  if (!agencia || agencia.id !== seen?.id || agencia.rol !== 'administrador') throw forbidden(NOT_IN_CHARGE)
  return { by: { account }, agencia, apps }
}

export const NOT_YOURS = 'La app no tiene permiso sobre esa agencia.'
const NOT_YET = 'La agencia todavía no aceptó la invitación.'
const NOT_IN_CHARGE = 'Los datos de la agencia los cambia quien la administra.'
const NOT_ALLOWED = 'La agencia no permite que la app edite sus datos.'

/** Any form of it that the client may have read will do. */
function isCurrent(ifMatch: string, agencia: AgenciaOfApp, timeZone: string): boolean {
  const forms = [agenciaEntry(agencia, timeZone), agenciaRef(agencia)]
  return forms.some((form) => namesEtagStrongly(ifMatch, etagOf(JSON.stringify(form))))
}

async function write(tx: Db, id: number, data: AgenciaData): Promise<void> {
  await tx.query(sql`
    update agencias
    set nombre = ${data.nombre}, razon_social = ${data.razonSocial}, id_fiscal = ${data.idFiscal},
        telefono = ${data.telefono}, whatsapp = ${data.whatsapp}, sitio_web = ${data.sitioWeb},
        region_id = ${data.regionId}, region = ${data.region}, ciudad_id = ${data.ciudadId}, ciudad = ${data.ciudad},
        direccion = ${data.direccion}, codigo_postal = ${data.codigoPostal}, updated_at = now()
    where id = ${id}`)
}

/** Keeps a change for ever: who, when, what from and to. */
export async function remember(
  tx: Db,
  agenciaId: number,
  by: { appId?: number; accountId?: number },
  changes: Change[],
): Promise<void> {
  await tx.query(sql`
    insert into agencia_history (agencia_id, app_id, account_id, changes)
    values (${agenciaId}, ${by.appId ?? null}, ${by.accountId ?? null}, ${JSON.stringify(changes)})`)
}

const letter = ({ config }: AgenciasDeps, app: App, agencia: Agencia, changes: Change[]) =>
  changedEmail({
    to: agencia.adminMail,
    agencia: agencia.nombre,
    app: app.nombre,
    cambios: changes.map((change) => ({ ...change, campo: formatCampo(change.campo, config.country) })),
    cuentaUrl: `${config.publicUrl}/cuenta/apps`,
    support: supportOf(config),
  })

/** A change of an agency's data, by an app or by a person; by neither where the marketplace made it. */
export interface HistoryEntry {
  id: string
  at: Date
  changes: Change[]
  app: string | null
  person: { nombre: string; apellido: string; email: string } | null
}

/** What was changed of an agency, newest first; `before` is the id of an entry, to go on from there. */
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
