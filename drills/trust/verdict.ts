import type { Sum } from '../drill.ts'

/** The totals in a part's last line. It leaves out what it does not measure. */
type PartSum = Partial<Sum & { foreign: number }>

/** One part of `npm run trust`. */
export interface Part {
  name: string
  args: string[]
  /** A part that takes longer has failed. */
  timeoutS: number
  /** True if `faults` counts what it injected, false if what it found. */
  injects: boolean
  /** Figures that must be above zero: a part in which nothing happened proves nothing. */
  shows: (keyof PartSum)[]
  /** Figures that must be present and zero. */
  clean: (keyof PartSum)[]
  /** It needs root, the git history or a container engine, which not every machine has. */
  canSkip?: boolean
}

/** How the process of a part ended. */
export interface Ended {
  code: number | null
  /** The last line that is JSON, or empty. */
  last: string
  printedSkipped: boolean
  timedOut: boolean
}

export interface PartVerdict {
  sum: PartSum
  verdict: 'passed' | 'FAILED' | 'skipped'
}

/** A part holds if it exited with 0 in time and its totals show activity and no fault. */
export function judge({ shows, clean, canSkip }: Part, { code, last, printedSkipped, timedOut }: Ended): PartVerdict {
  if (code === 0 && last === '' && printedSkipped && canSkip && !timedOut) return { sum: {}, verdict: 'skipped' }
  const sum = read(last)
  if (!sum) return { sum: {}, verdict: 'FAILED' }
  const isShown = shows.every((name) => Number(sum[name]) > 0)
  const isClean = clean.every((name) => sum[name] === 0)
  return { sum, verdict: code === 0 && !timedOut && isShown && isClean ? 'passed' : 'FAILED' }
}

function read(line: string): PartSum | undefined {
  try {
    const sum = JSON.parse(line)
    return typeof sum === 'object' && sum !== null ? sum : undefined
  } catch {
    return undefined
  }
}
