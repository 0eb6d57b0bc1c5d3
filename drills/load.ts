import { setTimeout as pause } from 'node:timers/promises'
import { callerFor } from '../tests/support/caller.ts'
import type { House } from './house.ts'

const CALLERS = 4
const RETRY_MS = 20
export const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.registrada', 'agencia.modificada']

/** A partner who never rests. */
export interface Load {
  /** The events that our answers told of: each was acknowledged, whatever happened then. */
  acknowledged: Set<string>
  stop(): Promise<void>
}

/** Points the app's webhooks at the receiver, and asks for one event after the other; what is refused is asked for again. */
export async function startLoad({ server, app }: House, callback: string): Promise<Load> {
  const caller = callerFor(server.url, app.key, app.secret)
  for (const topic of TOPICS) {
    const body = JSON.stringify({ Callback: callback })
    const { status, text } = await caller.call('POST', `/v3/appnotificaciones/${topic}`, { body })
    if (status !== 201) throw new Error(`The webhook was not made: ${status} ${text}`)
  }
  const acknowledged = new Set<string>()
  let resting = false

  async function ask(turn: number): Promise<void> {
    for (let next = turn; !resting; next++) {
      const path = `/v3/appnotificaciones/${TOPICS[next % TOPICS.length]}/prueba`
      const answer = await caller.call('POST', path).catch(() => undefined)
      if (answer?.status === 202) acknowledged.add(answer.json.Id)
      else await pause(RETRY_MS)
    }
  }
  const asking = Array.from({ length: CALLERS }, (_, turn) => ask(turn))
  return {
    acknowledged,
    async stop() {
      resting = true
      await Promise.all(asking)
    },
  }
}
