import sql, { empty, join } from 'sql-template-tag'
import Type, { type Static } from 'typebox'
import type { App } from '../apps/app.ts'
import { fault } from '../http/problems.ts'
import { closed, Day, optional, optionalMembers } from '../http/schemas.ts'
import {
  type AgenciaData,
  DATA_COLUMNS,
  dataEntry,
  FIELDS,
  type Permisos,
  text,
} from '../resources/agencias/agencia.ts'
import { INVITER } from '../resources/agencias/associations.ts'
import { textsIn } from '../resources/agencias/changes.ts'
import { isFault, NOWHERE, readPlace } from '../resources/agencias/place.ts'
import { AdminMail } from '../resources/agencias/schema.ts'
import { isTaxId, taxIdFault } from '../resources/agencias/tax-id.ts'
import { columnNames, rowsAsTable, selectList, sqlColumn } from '../store/columns.ts'
import type { Db } from '../store/db.ts'
import { lineOrNull } from '../text.ts'
import type { Kind, Row, TransferContext } from './kind.ts'

const { Nombre, ...OPTIONAL } = FIELDS
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })

const Paquete = Type.Object(
  {
    Nombre: text(120, { minLength: 1 }),
    Desde: Day,
    Hasta: Day,
    Alta: Count,
    Media: Count,
    Baja: Count,
    ConsultasDeCatalogo: Type.Optional(Type.Boolean()),
  },
  closed,
)

const Agencia = Type.Object(
  {
    AdminMail,
    AdminNombre: optional(text(50)),
    AdminApellido: optional(text(50)),
    Nombre: Nombre.schema,
    ...optionalMembers(OPTIONAL),
    Paquete: optional(Paquete),
    /** Each an AppKey, with permissions as in `KEY:editar+consultasDeCatalogo`, or with those of an inviting app. */
    Apps: Type.Optional(Type.Array(text(200), { maxItems: 100 })),
  },
  closed,
)

type Agencia = Static<typeof Agencia>

interface Prepared {
  mail: string
  body: Agencia
  data: AgenciaData
  associations: { app: App; permisos: Permisos }[]
}

const PERMISSIONS = ['editar', 'consultasDeCatalogo', 'consultasDeOtros'] as const
const NO_PERMISSION: Permisos = { editar: false, consultasDeCatalogo: false, consultasDeOtros: false }

export const agencias: Kind<Agencia> = {
  schema: Agencia,

  async write(tx, context, rows) {
    const { modo } = context
    const prepared = rows.map((row) => prepare(context, row))
    await refuseOtherAdministrators(tx, context, rows)
    const byMail = new Map<string, Prepared>()
    for (const [at, each] of prepared.entries())
      if (!rows[at]?.faults.any && !byMail.has(each.mail)) byMail.set(each.mail, each) // of two the first counts
    const good = [...byMail.values()]
    const mails = good.map(({ mail }) => mail)
    await tx.query(sql`
      insert into accounts (modo, email, nombre, apellido)
      select ${modo}, * from unnest(${mails}::text[], ${good.map(({ body }) => lineOrNull(body.AdminNombre) ?? '')}::text[],
                                    ${good.map(({ body }) => lineOrNull(body.AdminApellido) ?? '')}::text[])
      on conflict (modo, email) do nothing`)
    const created = await tx.query<{ id: number; mail: string }>(sql`
      insert into agencias (modo, ${columnNames(INSERT_COLUMNS)})
      select ${modo}, given.* from ${rowsAsTable(
        INSERT_COLUMNS,
        good.map(({ mail, data }) => ({ mail, ...data })),
      )}
      on conflict (modo, admin_mail) do nothing returning id, admin_mail as mail`)
    await tx.query(sql`
      delete from agencia_aliases where modo = ${modo} and admin_mail = any (${created.map(({ mail }) => mail)})`)
    await tx.query(sql`
      insert into operadores (agencia_id, account_id, rol)
      select given.id, c.id, 'administrador'
      from unnest(${created.map(({ id }) => id)}::int[], ${created.map(({ mail }) => mail)}::text[]) as given (id, mail)
      join accounts c on c.modo = ${modo} and c.email = given.mail
      on conflict (agencia_id, account_id) do update set rol = 'administrador'`)
    const made = created.map(({ id, mail }) => ({ id, ...(byMail.get(mail) as Prepared) }))
    await insertPaquetes(tx, made)
    await insertAssociations(tx, made)
    return { created: created.length }
  },

  async read(db, { modo, agenciaId, after, limit }) {
    const rows = await db.query<ExportedAgencia>(sql`
      select g.id, g.admin_mail as "adminMail", ${selectList('g', DATA_COLUMNS)},
             coalesce(c.nombre, '') as "adminNombre", coalesce(c.apellido, '') as "adminApellido",
             case when p.agencia_id is not null then
               json_build_object('Nombre', p.nombre, 'Desde', p.desde::text, 'Hasta', p.hasta::text, 'Alta', p.alta,
                                 'Media', p.media, 'Baja', p.baja, 'ConsultasDeCatalogo', p.consultas_de_catalogo)
             end as paquete,
             array(select a.app_key || ':' || array_to_string(array_remove(array[
                     case when s.editar then 'editar' end, case when s.consultas_de_catalogo then 'consultasDeCatalogo' end,
                     case when s.consultas_de_otros then 'consultasDeOtros' end], null), '+')
                   from asociaciones s join apps a on a.id = s.app_id
                   where s.agencia_id = g.id and s.ended_at is null order by a.id) as apps
      from agencias g
      left join accounts c on c.modo = g.modo and c.email = g.admin_mail
      left join paquetes p on p.agencia_id = g.id
      where g.modo = ${modo} and g.id > ${(after as number | undefined) ?? 0}
        ${agenciaId === undefined ? empty : sql`and g.id = ${agenciaId}`}
      order by g.id limit ${limit}`)
    return { records: rows.map(toRecord), next: rows.at(-1)?.id }
  },
}

interface ExportedAgencia extends AgenciaData {
  id: number
  adminMail: string
  adminNombre: string
  adminApellido: string
  paquete: Agencia['Paquete']
  apps: string[]
}

const toRecord = ({ adminMail, adminNombre, adminApellido, paquete, apps, ...data }: ExportedAgencia): Agencia => ({
  AdminMail: adminMail,
  AdminNombre: adminNombre || null,
  AdminApellido: adminApellido || null,
  ...(dataEntry(data) as Omit<Agencia, 'AdminMail'>),
  Paquete: paquete ?? null,
  Apps: apps,
})

const INSERT_COLUMNS = { mail: sqlColumn<string>('admin_mail'), ...DATA_COLUMNS }

function prepare(context: TransferContext, { body, faults }: Row<Agencia>): Prepared {
  const place = readPlace(context.matcher, body)
  if (isFault(place)) faults.addPlace(place)
  const texts = textsIn(body)
  if (!texts.nombre) faults.add('Nombre', fault('vacio', 'No puede estar vacío.'))
  const { idFiscal } = texts
  const { country } = context.config
  if (idFiscal && !isTaxId(country, idFiscal)) faults.add('IdFiscal', taxIdFault(country))
  const { Paquete } = body
  if (Paquete && Paquete.Hasta < Paquete.Desde)
    faults.add('Paquete.Hasta', fault('fuera-de-rango', 'Termina antes de empezar.'))
  const data = { ...texts, ...(isFault(place) ? NOWHERE : place) }
  return { mail: body.AdminMail.toLowerCase(), body, data, associations: associationsOf(context, body, faults) }
}

function associationsOf({ app, apps }: TransferContext, { Apps = [] }: Agencia, faults: Row<Agencia>['faults']) {
  if (app) return [{ app, permisos: INVITER }]
  return Apps.flatMap((written) => {
    const [key = '', permissions] = written.split(':')
    const found = apps.get(key)
    if (!found) faults.add('Apps', fault('inexistente', `No existe la app ${key} en este modo.`))
    const names = permissions?.split('+').filter(Boolean)
    const unknown = names?.find((name) => !PERMISSIONS.some((known) => known === name))
    if (unknown) faults.add('Apps', fault('opcion', `${unknown} no es un permiso: ${PERMISSIONS.join(', ')}.`))
    const permisos = names ? { ...NO_PERMISSION, ...Object.fromEntries(names.map((name) => [name, true])) } : INVITER
    return found ? { app: found, permisos } : []
  })
}

/** A person administers one agency. */
async function refuseOtherAdministrators(tx: Db, { modo }: TransferContext, rows: Row<Agencia>[]): Promise<void> {
  const busy = await tx.query<{ email: string }>(sql`
    select c.email from accounts c join operadores o on o.account_id = c.id and o.rol = 'administrador'
    join agencias g on g.id = o.agencia_id
    where c.modo = ${modo} and c.email = any (${rows.map(({ body }) => body.AdminMail.toLowerCase())})
      and g.admin_mail <> c.email`)
  const taken = new Set(busy.map(({ email }) => email))
  for (const { body, faults } of rows)
    if (taken.has(body.AdminMail.toLowerCase()))
      faults.add('AdminMail', fault('incompatible', 'Esta persona ya administra otra agencia.'))
}

type Made = Prepared & { id: number }

async function insertPaquetes(tx: Db, made: Made[]): Promise<void> {
  const packages = made.flatMap(({ id, body: { Paquete } }) => (Paquete ? { id, ...Paquete } : []))
  if (packages.length === 0) return
  const rows = packages.map(
    (each) =>
      sql`(${each.id}::int, ${each.Nombre}, ${each.Desde}::date, ${each.Hasta}::date, ${each.Alta}::int, ${each.Media}::int,
           ${each.Baja}::int, ${each.ConsultasDeCatalogo ?? false}::boolean)`,
  )
  await tx.query(sql`
    insert into paquetes (agencia_id, nombre, desde, hasta, alta, media, baja, consultas_de_catalogo)
    values ${join(rows)}`)
}

/** No event is sent: the app finds its agencies in its list. */
async function insertAssociations(tx: Db, made: Made[]): Promise<void> {
  const all = made.flatMap(({ id, associations }) => associations.map((each) => ({ id, ...each })))
  await tx.query(sql`
    insert into asociaciones (app_id, agencia_id, editar, consultas_de_catalogo, consultas_de_otros)
    select * from unnest(${all.map(({ app }) => app.id)}::int[], ${all.map(({ id }) => id)}::int[],
      ${all.map(({ permisos }) => permisos.editar)}::boolean[],
      ${all.map(({ permisos }) => permisos.consultasDeCatalogo)}::boolean[],
      ${all.map(({ permisos }) => permisos.consultasDeOtros)}::boolean[])
    on conflict (app_id, agencia_id) where ended_at is null do nothing`)
}
