import type { Modo } from '../../apps/app.ts'

/** The two modes, as people choose them. */
export const MODOS = [
  ['produccion', 'Producción'],
  ['prueba', 'Prueba'],
] as const satisfies readonly (readonly [Modo, string])[]

export const MODO_NAMES: readonly Modo[] = MODOS.map(([modo]) => modo)

/** Test stands out from production. */
export const ModoBadge = ({ modo }: { modo: Modo }) => (
  <span class={modo === 'prueba' ? 'badge warning' : 'badge'}>{modo === 'prueba' ? 'prueba' : 'producción'}</span>
)
