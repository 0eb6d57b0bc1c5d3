import { forbidden } from '../../http/problems.ts'
import type { PortalContext } from './context.tsx'

/** Only a titular decides about keys and team; whoever else sends the form anyway is told whom to ask. */
export function decides({ rol }: Pick<PortalContext, 'rol'>): void {
  if (rol !== 'titular') throw forbidden(ONLY_TITULAR)
}

const ONLY_TITULAR = 'Solo quien es titular de la app decide sobre sus claves y su equipo. En Equipo ve quién es.'
