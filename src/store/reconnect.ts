import { setTimeout as pause } from 'node:timers/promises'

export const MAX_PAUSE_MS = 2_000

interface ReconnectOptions {
  signal: AbortSignal
  firstPauseMs: number
  /** One connection, until it is lost. */
  session: () => Promise<unknown>
  onLost?: (error: Error) => void
}

/** Runs a session again after it has ended, until the signal. Pauses grow while no session lasts. */
export async function reconnect({ signal, firstPauseMs, session, onLost }: ReconnectOptions): Promise<void> {
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    const began = performance.now()
    await session().catch((error) => {
      if (!signal.aborted) onLost?.(error)
    })
    if (performance.now() - began > MAX_PAUSE_MS) pauseMs = firstPauseMs
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
  }
}
