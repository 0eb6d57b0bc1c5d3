import { bestPlace, type Room } from './exposure.ts'
import type { Exposicion, Suspension } from './publicacion.ts'
import type { Visibility } from './write.ts'

/** What an app wants of a listing: shown or not (left out: shown, if it may be), and how prominently. */
export interface Wish {
  activa: boolean | undefined
  exposicion: Exposicion | null
}

/** `moderated`: others than the app suspended it. `full`: the package has no place. */
export type Stood = Visibility | { refused: 'moderated' | 'full' }

/** What only others than the app lift. */
const OTHERS: readonly Suspension[] = ['mercado', 'agencia']

export const isModerated = ({ suspensiones }: Pick<Visibility, 'suspensiones'>): boolean =>
  suspensiones.some((reason) => OTHERS.includes(reason))

/**
 * Where a listing stands when its app has its wish. To hide what is hidden already changes nothing, so that what was
 * read can be sent back. Not to say that it be shown is no insistence: what may not be shown then stays hidden.
 */
export function stand(current: Visibility | undefined, { activa, exposicion: pedida }: Wish, room: Room): Stood {
  const hidden = current?.estado === 'Suspendida' ? current.suspensiones : undefined
  const suspended = (suspensiones: Suspension[]): Visibility => ({
    estado: 'Suspendida',
    suspensiones,
    exposicionPedida: pedida,
    exposicion: null,
  })
  if (activa === false) return suspended(hidden ?? ['app'])

  if (hidden && isModerated({ suspensiones: hidden }))
    return activa ? { refused: 'moderated' } : suspended(hidden.filter((reason) => OTHERS.includes(reason)))

  const own = current?.estado === 'Activa' ? current.exposicion : null
  const exposicion = bestPlace(room, pedida, own)
  if (exposicion) return { estado: 'Activa', suspensiones: [], exposicionPedida: pedida, exposicion }
  return hidden && activa === undefined ? suspended(hidden) : { refused: 'full' }
}
