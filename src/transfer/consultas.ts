import { hash } from 'node:crypto'
import sql, { empty } from 'sql-template-tag'
import Type, { type Static } from 'typebox'
import { addDays, dayOf, toTimestamp } from '../http/dates.ts'
import { type Fault, fault } from '../http/problems.ts'
import { Amount, closed, MAIL_CHARACTERS, optional } from '../http/schemas.ts'
import { getOrInsert } from '../memoize.ts'
import { AdminMail } from '../resources/agencias/schema.ts'
import { Auto, BLANK_AUTO } from '../resources/consultas/auto.ts'
import {
  autoOf,
  CATALOGO,
  CONSULTA_SELECT,
  type Consulta,
  ConsultaSchema,
  ESTADOS,
  INSERT_COLUMNS,
  interesadoOf,
  newConsulta,
} from '../resources/consultas/consulta.ts'
import { addCounts } from '../resources/consultas/counts.ts'
import { type ExportedNote, importNotes, NOTE_CHARACTERS, NOTES_OF_CONSULTA } from '../resources/consultas/history.ts'
import { insertRow } from '../resources/consultas/insert.ts'
import {
  EMPTY_PERSON,
  InteresadoCreate,
  interesadoFrom,
  normalizeConsulta,
  personFaults,
} from '../resources/consultas/person.ts'
import { createConsultaMonths } from '../resources/consultas/retention.ts'
import { columnNames, type RowOf, rowsAsTable } from '../store/columns.ts'
import type { Db, Store } from '../store/db.ts'
import { isUlid, momentOf, ulid } from '../ulid.ts'
import type { Kind, Row, TransferContext } from './kind.ts'

const line = (maxLength: number) => Type.String({ maxLength, minLength: 1 })
const Precio = Amount(18_500_000)

/** The car as it was when the inquiry arrived. */
const AutoImported = Type.Object(
  {
    RefStock: optional(line(25)),
    Marca: line(200),
    Modelo: line(100),
    Version: optional(line(200)),
    VersionYear: optional(Type.Integer({ minimum: 1908, maximum: 2050 })),
    Kilometraje: optional(Type.Integer({ minimum: 0, maximum: 999_000 })),
    Color: optional(line(50)),
    BodyType: optional(line(200)),
    Estado: optional(Auto.properties.Estado),
    Precio: optional(Precio),
    Anticipo: optional(Precio),
    Cuota: optional(Precio),
  },
  closed,
)

const ConsultaRecord = Type.Object(
  {
    /** The marketplace's own id, by which a second import recognises it; a sid stays that sid. */
    Id: line(100),
    Momento: Type.String({ format: 'date-time' }),
    AdminMail,
    /** The listing and the app that published it; without them it is about a car of the catalogue. */
    ExternalId: optional(Type.String({ minLength: 2, maxLength: 255 })),
    AppKey: optional(line(200)),
    OrigenLead: ConsultaSchema.properties.OrigenLead,
    Estado: optional(Type.Enum([...ESTADOS])),
    OperadorResponsable: optional(Type.String({ format: 'email', maxLength: MAIL_CHARACTERS })),
    Auto: AutoImported,
    /** Absent if the person's data was erased. */
    Interesado: optional(Type.Object(InteresadoCreate.properties, closed)),
    /** What the agency noted; none about an erased person. */
    Notas: optional(
      Type.Array(
        Type.Object(
          {
            Momento: Type.String({ format: 'date-time' }),
            Autor: optional(Type.String({ format: 'email', maxLength: MAIL_CHARACTERS })),
            Texto: Type.String({ minLength: 1, maxLength: NOTE_CHARACTERS }),
          },
          closed,
        ),
        { maxItems: 1_000 },
      ),
    ),
  },
  closed,
)

type ConsultaRecord = Static<typeof ConsultaRecord>

const SID_BYTES = 10

/** Past inquiries. They cause no event and no email. */
export const consultas: Kind<ConsultaRecord> = {
  schema: ConsultaRecord,

  normalize: normalizeConsulta,

  /** Otherwise they would all be stored in the default partition and moved later. */
  async prepare(context, rows) {
    const { store } = context
    const prepared = getOrInsert(preparedMonths, store, () => new Set())
    const moments = rows.map(({ body }) => new Date(body.Momento)).filter((moment) => !momentFault(context, moment))
    for (const month of new Set(moments.map((moment) => moment.toISOString().slice(0, 7)))) {
      if (!prepared.has(month)) await createConsultaMonths(store, new Date(`${month}-01T00:00:00Z`))
      prepared.add(month)
    }
  },

  async write(tx, context, rows) {
    const agencias = await readAgencias(tx, context, rows)
    const publicaciones = await readPublicaciones(tx, rows, agencias)
    const notes = new Map<string, NonNullable<ConsultaRecord['Notas']>>()
    const good = new Map<string, RowOf<typeof INSERT_COLUMNS>>()
    for (const row of rows) {
      const made = rowOf(context, row, agencias, publicaciones)
      if (!made || good.has(made.sid)) continue // of two records with one Id the first counts
      good.set(made.sid, made)
      if (row.body.Interesado) notes.set(made.sid, row.body.Notas ?? [])
    }
    const inserted = await tx.query<{ sid: string }>(sql`
      insert into consultas (${columnNames(INSERT_COLUMNS)})
      select * from ${rowsAsTable(INSERT_COLUMNS, [...good.values()])}
      on conflict (sid) do nothing returning sid`)
    await addCounts(
      tx,
      inserted.flatMap(({ sid }) => good.get(sid) ?? []),
      context.config.timeZone,
    )
    await importNotes(
      tx,
      context.modo,
      inserted.flatMap(({ sid }) => (notes.get(sid) ?? []).map((note) => ({ sid, ...note }))),
    )
    return { created: inserted.length }
  },

  async read(db, { modo, agenciaId, after, limit, timeZone }) {
    const rows = await db.query<Exported>(sql`
      select ${CONSULTA_SELECT}, g.admin_mail as "adminMail", a.app_key as "appKey", ${NOTES_OF_CONSULTA} as notas
      from consultas c join agencias g on g.id = c.agencia_id left join apps a on a.id = c.fuente
      where c.modo = ${modo} and c.sid > ${(after as string | undefined) ?? ''}
        ${agenciaId === undefined ? empty : sql`and c.agencia_id = ${agenciaId}`}
      order by c.sid limit ${limit}`)
    return { records: rows.map((row) => toRecord(row, timeZone)), next: rows.at(-1)?.sid }
  },
}

const preparedMonths = new WeakMap<Store, Set<string>>()

type Exported = Consulta & { adminMail: string; appKey: string | null; notas: ExportedNote[] | null }

function toRecord(row: Exported, timeZone: string): ConsultaRecord {
  const { ExternalId, ...auto } = autoOf(row)
  const { Nombre, ...person } = interesadoOf(row)
  return {
    Id: row.sid,
    Momento: toTimestamp(momentOf(row.sid), timeZone),
    AdminMail: row.adminMail,
    ExternalId: ExternalId || null,
    AppKey: row.appKey,
    OrigenLead: row.origenLead,
    Estado: row.estado,
    OperadorResponsable: row.operador || null,
    Auto: auto,
    Interesado: Nombre ? { Nombre, ...person, Apellido: person.Apellido || null, Email: person.Email || null } : null,
    Notas:
      row.notas?.map(({ at, by, text }) => ({
        Momento: toTimestamp(new Date(at), timeZone),
        Autor: by,
        Texto: text,
      })) ?? null,
  } as ConsultaRecord
}

interface AgenciaOfRow {
  id: number
  adminMail: string
  /** Those who work there. */
  mails: string[]
}

async function readAgencias(
  tx: Db,
  { modo }: TransferContext,
  rows: Row<ConsultaRecord>[],
): Promise<Map<string, AgenciaOfRow>> {
  const found = await tx.query<AgenciaOfRow>(sql`
    select g.id, g.admin_mail as "adminMail",
           array(select c.email from operadores o join accounts c on c.id = o.account_id where o.agencia_id = g.id) as mails
    from agencias g
    where g.modo = ${modo} and g.admin_mail = any (${rows.map(({ body }) => body.AdminMail.toLowerCase())})`)
  return new Map(found.map((each) => [each.adminMail, each]))
}

/** The ids of the listings that the rows name, the newest of each ExternalId. */
async function readPublicaciones(
  tx: Db,
  rows: Row<ConsultaRecord>[],
  agencias: Map<string, AgenciaOfRow>,
): Promise<Map<string, number>> {
  const named = rows.filter(({ body }) => body.ExternalId)
  const found = await tx.query<{ key: string; id: number }>(sql`
    select agencia_id || ' ' || app_id || ' ' || lower(external_id) as key, max(id) as id from publicaciones
    where agencia_id = any (${[...agencias.values()].map(({ id }) => id)})
      and lower(external_id) = any (${named.map(({ body }) => body.ExternalId?.toLowerCase())})
    group by 1`)
  return new Map(found.map(({ key, id }) => [key, id]))
}

function rowOf(
  context: TransferContext,
  { body, faults }: Row<ConsultaRecord>,
  agencias: Map<string, AgenciaOfRow>,
  publicaciones: Map<string, number>,
): RowOf<typeof INSERT_COLUMNS> | undefined {
  const { modo } = context
  const agencia = agencias.get(body.AdminMail.toLowerCase())
  if (!agencia) faults.add('AdminMail', fault('inexistente', 'No existe esa agencia: impórtela antes.'))
  const moment = new Date(body.Momento)
  const late = momentFault(context, moment)
  if (late) faults.add('Momento', late)
  for (const [at, note] of (body.Notas ?? []).entries()) {
    const wrong = noteMomentFault(context, new Date(note.Momento))
    if (wrong) faults.add(`Notas[${at}].Momento`, wrong)
  }
  const app = context.app ?? context.apps.get(body.AppKey ?? '')
  if (body.ExternalId && !app)
    faults.add('AppKey', fault('requerido', 'Falta la app que publicó el aviso, o no existe.'))
  const person = body.Interesado
  if (person) faults.addAll(personFaults(person))
  if (!agencia || faults.any) return undefined

  const interesado = person ? interesadoFrom(person) : EMPTY_PERSON
  const operador = body.OperadorResponsable?.toLowerCase() ?? ''
  const fuente = body.ExternalId && app ? app.id : CATALOGO
  const consulta = newConsulta({
    sid: sidOf(body, moment, agencia.id),
    modo,
    agenciaId: agencia.id,
    fuente,
    tipoAnuncio: body.ExternalId ? 'publicacion' : 'catalogo',
    origenLead: body.OrigenLead,
    auto: JSON.stringify(autoFrom(body)),
    interesado: JSON.stringify(interesado),
    operador: agencia.mails.includes(operador) ? operador : agencia.adminMail,
    estado: body.Estado ?? 'nueva',
  })
  const publicacionId = publicaciones.get(`${agencia.id} ${fuente} ${body.ExternalId?.toLowerCase()}`) ?? null
  const publicacion = { publicacionId, externalId: body.ExternalId ?? null }
  return insertRow(consulta, interesado, publicacion, { country: context.config.country })
}

/** Why a note of that moment cannot be kept. A leap second is valid as text. */
function noteMomentFault({ clock }: TransferContext, moment: Date): Fault | undefined {
  if (Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1)
    return fault('formato', 'No es una fecha y hora que exista.')
  return moment > clock() ? fault('fuera-de-rango', 'Está en el futuro.') : undefined
}

/** Why an inquiry of that moment cannot be kept. */
function momentFault(context: TransferContext, moment: Date): Fault | undefined {
  const { config, clock } = context
  const wrong = noteMomentFault(context, moment)
  if (wrong) return wrong
  const oldest = addDays(dayOf(clock(), config.timeZone), -config.retentionDays)
  if (dayOf(moment, config.timeZone) >= oldest) return undefined
  return fault('fuera-de-rango', `Es anterior a ${oldest}: RETENTION_DAYS la borraría.`)
}

/** Always the same for one record, so that a second import finds it. */
function sidOf({ Id }: ConsultaRecord, moment: Date, agenciaId: number): string {
  if (isUlid(Id) && momentOf(Id).getTime() === moment.getTime()) return Id
  const digest = hash('sha256', `${agenciaId} ${Id}`, 'buffer')
  return ulid(moment.getTime(), digest.subarray(0, SID_BYTES))
}

const autoFrom = ({ Auto: given, ExternalId }: ConsultaRecord): Auto => ({
  ...BLANK_AUTO,
  ...given,
  ExternalId: ExternalId ?? '',
  Estado: given.Estado ?? (given.Kilometraje === 0 ? 'nuevo' : 'usado'),
})
