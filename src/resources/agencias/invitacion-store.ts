import sql, { empty, type Sql } from 'sql-template-tag'
import { tokenHash } from '../../accounts/links.ts'
import type { App, Modo } from '../../apps/app.ts'
import { LIMITS } from '../../apps/store.ts'
import { DAY_SECONDS } from '../../clock.ts'
import { fault, invalid, tooManyRequests } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import { type EmailKind, withdrawEmails } from '../../mail/email.ts'
import { orUndefined } from '../../memoize.ts'
import { selectList } from '../../store/columns.ts'
import type { Db } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import { INVITACION_COLUMNS, type Invitacion } from './agencia.ts'

/** Whether somebody works at an agency with that mail, who then cannot be invited. */
export const isRegistered = (db: Db, modo: Modo, email: string): Promise<boolean> =>
  db.hasRows(sql`
    select from operadores o join accounts c on c.id = o.account_id where c.modo = ${modo} and c.email = ${email} limit 1`)

/** Serialises changes of one address in one mode, until the transaction ends. */
export const lockAddress = (tx: Db, modo: Modo, email: string): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${modo} ${email}`}, 0))`)

/** `vencida` is not stored: it follows from the database's clock. */
export const ESTADO = sql`case when i.estado = 'pendiente' and i.vence <= now() then 'vencida' else i.estado end`

const INVITACION = sql`${selectList('i', INVITACION_COLUMNS)}, ${ESTADO} as estado`

/** The app's last invitation to that mail while it can be read: pending, or ended less than 90 days ago. */
export async function findInvitacion(db: Db, app: App, adminMail: string): Promise<Invitacion | undefined> {
  const [last] = await db.query<Invitacion & { readable: boolean }>(sql`
    select ${INVITACION}, coalesce(i.ended_at, i.vence) > now() - interval '90 days' as readable
    from invitaciones i
    where i.app_id = ${app.id} and i.modo = ${app.modo} and i.admin_mail = ${adminMail.toLowerCase()}
    order by i.id desc limit 1`)
  // An accepted one became an association; if that has ended, the agency does not exist for the app.
  if (!last?.readable || last.estado === 'aceptada') return undefined
  const { readable: _, ...invitacion } = last
  return invitacion
}

type InvitacionByToken = Invitacion & { app: App; agenciaId: number | null; sinceEndSeconds: number | null }

export const findInvitacionByToken = (db: Db, token: string, lock: Sql = empty) =>
  db.first<InvitacionByToken>(sql`
    select ${INVITACION}, i.agencia_id as "agenciaId",
           extract(epoch from now() - i.ended_at)::float8 as "sinceEndSeconds",
           json_build_object('id', a.id, 'appKey', a.app_key, 'nombre', a.nombre, 'contacto', a.contacto, 'modo', a.modo,
                             'topics', a.topics, 'disabled', a.disabled_at is not null, 'limits', ${LIMITS}) as app
    from invitaciones i join apps a on a.id = i.app_id
    where i.token_hash = ${tokenHash(token)} ${lock}`)

/** Locks an invitation: first the address, then the row, as everywhere. */
export async function lockInvitacion(tx: Db, token: string): Promise<InvitacionByToken | undefined> {
  const found = await findInvitacionByToken(tx, token)
  if (!found) return undefined
  await lockAddress(tx, found.modo, found.adminMail)
  return findInvitacionByToken(tx, token, sql`for update of i`)
}

export async function markAccepted(tx: Db, invitacionId: number, agenciaId: number): Promise<void> {
  await tx.query(sql`
    update invitaciones set estado = 'aceptada', ended_at = now(), agencia_id = ${agenciaId}
    where id = ${invitacionId}`)
}

/** Revokes an invitation, and its email if that is not sent yet. False if none fulfils `where`. */
export async function revokeInvitacionWhere(tx: Db, where: Sql): Promise<boolean> {
  const [revoked] = await tx.query<{ id: number }>(sql`
    update invitaciones set estado = 'revocada', ended_at = now() where ${where} returning id`)
  if (revoked) await withdrawEmails(tx, revoked.id)
  return revoked !== undefined
}

const PURPOSE = 'baja'

/** The token of "no recibir más invitaciones": the sealed address, so that nobody blocks another's. */
export const blockToken = (seal: Seal, email: string): string => seal.seal(email, PURPOSE).toString('base64url')

/** The address in a token; undefined if it is not ours. */
export const readBlockToken = (seal: Seal, token: string): string | undefined =>
  orUndefined(() => seal.open(Buffer.from(token, 'base64url'), PURPOSE))

export async function blockInvitaciones(db: Db, email: string): Promise<void> {
  await db.query(sql`insert into invitation_blocks (email) values (${email.toLowerCase()}) on conflict do nothing`)
}

export const isBlocked = (db: Db, email: string): Promise<boolean> =>
  db.hasRows(sql`select from invitation_blocks where email = ${email.toLowerCase()}`)

const MAILS_TO_ONE_ADDRESS = 3 // in 24 h; docs/decisions/agencies.md
/** Per team or agency, renewals included. */
export const MAX_INVITACIONES_A_DAY = 20

/** Whether an address was sent as many emails of a kind as it may get in 24 h; invitations of one mode only. */
export async function isOverMailLimit(tx: Db, kind: EmailKind, email: string, modo?: Modo): Promise<boolean> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) from mails m left join invitaciones i on i.id = m.invitacion_id
    where m.to_address = ${email} and m.kind = ${kind} and m.created_at > now() - interval '24 hours'
      and (${modo ?? null}::text is null or i.modo = ${modo ?? null})`)
  return (row?.count ?? 0) >= MAILS_TO_ONE_ADDRESS
}

/** Limits the invitations to one address, from all apps together. */
export async function refuseMailLimit(tx: Db, modo: Modo, email: string): Promise<void> {
  if (await isOverMailLimit(tx, 'invitacion', email, modo))
    throw invalid({
      AdminMail: [
        fault(
          'limite-de-correos',
          `Este correo ya recibió ${MAILS_TO_ONE_ADDRESS} invitaciones en 24 horas: espere antes de repetir.`,
        ),
      ],
    })
}

/** Whether a team or an agency has reached its daily limit of invitations. Locks, so that concurrent ones count. */
export async function isOverInvitacionLimit(tx: Db, { appId, agenciaId }: { appId?: number; agenciaId?: number }) {
  const app = appId ?? null
  const agencia = agenciaId ?? null
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`asks ${app} ${agencia}`}, 0))`)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) from account_links
    where (app_id = ${app} or agencia_id = ${agencia}) and created_at > now() - interval '24 hours'`)
  return (row?.count ?? 0) >= MAX_INVITACIONES_A_DAY
}

/** The emails `m` that count towards the app's daily limit. */
export const fromInvitesOfDay = ({ id }: App): Sql => sql`
  from invitaciones i join mails m on m.invitacion_id = i.id
  where i.app_id = ${id} and i.enviada > now() - interval '24 hours'
    and m.kind = 'invitacion' and m.created_at > now() - interval '24 hours'`

/** Limits an app's invitations per day, renewals included. Locks, so that concurrent ones count. */
export async function refuseInviteLimit(tx: Db, app: App, perDay: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`invites ${app.id}`}, 0))`)
  const [row] = await tx.query<{ count: number; seconds: number | null }>(sql`
    select count(*), ceil(extract(epoch from min(m.created_at) + interval '24 hours' - now()))::int as seconds
    ${fromInvitesOfDay(app)}`)
  if ((row?.count ?? 0) < perDay) return
  throw tooManyRequests(
    Math.max(1, row?.seconds ?? DAY_SECONDS),
    perDay === 0 ? message('problema.invitesOff') : message('problema.invitesPerDay', { perDay }),
    'limite-de-invitaciones',
  )
}
