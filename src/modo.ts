/** Production and test, whose data is kept apart. */
export const MODOS = ['produccion', 'prueba'] as const
export type Modo = (typeof MODOS)[number]
