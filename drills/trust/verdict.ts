import type { Sum } from '../drill.ts'

/** What a part says of itself in its last line; whatever it does not measure it leaves out. */
export type PartSum = Partial<Sum & { foreign: number }>

/** One of the things that try to break the house. */
export interface Part {
  name: string
  args: string[]
  /** How long it may take; what hangs has failed. */
  timeoutS: number
  /** Whether its faults are what it did, rather than what it found. */
  injects: boolean
  /** Figures that must be above nought: where nothing was asked, or nothing happened, nothing was shown. */
  shows: (keyof PartSum)[]
  /** Figures that must be there, and nought. */
  clean: (keyof PartSum)[]
  /** It needs something that not every machine has: root, the history of the repository, a container engine. */
  canSkip?: boolean
}

/** How its process ended. */
export interface Ended {
  code: number | null
  /** Its last line that is JSON, or nothing. */
  last: string
  printedSkipped: boolean
  timedOut: boolean
}

export interface PartVerdict {
  sum: PartSum
  verdict: 'held' | 'FAILED' | 'skipped'
}

/** A part holds where it ended well, in time, says what it came to, and that is something and nothing bad. */
export function judge({ shows, clean, canSkip }: Part, { code, last, printedSkipped, timedOut }: Ended): PartVerdict {
  if (code === 0 && last === '' && printedSkipped && canSkip && !timedOut) return { sum: {}, verdict: 'skipped' }
  const sum = read(last)
  if (!sum) return { sum: {}, verdict: 'FAILED' }
  const isShown = shows.every((name) => Number(sum[name]) > 0)
  const isClean = clean.every((name) => sum[name] === 0)
  return { sum, verdict: code === 0 && !timedOut && isShown && isClean ? 'held' : 'FAILED' }
}

function read(line: string): PartSum | undefined {
  try {
    const sum = JSON.parse(line)
    return typeof sum === 'object' && sum !== null ? sum : undefined
  } catch {
    return undefined
  }
}
