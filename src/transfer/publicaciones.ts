import sql, { empty } from 'sql-template-tag'
import Type, { type Static } from 'typebox'
import type { App } from '../apps/app.ts'
import { fault } from '../http/problems.ts'
import { closed, optional } from '../http/schemas.ts'
import { getOrInsert } from '../memoize.ts'
import { findPaquetes, lockPaquetes } from '../resources/agencias/paquetes.ts'
import { findAssociated } from '../resources/agencias/read.ts'
import { AdminMail } from '../resources/agencias/schema.ts'
import { detailContext, readDetails } from '../resources/publicaciones/details.ts'
import {
  type Capacity,
  capacityOf,
  isModerated,
  resolveVisibility,
  updateCapacity,
} from '../resources/publicaciones/paquete.ts'
import {
  PUBLICACION,
  type Publicacion,
  publicacionEntry,
  SUSPENSIONES,
  type Visibility,
} from '../resources/publicaciones/publicacion.ts'
import { keyOf } from '../resources/publicaciones/read.ts'
import { PublicacionFila } from '../resources/publicaciones/schema.ts'
import { readVehicle } from '../resources/publicaciones/vehicle.ts'
import { insertRows, newRow } from '../resources/publicaciones/write.ts'
import type { Db } from '../store/db.ts'
import { lineOrNull } from '../text.ts'
import type { Kind, Row, TransferContext } from './kind.ts'

const MOTIVO_CHARACTERS = 500 // as in /interno/v1/avisos/{id}/suspender

const Suspension = Type.Object(
  { Por: Type.Enum([...SUSPENSIONES]), Motivo: optional(Type.String({ maxLength: MOTIVO_CHARACTERS })) },
  closed,
)

/** As an upload of the API takes it, with its agency and app, and who suspended it. */
const PublicacionRecord = Type.Object(
  {
    AdminMail,
    AppKey: Type.Optional(Type.String({ maxLength: 200 })),
    ...PublicacionFila.properties,
    Suspension: optional(Suspension),
  },
  closed,
)

type PublicacionRecord = Static<typeof PublicacionRecord> & { Estado?: unknown }

const ARCHIVED = fault('incompatible', 'Está archivada: no se importa.')
const NO_ASSOCIATION = fault(
  'inexistente',
  'La app no está asociada a esa agencia: importe antes la agencia con esa app en Apps o, si la agencia ya existe, pida a quien la administra que asocie la app.',
)

export const publicaciones: Kind<PublicacionRecord> = {
  schema: PublicacionRecord,

  async write(tx, context, rows) {
    let created = 0
    for (const [app, own] of byApp(context, rows)) created += await writeOf(tx, context, app, own)
    return { created }
  },

  async read(db, { modo, agenciaId, after, limit, timeZone }) {
    const rows = await db.query<Publicacion & { adminMail: string; appKey: string }>(sql`
      select ${PUBLICACION}, g.admin_mail as "adminMail", a.app_key as "appKey"
      from publicaciones p join agencias g on g.id = p.agencia_id join apps a on a.id = p.app_id
      where p.modo = ${modo} and p.estado <> 'Archivada' and p.id > ${(after as number | undefined) ?? 0}
        ${agenciaId === undefined ? empty : sql`and p.agencia_id = ${agenciaId}`}
      order by p.id limit ${limit}`)
    const records = rows.map((row) => {
      const { _links, ...entry } = publicacionEntry(row, { adminMail: row.adminMail, timeZone })
      return { AdminMail: row.adminMail, AppKey: row.appKey, ...entry } as unknown as PublicacionRecord
    })
    return { records, next: rows.at(-1)?.id }
  },
}

function byApp({ app, apps }: TransferContext, rows: Row<PublicacionRecord>[]): Map<App, Row<PublicacionRecord>[]> {
  const groups = new Map<App, Row<PublicacionRecord>[]>()
  for (const row of rows) {
    const own = app ?? apps.get(row.body.AppKey ?? '')
    if (own) getOrInsert(groups, own, () => []).push(row)
    else if (row.body.AppKey) row.faults.add('AppKey', fault('inexistente', 'No existe esa app en este modo.'))
    else row.faults.add('AppKey', fault('requerido', 'Falta la app: la columna AppKey, o --app.'))
  }
  return groups
}

/** A few statements for the listings of one app, of as many agencies as there are. */
async function writeOf(tx: Db, context: TransferContext, app: App, rows: Row<PublicacionRecord>[]): Promise<number> {
  const mails = rows.map(({ body }) => body.AdminMail.toLowerCase())
  const agencias = await findAssociated(tx, app, mails)
  const ids = [...new Set([...agencias.values()].map(({ id }) => id))]
  await lockPaquetes(tx, ids)
  const packages = await findPaquetes(tx, ids, context.config.timeZone)
  const capacities = new Map([...packages].map(([id, each]) => [id, capacityOf(each)]))
  const existing = await existingKeys(tx, app, ids, rows)

  const created: object[] = []
  for (const [at, { body, faults }] of rows.entries()) {
    const agencia = agencias.get(mails[at] as string)
    if (body.Estado === 'Archivada') faults.add('Estado', ARCHIVED)
    else if (!agencia) faults.add('AdminMail', NO_ASSOCIATION)
    if (!agencia || faults.any) continue
    const key = `${agencia.id} ${keyOf(body.ExternalId)}`
    if (existing.has(key)) continue
    const vehicle = readVehicle(context.matcher, body, faults)
    const details = readDetails(detailContext(context, agencia), body, faults)
    if (faults.any) continue
    existing.add(key) // a second row with the same ExternalId
    const visibility = visibilityFor(body, capacities.get(agencia.id) as Capacity)
    const owner = { modo: app.modo, agenciaId: agencia.id, appId: app.id }
    const motivo = isModerated(visibility) ? lineOrNull(body.Suspension?.Motivo) : null
    created.push(newRow(owner, body.ExternalId, { vehicle, details, visibility, motivo }))
  }
  return created.length === 0 ? 0 : (await insertRows(tx, created, sql`returning p.id`)).length
}

async function existingKeys(tx: Db, app: App, ids: number[], rows: Row<PublicacionRecord>[]): Promise<Set<string>> {
  const found = await tx.query<{ key: string }>(sql`
    select agencia_id || ' ' || lower(external_id) as key from publicaciones
    where agencia_id = any (${ids}) and app_id = ${app.id} and estado <> 'Archivada'
      and lower(external_id) = any (${rows.map(({ body }) => keyOf(body.ExternalId))})`)
  return new Set(found.map(({ key }) => key))
}

const FULL: Visibility = { estado: 'Suspendida', suspensiones: ['paquete'], exposicionPedida: null, exposicion: null }

/** Suspended if the marketplace or the agency suspended it, or for the package if it does not fit. */
function visibilityFor(body: PublicacionRecord, capacity: Capacity): Visibility {
  const { Activa, Estado, Exposicion = null, Suspension } = body
  const suspensiones = Suspension ? [Suspension.Por] : []
  if (isModerated({ suspensiones }))
    return { estado: 'Suspendida', suspensiones, exposicionPedida: Exposicion, exposicion: null }
  const activa = Estado === 'Suspendida' ? false : Activa
  const resolved = resolveVisibility(undefined, { activa, exposicion: Exposicion }, capacity)
  const visibility = 'refused' in resolved ? { ...FULL, exposicionPedida: Exposicion } : resolved
  updateCapacity(capacity, undefined, visibility)
  return visibility
}
