import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Db, Store } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import { publishEvent } from '../../webhooks/events.ts'
import type { Topic } from '../../webhooks/topics.ts'
import type { Agencia } from './agencia.ts'
import { agenciaRef } from './represent.ts'

export interface AgenciasDeps {
  store: Store
  seal: Seal
  matcher: Matcher
  clock: Clock
  config: Pick<Config, 'publicUrl' | 'timeZone' | 'country' | 'invitesPerDay' | 'brand'>
}

interface AgenciaEvent {
  appId: number
  topic: Topic
  agencia: Pick<Agencia, 'id' | 'adminMail' | 'nombre'>
  body?: Record<string, unknown> | undefined
}

/** Notifies an app of an event of an agency, in the same transaction. */
export async function publishAgenciaEvent(
  tx: Db,
  { clock, config }: Omit<AgenciasDeps, 'store'>,
  { appId, topic, agencia, body = {} }: AgenciaEvent,
): Promise<void> {
  const { id, adminMail } = agencia
  const about = { id, adminMail, ...agenciaRef(agencia) }
  await publishEvent(tx, { appId, topic, agencia: about, moment: clock(), timeZone: config.timeZone, body })
}
