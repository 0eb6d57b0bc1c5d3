import type { Modo } from '../../apps/app.ts'

export const ESTADOS = ['Activa', 'Suspendida', 'Archivada'] as const
/** From the best to the least. */
export const EXPOSICIONES = ['Alta', 'Media', 'Baja'] as const
/** Why a listing is suspended, the weightiest first: each is lifted by whoever is named. */
export const SUSPENSIONES = ['mercado', 'agencia', 'desasociada', 'paquete', 'app'] as const

export type EstadoPublicacion = (typeof ESTADOS)[number]
export type Exposicion = (typeof EXPOSICIONES)[number]
export type Suspension = (typeof SUSPENSIONES)[number]

/** Something the partner adds to the technical data that has members of its own. */
export interface DatoTecnico {
  Nombre: string
  Valor: string
}

/** What may be said anew of a listing; the catalogue's ids go with the names they had when it was written. */
export interface Details {
  refStock: string | null
  /** The mail of the operator who answers for it. */
  operador: string
  versionYear: number | null
  /** 0 for a new one. */
  kilometraje: number | null
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
  datosTecnicos: DatoTecnico[]
}

/** Which car it is, which never changes; no id where the catalogue does not know it. */
export interface Vehicle {
  marcaId: number
  marca: string
  modeloId: number | null
  modelo: string
  versionId: number | null
  version: string | null
  /** The partner's own words for all three, without case; empty where it was not a partner who wrote them. */
  escrito: string
}

/** What is on offer. */
export interface PublicacionData extends Vehicle, Details {
  externalId: string
}

/** A listing. `id` is its public number, Aviso; partners know it by their own ExternalId. */
export interface Publicacion extends PublicacionData {
  id: number
  modo: Modo
  agenciaId: number
  /** Who published it. */
  appId: number
  estado: EstadoPublicacion
  suspensiones: Suspension[]
  /** What was said when it was suspended by others than the app. */
  motivo: string | null
  /** What was asked for (null: the best there is), and what the package gave it. */
  exposicionPedida: Exposicion | null
  exposicion: Exposicion | null
  creada: Date
  modificada: Date
}
