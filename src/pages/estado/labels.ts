import type { EstadoIncidente, Impacto } from '../../status/incidents.ts'

export const ESTADO_LABELS: Record<EstadoIncidente, string> = {
  investigando: 'Investigando',
  identificado: 'Causa identificada',
  observando: 'En observación',
  resuelto: 'Resuelto',
}

export const IMPACTO_LABELS: Record<Impacto, string> = {
  menor: 'Impacto menor',
  mayor: 'Impacto mayor',
  mantenimiento: 'Mantenimiento',
}
