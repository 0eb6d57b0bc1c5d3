import type { Db } from '../../store/db.ts'
import { announce } from '../../webhooks/events.ts'
import type { Topic } from '../../webhooks/topics.ts'
import type { Agencia } from './agencia.ts'
import type { AgenciasDeps } from './deps.ts'
import { agenciaRef } from './represent.ts'

/** Tells one app what happened to an agency, in the transaction in which it happens. */
export async function tell(
  tx: Db,
  { clock, config }: AgenciasDeps,
  appId: number,
  topic: Topic,
  agencia: Pick<Agencia, 'id' | 'adminMail' | 'nombre'>,
  body: Record<string, unknown> = {},
): Promise<void> {
  const { id, adminMail } = agencia
  const about = { id, adminMail, ...agenciaRef(agencia) }
  await announce(tx, { appId, topic, agencia: about, moment: clock(), timeZone: config.timeZone, body })
}
