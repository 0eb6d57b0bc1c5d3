import { EXPOSICIONES, type Exposicion, type Publicacion } from './publicacion.ts'

/** How many more listings of each exposure a package has place for; below zero where it has become smaller. */
export type Room = Record<Exposicion, number>

/** The best exposure there is place for, from the one asked for downwards; what a listing has already is its own. */
export function bestPlace(room: Room, asked: Exposicion | null, own: Exposicion | null = null): Exposicion | undefined {
  const from = asked === null ? 0 : EXPOSICIONES.indexOf(asked)
  return EXPOSICIONES.slice(from).find((level) => room[level] > 0 || level === own)
}

type Shown = Pick<Publicacion, 'estado' | 'exposicion'>

const placeOf = ({ estado, exposicion }: Shown) => (estado === 'Activa' ? exposicion : null)

/** Only what is shown takes a place: moving from one standing to another gives one back, and takes one. */
export function move(room: Room, from: Shown | undefined, to: Shown | undefined): void {
  const [given, taken] = [from && placeOf(from), to && placeOf(to)]
  if (given) room[given]++
  if (taken) room[taken]--
}
