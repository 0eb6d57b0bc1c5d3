import { notFound } from '../../../http/problems.ts'
import type { Agencia, InvitacionEstado } from '../../../resources/agencias/agencia.ts'
import type { PackageEstado } from '../../../resources/agencias/packages.ts'
import { findAgenciaById } from '../../../resources/agencias/read.ts'
import type { PageDeps } from '../../signed-in.ts'

export const AGENCIAS = '/consola/agencias'
export const INVITACIONES = `${AGENCIAS}/invitaciones`

export const agenciaHref = ({ id }: { id: number }): string => `${AGENCIAS}/${id}`

export type ById = { Params: { id: string } }

/** Any agency, by its number; 404 where there is none. */
export async function agenciaAt({ store }: PageDeps, id: string): Promise<Agencia> {
  const agencia = /^\d{1,9}$/.test(id) ? await findAgenciaById(store, Number(id)) : undefined
  if (!agencia) throw notFound('No hay una agencia así.')
  return agencia
}

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
