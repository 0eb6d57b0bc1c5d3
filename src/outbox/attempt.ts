import type { Carrier, Outcome } from './carrier.ts'
import type { Claimed } from './outbox.ts'

/** Why an attempt was cut short; handed to the signal. */
export type Cut = 'timeout' | 'stopped'

/**
 * One attempt, which always ends: in time, and in an outcome whatever the carrier does. Cut short because the worker
 * ends, it counts as none.
 */
export async function attempt<Row extends Claimed>(
  carrier: Carrier<Row>,
  row: Row,
  abort: AbortController,
  carryMs: number,
): Promise<Outcome> {
  // More often taken than there are attempts: each time its worker died with it, and so would we.
  if (row.attempts > carrier.schedule.length + 1)
    return { kind: 'failed', reason: 'Ningún intento llegó a su fin.', code: 'abandoned' }

  const timer = setTimeout(() => abort.abort('timeout' satisfies Cut), carryMs)
  const cut = new Promise<Outcome>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve(outcomeOfCut(abort.signal.reason)), { once: true })
  })
  try {
    return await Promise.race([cut, carrier.carry(row, abort.signal)])
  } catch (error) {
    if (abort.signal.aborted) return outcomeOfCut(abort.signal.reason)
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { kind: 'postponed', reason: message, code: name }
  } finally {
    clearTimeout(timer)
  }
}

const outcomeOfCut = (cut: Cut): Outcome =>
  cut === 'stopped' ? { kind: 'returned' } : { kind: 'postponed', reason: 'Tardó demasiado.', code: 'timeout' }
