import sql, { empty, type Sql } from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { Rol } from '../../accounts/links.ts'
import type { App, Modo } from '../../apps/app.ts'
import { fold } from '../../catalogue/text.ts'
import { feedPage } from '../../http/links.ts'
import { notFound } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import { selectList } from '../../store/columns.ts'
import type { Db } from '../../store/db.ts'
import { type FeedPosition, isVisibleInFeed } from '../../store/feed.ts'
import {
  type Agencia,
  type AgenciaData,
  type AgenciaOfApp,
  type Asociacion,
  DATA_COLUMNS,
  type InvitacionEstado,
  KEY_COLUMNS,
} from './agencia.ts'
import { ESTADO } from './invitacion-store.ts'

const COLUMNS = sql`
  ${selectList('g', { ...KEY_COLUMNS, ...DATA_COLUMNS })},
  (select coalesce(json_agg(json_build_object('accountId', c.id, 'nombre', coalesce(o.nombre, c.nombre),
                                              'apellido', coalesce(o.apellido, c.apellido), 'email', c.email,
                                              'rol', o.rol, 'telefono', o.telefono, 'whatsapp', o.whatsapp)
                            order by o.rol, c.email), '[]')
   from operadores o join accounts c on c.id = o.account_id where o.agencia_id = g.id) as operadores`

interface AgenciaRow extends Agencia {
  permisos: AgenciaOfApp['permisos']
  invitacionEstado: InvitacionEstado | null
  enviada: Date
  vence: Date
}

async function visibleTo(db: Db, app: App, where: Sql, lock: Sql = empty): Promise<AgenciaOfApp[]> {
  const rows = await db.query<AgenciaRow>(
    sql`
    select ${COLUMNS}, i.estado as "invitacionEstado", i.enviada, i.vence,
           json_build_object('editar', s.editar, 'consultasDeCatalogo', s.consultas_de_catalogo,
                             'consultasDeOtros', s.consultas_de_otros) as permisos
    from asociaciones s
    join agencias g on g.id = s.agencia_id
    left join lateral (
      select ${ESTADO} as estado, i.enviada, i.vence from invitaciones i
      where i.app_id = s.app_id and i.agencia_id = g.id order by i.id desc limit 1
    ) i on true
    where s.app_id = ${app.id} and s.ended_at is null and g.modo = ${app.modo} and ${where} ${lock}`,
    'keep-plan', // every route under {adminMail} runs it, and planning takes longer than running
  )
  return rows.map(({ invitacionEstado, enviada, vence, ...agencia }) => ({
    ...agencia,
    invitacion: invitacionEstado && { estado: invitacionEstado, enviada, vence },
  }))
}

/** The agency with that mail, if it exists for this app; a replaced administrator's address answers for 90 days. */
export async function findAgencia(db: Db, app: App, adminMail: string, lock: Sql = empty) {
  const [found] = await visibleTo(db, app, sql`g.id = ${idFor(agenciaKey(app, adminMail))}`, lock)
  return found
}

/** The app's agencies by those addresses (in lower case), present or former; locked until the transaction ends. */
export async function findAssociated(tx: Db, app: App, mails: readonly string[]): Promise<Map<string, AgenciaOfApp>> {
  const named = await tx.query<{ mail: string; id: number | null }>(sql`
    select mail, ${idFor({ appId: app.id, modo: app.modo, mail: sql`given.mail` })} as id
    from unnest(${[...new Set(mails)]}::text[]) as given (mail)`)
  const ids = named.map(({ id }) => id)
  const found = await visibleTo(tx, app, sql`g.id = any (${ids}::int[])`, sql`for share of s`)
  const byId = new Map(found.map((agencia) => [agencia.id, agencia]))
  return new Map(
    named.flatMap(({ mail, id }) => {
      const agencia = byId.get(id ?? 0)
      return agencia ? [[mail, agencia]] : []
    }),
  )
}

/** Of these agencies, those that the app still sees. */
export const stillAssociated = (db: Db, app: App, ids: readonly number[]): Promise<AgenciaOfApp[]> =>
  visibleTo(db, app, sql`g.id = any (${ids}::int[])`)

/** 404 if the app's request found nothing of an agency. */
export function orNotFound<T>(found: T | undefined): T {
  if (!found) throw notFound(message('problema.noAgencyForApp'))
  return found
}

export const requireAgencia = async (db: Db, app: App, adminMail: string): Promise<AgenciaOfApp> =>
  orNotFound(await findAgencia(db, app, adminMail))

/** `requireAgencia`; locks the association until the transaction ends. */
export const requireLocked = async (tx: Db, app: App, adminMail: string): Promise<AgenciaOfApp> =>
  orNotFound(await findAgencia(tx, app, adminMail, sql`for share of s`))

/** An app, and the mail (in lower case) by which it names an agency. */
interface AgenciaKey {
  appId: number
  modo: Modo
  mail: string | Sql
}

export const agenciaKey = ({ id, modo }: App, adminMail: string): AgenciaKey => ({
  appId: id,
  modo,
  mail: adminMail.toLowerCase(),
})

/** A subquery for an agency's id, its mail, and which of its inquiries the app sees; no row if it does not exist. */
export const agenciaFor = (key: AgenciaKey): Sql => sql`
  select g.id, g.admin_mail, s.consultas_de_catalogo, s.consultas_de_otros
  from asociaciones s join agencias g on g.id = s.agencia_id
  where s.app_id = ${key.appId} and s.ended_at is null and g.modo = ${key.modo} and g.id = ${idFor(key)}`

/** A former address that the app has since invited means that invitation, not the agency. */
const idFor = ({ appId, modo, mail }: AgenciaKey): Sql =>
  agenciaIdOf(
    modo,
    mail,
    sql`and not exists (
      select from invitaciones
      where app_id = ${appId} and modo = ${modo} and admin_mail = ${mail} and estado in ('pendiente', 'rebotada'))`,
  )

/** The id of the agency with that mail (in lower case), its own or a former one that fulfils `where`. */
const agenciaIdOf = (modo: Modo, mail: string | Sql, where: Sql = empty): Sql => sql`
  coalesce(
    (select id from agencias where modo = ${modo} and admin_mail = ${mail}),
    (select agencia_id from agencia_aliases
     where modo = ${modo} and admin_mail = ${mail} and expires_at > now() ${where}))`

/** The row of the agency with that mail, its own or a former one. The limit ends the search at the first row. */
export const agenciaWithMail = (modo: Sql, mail: Sql): Sql => sql`
  select own.* from agencias own where own.modo = ${modo} and own.admin_mail = ${mail}
  union all
  select g.* from agencia_aliases former join agencias g on g.id = former.agencia_id
  where former.modo = ${modo} and former.admin_mail = ${mail} and former.expires_at > now()
    and not exists (select from agencias own where own.modo = former.modo and own.admin_mail = former.admin_mail)
  limit 1`

/** Those associated with the app, by name; with `operador`, those where that mail is administrator or collaborator. */
export async function listAgencias(db: Db, app: App, operador?: string): Promise<AgenciaOfApp[]> {
  const agencias: AgenciaOfApp[] = []
  for await (const agencia of eachAgencia(db, app, operador)) agencias.push(agencia)
  return agencias
}

/** Read in chunks, between which the process answers other requests. */
const CHUNK = 200

/** `listAgencias`, one by one: there may be thousands. */
export async function* eachAgencia(db: Db, app: App, operador?: string): AsyncGenerator<AgenciaOfApp> {
  const where =
    operador === undefined
      ? sql`true`
      : sql`exists (select from operadores o join accounts c on c.id = o.account_id
                    where o.agencia_id = g.id and c.email = ${operador.toLowerCase()})`
  const chosen = await db.query<ChosenAgencia>(sql`
    select g.id, g.admin_mail as "adminMail", g.nombre from asociaciones s join agencias g on g.id = s.agencia_id
    where s.app_id = ${app.id} and s.ended_at is null and g.modo = ${app.modo} and ${where}`)
  chosen.sort((a, b) => byName.compare(a.nombre, b.nombre) || (a.adminMail < b.adminMail ? -1 : 1))
  for (let at = 0; at < chosen.length; at += CHUNK) {
    const ids = chosen.slice(at, at + CHUNK).map(({ id }) => id)
    const found = new Map((await stillAssociated(db, app, ids)).map((agencia) => [agencia.id, agencia]))
    yield* ids.flatMap((id) => found.get(id) ?? [])
  }
}

const byName = new Intl.Collator('es')

export type ChosenAgencia = Pick<Agencia, 'id' | 'adminMail' | 'nombre'>

/** Those that an app is associated with, by name, to choose one from. */
export const someAgencias = (db: Db, app: App, most: number): Promise<ChosenAgencia[]> =>
  db.query<ChosenAgencia>(sql`
    select g.id, g.admin_mail as "adminMail", g.nombre from asociaciones s join agencias g on g.id = s.agencia_id
    where s.app_id = ${app.id} and s.ended_at is null and g.modo = ${app.modo} order by lower(g.nombre), g.id limit ${most}`)

/** An agency by its id, without a check of who may see it. */
export async function findAgenciaById(db: Db, id: number | Sql): Promise<Agencia | undefined> {
  const [agencia] = await db.query<Agencia>(sql`select ${COLUMNS} from agencias g where g.id = ${id}`)
  return agencia
}

export const findAgenciaByMail = (db: Db, modo: Modo, adminMail: string): Promise<Agencia | undefined> =>
  findAgenciaById(db, agenciaIdOf(modo, adminMail.toLowerCase()))

/** Where a person works, the agency they administer first. */
export const agenciasOfAccount = (db: Db, account: Account): Promise<(Agencia & { rol: Rol })[]> =>
  db.query<Agencia & { rol: Rol }>(sql`
    select ${COLUMNS}, w.rol from operadores w join agencias g on g.id = w.agencia_id
    where w.account_id = ${account.id} and g.modo = ${account.modo} order by w.rol, g.nombre, g.id`)

export const agenciaOfAccount = async (db: Db, account: Account) => (await agenciasOfAccount(db, account))[0]

/** The apps that an agency is associated with, oldest first. */
export const asociacionesOf = (db: Db, agenciaId: number): Promise<Asociacion[]> =>
  db.query<Asociacion>(sql`
    select json_build_object('id', a.id, 'appKey', a.app_key, 'nombre', a.nombre) as app, s.editar,
           s.consultas_de_catalogo as "consultasDeCatalogo", s.consultas_de_otros as "consultasDeOtros",
           s.created_at as desde
    from asociaciones s join apps a on a.id = s.app_id
    where s.agencia_id = ${agenciaId} and s.ended_at is null order by s.id`)

/** The association of an app with an agency today, or 404. */
export async function requireAsociacion(db: Db, agenciaId: number, appKey: string): Promise<Asociacion> {
  const found = (await asociacionesOf(db, agenciaId)).find(({ app }) => app.appKey === appKey)
  if (!found) throw notFound(message('problema.noAppOfAgency'))
  return found
}

export const operadoresOf = async (db: Db, agenciaId: number): Promise<Agencia['operadores']> =>
  (await findAgenciaById(db, agenciaId))?.operadores ?? []

export async function isAssociated(db: Db, pair: { appId: number; agenciaId: number }): Promise<boolean> {
  const rows = await db.query(sql`
    select from asociaciones where app_id = ${pair.appId} and agencia_id = ${pair.agenciaId} and ended_at is null`)
  return rows.length > 0
}

/** Locks first the associations by id, then the agency, as everywhere; returns the associated apps. */
export async function lockAgencia(tx: Db, agenciaId: number): Promise<number[]> {
  const rows = await tx.query<{ appId: number }>(sql`
    select app_id as "appId" from asociaciones where agencia_id = ${agenciaId} and ended_at is null
    order by id for share`)
  await tx.query(sql`select from agencias where id = ${agenciaId} for no key update`)
  return rows.map(({ appId }) => appId)
}

export const pendingOperadores = (db: Db, agenciaId: number) =>
  db.query<{ accountId: number; email: string; rol: Rol; expira: Date }>(sql`
    select c.id as "accountId", c.email, l.rol, l.expires_at as expira
    from account_links l join accounts c on c.id = l.account_id
    where l.agencia_id = ${agenciaId} and l.purpose = 'colaborar' and l.used_at is null and l.expires_at > now()
    order by l.created_at`)

export const ACCENTED = 'áéíóúàèìòùâêîôûäëïöüãõçñÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜÃÕÇÑ'

/** The ids of some of the app's agencies whose names have those words, without case and accents. */
export async function agenciasNamed(db: Db, app: App, words: string, limit: number): Promise<number[]> {
  const parts = fold(words).split(/\s+/).filter(Boolean)
  const rows = await db.query<{ id: number }>(sql`
    select g.id from asociaciones s join agencias g on g.id = s.agencia_id
    where s.app_id = ${app.id} and s.ended_at is null
      and lower(translate(g.nombre, ${ACCENTED}, ${fold(ACCENTED)})) like all (${parts.map(containing)}::text[])
    order by g.nombre limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** A pattern for `like` that finds the text anywhere. */
export const containing = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

export interface FeedAgencia extends AgenciaData {
  id: number
  adminMail: string
  /** Former addresses that are still valid. */
  anteriores: string[]
  creada: Date
  modificada: Date
}

/** The agencies of a mode that changed after a position, as they are now, in the order of their last changes. */
export async function readAgencias(db: Db, modo: Modo, after: FeedPosition, limit: number) {
  const rows = await db.query<FeedAgencia & { xid: string }>(sql`
    select ${selectList('g', { ...KEY_COLUMNS, ...DATA_COLUMNS })},
           array(select a.admin_mail from agencia_aliases a
                 where a.agencia_id = g.id and a.expires_at > now() order by a.expires_at) as anteriores,
           g.created_at as creada, g.updated_at as modificada, g.xid::text as xid
    from agencias g
    where g.modo = ${modo} and (g.xid, g.id) > (${after.xid}::xid8, ${after.position}::bigint)
      and ${isVisibleInFeed(sql`g.xid`)}
    order by g.xid, g.id limit ${limit}`)
  return feedPage(rows, after)
}
