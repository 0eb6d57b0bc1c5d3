import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { buildEvent, type EventRow } from '../../webhooks/events.ts'
import { agenciaRef } from '../agencias/represent.ts'
import { type Publicacion, publicacionRef } from './publicacion.ts'

export interface EventDeps {
  clock: Clock
  config: Pick<Config, 'timeZone'>
}

export type PublicacionChange = 'activada' | 'suspendida' | 'archivada'

/** The event that tells an app what others did to its listing. */
export function publicacionEvent(
  { clock, config }: EventDeps,
  row: Pick<Publicacion, 'appId' | 'externalId' | 'marca' | 'modelo'>,
  agencia: { id: number; adminMail: string; nombre: string },
  change: PublicacionChange,
  by: 'agencia' | 'mercado',
): EventRow {
  return buildEvent({
    appId: row.appId,
    topic: `publicacion.${change}`,
    agencia: { id: agencia.id, adminMail: agencia.adminMail, ...agenciaRef(agencia) },
    moment: clock(),
    timeZone: config.timeZone,
    body: { Publicacion: publicacionRef(row, agencia.adminMail), ExternalId: row.externalId, Por: by },
  })
}
