import sql, { empty } from 'sql-template-tag'
import Type, { type Static } from 'typebox'
import type { Modo } from '../apps/app.ts'
import { fault } from '../http/problems.ts'
import { closed, MAIL_CHARACTERS, optional } from '../http/schemas.ts'
import { FIELDS, text } from '../resources/agencias/agencia.ts'
import { AdminMail } from '../resources/agencias/schema.ts'
import type { Db } from '../store/db.ts'
import { lineOrNull } from '../text.ts'
import type { Kind } from './kind.ts'

/** Somebody who works at an agency. Its administrator comes with the agency. */
const Persona = Type.Object(
  {
    AdminMail,
    Email: Type.String({ format: 'email', maxLength: MAIL_CHARACTERS }),
    Nombre: text(50, { minLength: 1 }),
    Apellido: text(50, { minLength: 1 }),
    Telefono: optional(FIELDS.Telefono.schema),
    WhatsApp: optional(FIELDS.WhatsApp.schema),
  },
  closed,
)

type Persona = Static<typeof Persona>

export const personas: Kind<Persona> = {
  schema: Persona,

  async write(tx, { modo }, rows) {
    const ids = await agenciaIds(
      tx,
      modo,
      rows.map(({ body }) => body.AdminMail),
    )
    for (const { body, faults } of rows) {
      if (!ids.has(body.AdminMail.toLowerCase()))
        faults.add('AdminMail', fault('inexistente', 'No existe esa agencia: impórtela antes.'))
      for (const name of ['Nombre', 'Apellido'] as const)
        if (!lineOrNull(body[name])) faults.add(name, fault('vacio', 'No puede estar vacío.'))
    }
    const good = rows
      .filter(({ faults }) => !faults.any)
      .map(({ body }) => ({ ...body, id: ids.get(body.AdminMail.toLowerCase()), email: body.Email.toLowerCase() }))
    const column = (of: (row: (typeof good)[number]) => string | null) => sql`${good.map(of)}::text[]`
    await tx.query(sql`
      insert into accounts (modo, email, nombre, apellido)
      select ${modo}, * from unnest(${column(({ email }) => email)}, ${column(({ Nombre }) => lineOrNull(Nombre))},
                                    ${column(({ Apellido }) => lineOrNull(Apellido))})
      on conflict (modo, email) do nothing`)
    const created = await tx.query(sql`
      insert into operadores (agencia_id, account_id, rol, telefono, whatsapp)
      select given.id, c.id, 'vendedor', given.telefono, given.whatsapp
      from unnest(${good.map(({ id }) => id)}::int[], ${column(({ email }) => email)},
                  ${column(({ Telefono }) => lineOrNull(Telefono))}, ${column(({ WhatsApp }) => lineOrNull(WhatsApp))})
        as given (id, email, telefono, whatsapp)
      join accounts c on c.modo = ${modo} and c.email = given.email
      on conflict (agencia_id, account_id) do nothing returning 1`)
    return { created: created.length }
  },

  async read(db, { modo, agenciaId, after, limit }) {
    const [agencia, account] = (after as [number, number] | undefined) ?? [0, 0]
    const rows = await db.query<Persona & { key: [number, number] }>(sql`
      select g.admin_mail as "AdminMail", c.email as "Email", coalesce(o.nombre, c.nombre) as "Nombre",
             coalesce(o.apellido, c.apellido) as "Apellido", o.telefono as "Telefono", o.whatsapp as "WhatsApp",
             json_build_array(o.agencia_id, o.account_id) as key
      from operadores o join agencias g on g.id = o.agencia_id join accounts c on c.id = o.account_id
      where g.modo = ${modo} and o.rol = 'vendedor' and (o.agencia_id, o.account_id) > (${agencia}::int, ${account}::int)
        ${agenciaId === undefined ? empty : sql`and g.id = ${agenciaId}`}
      order by o.agencia_id, o.account_id limit ${limit}`)
    return { records: rows.map(({ key: _, ...record }) => record), next: rows.at(-1)?.key }
  },
}

/** The agencies' ids by their administrators' addresses in lower case. */
async function agenciaIds(db: Db, modo: Modo, mails: readonly string[]): Promise<Map<string, number>> {
  const wanted = [...new Set(mails.map((mail) => mail.toLowerCase()))]
  const rows = await db.query<{ id: number; mail: string }>(sql`
    select id, admin_mail as mail from agencias where modo = ${modo} and admin_mail = any (${wanted})`)
  return new Map(rows.map(({ id, mail }) => [mail, id]))
}
