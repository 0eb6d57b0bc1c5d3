import type { Place } from '../agencias/place.ts'
import type { Horarios } from './hours.ts'

export interface SucursalData extends Place {
  nombre: string
  telefono: string | null
  whatsapp: string | null
  email: string | null
  direccion: string | null
  codigoPostal: string | null
  /** Null: not told. */
  horarios: Horarios | null
}

/** A place where an agency receives people. */
export interface Sucursal extends SucursalData {
  id: number
}
