import { labels } from '../../i18n/messages.tsx'
import type { EstadoIncidente, Impacto } from '../../status/incidents.ts'

export const ESTADO_LABELS: Readonly<Record<EstadoIncidente, string>> = labels({
  investigando: 'estado.incident.investigando',
  identificado: 'estado.incident.identificado',
  observando: 'estado.incident.observando',
  resuelto: 'estado.incident.resuelto',
})

export const IMPACTO_LABELS: Readonly<Record<Impacto, string>> = labels({
  menor: 'estado.impact.menor',
  mayor: 'estado.impact.mayor',
  mantenimiento: 'estado.impact.mantenimiento',
})
