import sql from 'sql-template-tag'
import type { Modo } from '../../src/apps/app.ts'
import { dayOf } from '../../src/http/dates.ts'
import type { Auto } from '../../src/resources/consultas/auto.ts'
import { CATALOGO, type Consulta, type EstadoConsulta, newConsulta } from '../../src/resources/consultas/consulta.ts'
import { countSql } from '../../src/resources/consultas/counts.ts'
import type { Interesado } from '../../src/resources/consultas/person.ts'
import type { Db, Store } from '../../src/store/db.ts'
import { ulid } from '../../src/ulid.ts'

export const AUTO: Auto = {
  ExternalId: 'AB-1',
  RefStock: null,
  Marca: 'Fiat',
  Modelo: 'Cronos',
  Version: '1.3 Drive',
  VersionYear: 2022,
  Kilometraje: 38_000,
  Color: 'Blanco',
  BodyType: 'Sedán',
  Estado: 'usado',
  Precio: { Moneda: 'ARS', Importe: 18_500_000 },
  Anticipo: null,
  Cuota: null,
}

export const INTERESADO: Interesado = {
  Interes: 'compra',
  Nombre: 'Lucía',
  Apellido: 'Ferreyra',
  Email: 'lucia@correo.test',
  Telefono: '+54 9 341 555-0134',
  DocIdentidad: null,
  Provincia: 'Santa Fe',
  Ciudad: 'Rosario',
  Comentario: '¿Sigue disponible?',
  InfoOperacion: null,
}

/** What a test says of an inquiry; the rest is believable. */
export interface InsertOptions {
  agencia: { id: number; modo: Modo; adminMail: string }
  /** The app whose listing it is about; without one it is about a car of the catalogue. */
  fuente?: { id: number } | undefined
  externalId?: string
  at?: Date | string
  operador?: string
  estado?: EstadoConsulta
  auto?: Partial<Auto>
  interesado?: Partial<Interesado>
  repite?: string
  timeZone?: string
}

/**
 * Stores an inquiry received at any time, with its count, as the intake does, but without events and emails.
 */
export async function insertConsulta(store: Store, given: InsertOptions): Promise<Consulta> {
  const { agencia, fuente, at = new Date(), timeZone = 'America/Argentina/Buenos_Aires' } = given
  const moment = new Date(at)
  const ExternalId = fuente ? (given.externalId ?? 'AB-1') : ''
  const auto: Auto = { ...AUTO, ExternalId, ...(!fuente && { Estado: 'nuevo', Kilometraje: null }), ...given.auto }
  const interesado: Interesado = { ...INTERESADO, ...given.interesado }
  const row = newConsulta({
    sid: ulid(moment.getTime()),
    modo: agencia.modo,
    agenciaId: agencia.id,
    fuente: fuente?.id ?? CATALOGO,
    tipoAnuncio: fuente ? 'publicacion' : 'catalogo',
    origenLead: 'form',
    auto: JSON.stringify(auto),
    interesado: JSON.stringify(interesado),
    operador: given.operador ?? agencia.adminMail,
    ...(given.estado && { estado: given.estado }),
    ...(given.repite && { repite: given.repite }),
  })
  await store.transaction(async (tx) => {
    await tx.query(sql`
      insert into consultas (sid, modo, agencia_id, fuente, external_key, tipo_anuncio, origen_lead, auto, interesado,
        email, telefono, operador, estado, repite)
      values (${row.sid}, ${row.modo}, ${row.agenciaId}, ${row.fuente}, ${ExternalId.toLowerCase() || null},
        ${row.tipoAnuncio}, ${row.origenLead}, ${row.auto}, ${row.interesado},
        ${interesado.Email.toLowerCase() || null}, ${interesado.Telefono?.replace(/\D/g, '') || null},
        ${row.operador}, ${row.estado}, ${row.repite})`)
    const { agenciaId, operador } = row
    await countConsulta(tx, { agenciaId, day: dayOf(moment, timeZone), fuente: row.fuente, operador })
  })
  return row
}

/** Counts one inquiry. */
export async function countConsulta(
  db: Db,
  { agenciaId, day, fuente, operador }: { agenciaId: number; day: string; fuente: number; operador: string },
): Promise<void> {
  await db.query(sql`
    with stored as (select ${agenciaId}::int as agencia_id, ${fuente}::int as fuente, ${operador}::text as operador)
    ${countSql(day)}`)
}
