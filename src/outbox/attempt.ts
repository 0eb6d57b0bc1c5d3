import type { Carrier, Outcome } from './carrier.ts'
import type { Claimed } from './outbox.ts'
import type { Patience } from './patience.ts'

/**
 * One attempt, which always ends: with the patience, and in an outcome whatever the carrier does. Cut short because the
 * worker ends, it counts as none.
 */
export function attempt<Row extends Claimed>(carrier: Carrier<Row>, row: Row, patience: Patience): Promise<Outcome> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome) => resolve(patience.over ? outcomeOfCut(patience) : outcome)
    patience.onEnd(() => end(outcomeOfCut(patience)))
    // More often taken than there are attempts: each time its worker died with it, and so would we.
    if (row.attempts > carrier.schedule.length + 1)
      return end({ kind: 'failed', reason: 'Ningún intento llegó a su fin.', code: 'abandoned' })
    try {
      carrier.carry(row, patience).then(end, (error) => end(outcomeOfError(error)))
    } catch (error) {
      end(outcomeOfError(error))
    }
  })
}

const outcomeOfCut = ({ over }: Patience): Outcome =>
  over === 'stopped' ? { kind: 'returned' } : { kind: 'postponed', reason: 'Tardó demasiado.', code: 'timeout' }

function outcomeOfError(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'postponed', reason: message, code: name }
}
