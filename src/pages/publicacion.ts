import type { Publicacion, Suspension } from '../resources/publicaciones/publicacion.ts'

/** The car of a listing, in a line. */
export const carName = ({ marca, modelo, version, versionYear }: Publicacion): string =>
  [marca, modelo, version, versionYear].filter(Boolean).join(' ')

/** Why a listing is not shown. */
export const SUSPENSION_LABELS: Record<Suspension, string> = {
  mercado: 'Lo suspendió el mercado',
  agencia: 'Lo suspendió la agencia',
  desasociada: 'La app ya no trabaja con la agencia',
  paquete: 'El paquete no tiene lugar',
  app: 'La app lo suspendió',
}
