import { type Consulta, type EstadoConsulta, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { ESTADO_LABELS } from './labels.ts'

export const EstadoBadge = ({ estado }: { estado: EstadoConsulta }) => (
  <span class={`badge estado-${estado}`}>{ESTADO_LABELS[estado]}</span>
)

/** Only who was erased has no interest either (decisions, 11). */
export const isErased = (row: Pick<Consulta, 'interesado'>): boolean => interesadoOf(row).Interes === null

/** How the person is called, or what is known of them. */
export function personName(row: Pick<Consulta, 'interesado'>): string {
  if (isErased(row)) return 'Persona suprimida'
  const { Nombre, Apellido, Email, Telefono } = interesadoOf(row)
  return [Nombre, Apellido].filter(Boolean).join(' ') || Email || Telefono || 'Sin nombre'
}
