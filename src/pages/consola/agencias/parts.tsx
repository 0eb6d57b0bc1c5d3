import type { InvitacionEstado } from '../../../resources/agencias/agencia.ts'
import type { PackageEstado } from '../../../resources/agencias/packages.ts'

export const AGENCIAS = '/consola/agencias'
export const INVITACIONES = `${AGENCIAS}/invitaciones`

export const agenciaHref = ({ id }: { id: number }): string => `${AGENCIAS}/${id}`

export const PAQUETES = [
  ['vigente', 'Vigente'],
  ['vencido', 'Vencido'],
  ['sin-contratar', 'Sin contratar'],
] as const satisfies readonly (readonly [PackageEstado, string])[]

const PAQUETE_TONES: Record<PackageEstado, string> = { vigente: 'status-2', vencido: 'status-5', 'sin-contratar': '' }

export const PaqueteBadge = ({ estado }: { estado: PackageEstado }) => (
  <span class={`badge ${PAQUETE_TONES[estado]}`}>{PAQUETES.find(([name]) => name === estado)?.[1].toLowerCase()}</span>
)

const INVITACION_TONES: Record<InvitacionEstado, string> = {
  pendiente: 'status-3',
  aceptada: 'status-2',
  vencida: 'warning',
  revocada: '',
  rebotada: 'status-5',
}

export const InvitacionBadge = ({ estado }: { estado: InvitacionEstado }) => (
  <span class={`badge ${INVITACION_TONES[estado]}`}>{estado}</span>
)
