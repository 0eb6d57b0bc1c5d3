import { toTimestamp } from '../http/dates.ts'
import { link, segment } from '../http/links.ts'
import { dataEntry } from '../resources/agencias/agencia.ts'
import type { FollowedAgencia } from '../resources/agencias/read.ts'
import { catalogueLinks, publicEntry, shownExposure, suspensionOf } from '../resources/publicaciones/publicacion.ts'
import type { Aviso } from '../resources/publicaciones/read.ts'
import { type Sucursal, sucursalData } from '../resources/sucursales/sucursal.ts'

const AVISOS = '/interno/v1/avisos'
const AGENCIAS = '/interno/v1/agencias'

/** A listing for the marketplace's site. */
export function avisoEntry(row: Aviso, timeZone: string) {
  const self = `${AVISOS}/${row.id}`
  const isModerated = row.suspensiones.includes('mercado')
  return {
    Aviso: row.id,
    Estado: row.estado,
    Suspension: suspensionOf(row),
    Exposicion: shownExposure(row),
    Agencia: { Id: row.agenciaId, AdminMail: row.adminMail, Nombre: row.agencia },
    ExternalId: row.externalId,
    ...publicEntry(row, { adminMail: row.adminMail, timeZone }),
    _links: {
      pagina: link(`/aviso/${row.id}`),
      ...(row.estado !== 'Archivada' && {
        ...(isModerated
          ? { reactivar: link(`${self}/reactivar`, 'POST') }
          : { suspender: link(`${self}/suspender`, 'POST') }),
      }),
      ...catalogueLinks(row),
    },
  }
}

/** An agency for the marketplace's site. */
export function agenciaEntry(row: FollowedAgencia, sucursales: Sucursal[], timeZone: string) {
  return {
    Id: row.id,
    AdminMail: row.adminMail,
    AdminMailsAnteriores: row.anteriores,
    ...dataEntry(row),
    Sucursales: sucursales.map(sucursalData),
    Creada: toTimestamp(row.creada, timeZone),
    Modificada: toTimestamp(row.modificada, timeZone),
    _links: { paquete: link(`${AGENCIAS}/${segment(row.adminMail)}/paquete`, 'PUT') },
  }
}
