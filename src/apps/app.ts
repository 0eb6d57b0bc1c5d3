/** Production and test: neither ever sees the other's data. */
export type Modo = 'produccion' | 'prueba'

/** A partner application: on whose behalf everything under /v3 is asked and answered. */
export interface App {
  id: number
  appKey: string
  nombre: string
  contacto: string | null
  modo: Modo
  /** The topics it may use; null: all of them. */
  topics: string[] | null
  disabled: boolean
  limits: AppLimits
}

/** What an app may ask, where it is not what everyone may; null: as everyone. */
export interface AppLimits {
  ratePerSecond: number | null
  rateBurst: number | null
  invitesPerDay: number | null
}
