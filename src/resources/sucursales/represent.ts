import { link, segment } from '../../http/links.ts'
import type { Sucursal } from './sucursal.ts'

const listHref = (adminMail: string): string => `/v3/sucursales/${segment(adminMail)}`

export const sucursalHref = (adminMail: string, id: number): string => `${listHref(adminMail)}/${id}`

/** What everyone may know of it. */
export const sucursalData = (row: Sucursal) => ({
  Nombre: row.nombre,
  Telefono: row.telefono,
  WhatsApp: row.whatsapp,
  Email: row.email,
  Region: row.region,
  Ciudad: row.ciudad,
  Direccion: row.direccion,
  CodigoPostal: row.codigoPostal,
  Horarios: row.horarios,
})

/** Only what this app may do is offered. */
export function sucursalEntry(row: Sucursal, adminMail: string, editar: boolean) {
  const self = sucursalHref(adminMail, row.id)
  return {
    ...sucursalData(row),
    _links: {
      self: link(self),
      ...(editar && { editar: link(self, 'PUT'), eliminar: link(self, 'DELETE') }),
      sucursales: link(listHref(adminMail)),
      agencia: link(`/v3/agencias/${segment(adminMail)}`),
    },
  }
}

export const sucursalesList = (rows: Sucursal[], adminMail: string, editar: boolean) => ({
  _links: {
    self: link(listHref(adminMail)),
    ...(editar && { agregar: link(listHref(adminMail), 'POST') }),
    agencia: link(`/v3/agencias/${segment(adminMail)}`),
  },
  _entries: rows.map((row) => sucursalEntry(row, adminMail, editar)),
})
