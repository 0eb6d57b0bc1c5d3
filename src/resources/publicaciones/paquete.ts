import type { Modo } from '../../apps/app.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { type FaultMap, fault } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import type { Db, Store } from '../../store/db.ts'
import { EXPOSICIONES, lockPaquete, type PaqueteToday } from '../agencias/paquetes.ts'
import { type Exposicion, type Suspension, shownExposure, type Visibility } from './publicacion.ts'

export interface PublicacionesDeps {
  store: Store
  matcher: Matcher
  clock: Clock
  config: Pick<Config, 'timeZone'>
}

export const NO_SUCH_PUBLICACION = message('problema.noListing')
export const MODERATED = message('problema.moderated')

/** The key of the lock under which an agency's listings change. Waiting for it takes no database connection. */
export const lockKey = (modo: Modo, adminMail: string): string => `publicaciones ${modo} ${adminMail.toLowerCase()}`

/** How many more listings of each exposure a package allows; negative if it has become smaller. */
export type Capacity = Record<Exposicion, number>

/** None outside the package's days. */
export const capacityOf = ({ estado, alta, media, baja, usadas }: PaqueteToday): Capacity => {
  const current = estado === 'vigente'
  return {
    Alta: (current ? alta : 0) - usadas.Alta,
    Media: (current ? media : 0) - usadas.Media,
    Baja: (current ? baja : 0) - usadas.Baja,
  }
}

/** The capacity of the agency's package, locked until the transaction ends. */
export const lockCapacity = async (tx: Db, agenciaId: number, { config }: Pick<PublicacionesDeps, 'config'>) =>
  capacityOf(await lockPaquete(tx, agenciaId, config.timeZone))

/** The best exposure that is free, from `wanted` downwards; a listing may keep its own. */
export function bestExposure(capacity: Capacity, wanted: Exposicion | null, own: Exposicion | null = null) {
  const from = wanted === null ? 0 : EXPOSICIONES.indexOf(wanted)
  return EXPOSICIONES.slice(from).find((level) => capacity[level] > 0 || level === own)
}

type Shown = Pick<Visibility, 'estado' | 'exposicion'>

/** Counts a change of visibility: only shown listings use capacity. */
export function updateCapacity(capacity: Capacity, from: Shown | undefined, to: Shown | undefined): void {
  const released = from && shownExposure(from)
  const taken = to && shownExposure(to)
  if (released) capacity[released]++
  if (taken) capacity[taken]--
}

/** Why there is no capacity: an error of `Exposicion` if one was requested. */
export const noCapacity = (wanted: Exposicion | null): FaultMap =>
  wanted === null
    ? {
        _: [
          fault(
            'sin-lugar',
            'No queda lugar en el paquete de la agencia: libere un lugar, publique con Activa false, o pida a la agencia que amplíe su paquete.',
          ),
        ],
      }
    : {
        Exposicion: [
          fault(
            'sin-lugar',
            `En el paquete de la agencia no queda lugar de exposición ${wanted}${wanted === 'Baja' ? '' : ' ni de una menor'}.`,
          ),
        ],
      }

interface VisibilityRequest {
  /** Undefined: shown if possible. */
  activa: boolean | undefined
  exposicion: Exposicion | null
}

/** Suspensions that the app cannot lift. */
const MODERATION: readonly Suspension[] = ['mercado', 'agencia']

export const isModerated = ({ suspensiones }: Pick<Visibility, 'suspensiones'>): boolean =>
  suspensiones.some((reason) => MODERATION.includes(reason))

/**
 * The visibility that a listing gets on request. Hiding what is hidden changes nothing, so that what was read can be
 * sent back. If `activa` is left out, a listing that cannot be shown stays hidden; with true it is refused.
 */
export function resolveVisibility(
  current: Visibility | undefined,
  { activa, exposicion: exposicionPedida }: VisibilityRequest,
  capacity: Capacity,
): Visibility | { refused: 'moderated' | 'full' } {
  const hidden = current?.estado === 'Suspendida' ? current.suspensiones : undefined
  const suspended = (suspensiones: Suspension[]): Visibility => ({
    estado: 'Suspendida',
    suspensiones,
    exposicionPedida,
    exposicion: null,
  })
  if (activa === false) return suspended(hidden ?? ['app'])

  if (hidden && isModerated({ suspensiones: hidden }))
    return activa ? { refused: 'moderated' } : suspended(hidden.filter((reason) => MODERATION.includes(reason)))

  const exposicion = bestExposure(capacity, exposicionPedida, current && shownExposure(current))
  if (exposicion) return { estado: 'Activa', suspensiones: [], exposicionPedida, exposicion }
  return hidden && activa === undefined ? suspended(hidden) : { refused: 'full' }
}
