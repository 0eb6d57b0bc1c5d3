import type { Modo } from '../modo.ts'

export type { Modo }

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
  /** Private ranges that its webhooks may reach, besides those of ALLOW_PRIVATE_CALLBACKS, in the same format. */
  privateCallbacks: string[]
}

/** The range of each limit in the database. */
export const LIMIT_BOUNDS: Record<keyof AppLimits, { least: number; most: number }> = {
  ratePerSecond: { least: 1, most: 100_000 },
  rateBurst: { least: 1, most: 1_000_000 },
  invitesPerDay: { least: 0, most: 1_000_000 },
}

/** The app's own limits; null: the general one. */
export interface AppLimits {
  ratePerSecond: number | null
  rateBurst: number | null
  invitesPerDay: number | null
}

/** The limits of apps that have none of their own. */
export type GeneralLimits = { [Name in keyof AppLimits]: number }
