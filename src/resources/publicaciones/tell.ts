import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { type EventRow, freeze } from '../../webhooks/events.ts'
import { agenciaRef } from '../agencias/represent.ts'
import type { Publicacion } from './publicacion.ts'
import { publicacionRef } from './represent.ts'

export interface TellingDeps {
  clock: Clock
  config: Pick<Config, 'timeZone'>
}

type Told = Pick<Publicacion, 'appId' | 'externalId' | 'marca' | 'modelo'>

export type Happening = 'activada' | 'suspendida' | 'archivada'

/** What an app is told that others did with a listing of its own. */
export function toldOf(
  { clock, config }: TellingDeps,
  row: Told,
  agencia: { id: number; adminMail: string; nombre: string },
  what: Happening,
  por: 'agencia' | 'mercado',
): EventRow {
  return freeze({
    appId: row.appId,
    topic: `publicacion.${what}`,
    agencia: { id: agencia.id, adminMail: agencia.adminMail, ...agenciaRef(agencia) },
    moment: clock(),
    timeZone: config.timeZone,
    body: { Publicacion: publicacionRef(row, agencia.adminMail), ExternalId: row.externalId, Por: por },
  })
}
