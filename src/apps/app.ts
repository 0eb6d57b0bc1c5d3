/** Production and test: neither ever sees the other's data. */
export type Modo = 'produccion' | 'prueba'

/** A partner application: the client of everything under /v3. */
export interface App {
  id: number
  appKey: string
  nombre: string
  contacto: string | null
  modo: Modo
  /** The topics it may use; null: all of them. */
  topics: string[] | null
  disabled: boolean
  /** Since when and why. Not in AppCache, which leaves out disabled apps. */
  disabledAt?: Date | null
  disabledReason?: string | null
  limits: AppLimits
  /** Private ranges that its webhooks may reach, besides those of ALLOW_PRIVATE_CALLBACKS; the same form. */
  privateCallbacks: string[]
}

/** The least and the most that the store keeps of each limit. */
export const LIMIT_BOUNDS: Record<keyof AppLimits, { least: number; most: number }> = {
  ratePerSecond: { least: 1, most: 100_000 },
  rateBurst: { least: 1, most: 1_000_000 },
  invitesPerDay: { least: 0, most: 1_000_000 },
}

/** What an app may ask, where it is not what everyone may; null: as everyone. */
export interface AppLimits {
  ratePerSecond: number | null
  rateBurst: number | null
  invitesPerDay: number | null
}
