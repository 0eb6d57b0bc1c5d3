import type { Carrier, Outcome } from './carrier.ts'
import type { Claimed } from './outbox.ts'

/** Why an attempt is aborted: it took too long, or the worker stops. */
export type AbortReason = 'timeout' | 'stopped'

/** Makes one attempt. It always ends in an outcome, at the latest when the signal aborts. */
export function attempt<Row extends Claimed>(carrier: Carrier<Row>, row: Row, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome) => resolve(signal.aborted ? outcomeOfAbort(signal.reason) : outcome)
    signal.addEventListener('abort', () => resolve(outcomeOfAbort(signal.reason)))
    // Claimed more often than it may be attempted: each time its worker died, and so would this one.
    if (row.attempts > carrier.schedule.length + 1)
      return end({ kind: 'failed', reason: 'Ningún intento llegó a su fin.', code: 'abandoned' })
    try {
      carrier.carry(row, signal).then(end, (error) => end(outcomeOfError(error)))
    } catch (error) {
      end(outcomeOfError(error))
    }
  })
}

/** An attempt that is aborted because the worker stops does not count. */
const outcomeOfAbort = (reason: AbortReason): Outcome =>
  reason === 'stopped' ? { kind: 'returned' } : { kind: 'postponed', reason: 'Tardó demasiado.', code: 'timeout' }

function outcomeOfError(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'postponed', reason: message, code: name }
}
