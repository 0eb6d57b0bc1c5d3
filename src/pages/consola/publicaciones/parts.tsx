import type { Publicacion } from '../../../resources/publicaciones/publicacion.ts'

export const PUBLICACIONES = '/consola/publicaciones'

export const avisoHref = ({ id }: { id: number }): string => `${PUBLICACIONES}/${id}`

export const carName = ({ marca, modelo, version, versionYear }: Publicacion): string =>
  [marca, modelo, version, versionYear].filter(Boolean).join(' ')

const TONES = { Activa: 'status-2', Suspendida: 'warning', Archivada: '' }

/** How it stands; what the marketplace itself suspended stands out. */
export const AvisoEstado = ({ estado, suspensiones }: Pick<Publicacion, 'estado' | 'suspensiones'>) =>
  estado === 'Suspendida' && suspensiones.includes('mercado') ? (
    <span class="badge status-5">moderada</span>
  ) : (
    <span class={`badge ${TONES[estado]}`}>{estado.toLowerCase()}</span>
  )
