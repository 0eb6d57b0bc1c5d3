import { agencias } from './agencias.ts'
import { consultas } from './consultas.ts'
import type { Kind } from './kind.ts'
import { personas } from './personas.ts'
import { publicaciones } from './publicaciones.ts'

/** In the order in which they build on one another. */
export const KINDS = { agencias, personas, publicaciones, consultas } satisfies Record<string, Kind>

export type KindName = keyof typeof KINDS

export const KIND_NAMES = Object.keys(KINDS) as KindName[]
