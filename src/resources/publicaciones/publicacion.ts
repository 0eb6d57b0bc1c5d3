import type { Modo } from '../../apps/app.ts'

export type EstadoPublicacion = 'Activa' | 'Suspendida' | 'Archivada'
export type Exposicion = 'Alta' | 'Media' | 'Baja'

/** What is on offer: the catalogue's ids and the names they had when it was written; no id where it knows none. */
export interface PublicacionData {
  externalId: string
  refStock: string | null
  /** The mail of the operator who answers for it. */
  operador: string
  marcaId: number
  marca: string
  modeloId: number | null
  modelo: string
  versionId: number | null
  version: string | null
  versionYear: number
  /** 0 only for a new one. */
  kilometraje: number
  colorId: number | null
  color: string | null
  carroceriaId: number | null
  carroceria: string | null
  propulsion: string | null
  transmision: string | null
  precioMoneda: string | null
  precioImporte: number | null
  descripcion: string | null
  regionId: number | null
  region: string | null
  ciudadId: number | null
  ciudad: string | null
  fotos: string[]
}

/** A listing. `id` is its public number, Aviso; partners know it by their own ExternalId. */
export interface Publicacion extends PublicacionData {
  id: number
  modo: Modo
  agenciaId: number
  /** Who published it. */
  appId: number
  estado: EstadoPublicacion
  /** What the package gave it. */
  exposicion: Exposicion | null
}
