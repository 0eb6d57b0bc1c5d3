/** One request of a series: its size on the wire, and what it cost the server. */
export interface Cost {
  bytes: number
  /** CPU time of the server process. */
  ms: number
}

const BASE_MS = 60
const PER_KIB_MS = 0.5
const MAX_MS = 2_000
/** CPU times below this say little: a garbage collection is as large. */
const NOISE_MS = 40
/** Memory for large bodies comes in steps, so growth is judged where a good part of the budget is used. */
const NOISE_SHARE = 0.25
/** Four times the size may cost six times as much. */
const GROWTH = 1.5

/** What a request of that size may cost. `hashingMs` is what the route spends on a password, however long the request is. */
export const budgetMs = (bytes: number, hashingMs = 0): number =>
  Math.min(BASE_MS + (PER_KIB_MS * bytes) / 1024, MAX_MS) + hashingMs

/** What a request of that size may cost before its growth is judged. */
export const noiseMs = (bytes: number): number => Math.max(NOISE_MS, NOISE_SHARE * budgetMs(bytes))

/** Whether the larger of two requests costs more than its size explains. */
export function growsTooFast(small: Cost, large: Cost, hashingMs = 0): boolean {
  const [before, after] = [small, large].map(({ ms }) => Math.max(0, ms - hashingMs)) as [number, number]
  const noise = noiseMs(large.bytes)
  return after > noise && after > GROWTH * (large.bytes / small.bytes) * before + noise
}

/** The two of a series whose growth is judged: the largest, and the largest that is at most a quarter of it. */
export function growthPair(series: readonly Cost[]): [Cost, Cost] | undefined {
  const bySize = [...series].sort((a, b) => b.bytes - a.bytes)
  const [large] = bySize
  const small = large && bySize.find(({ bytes }) => bytes * 3.5 <= large.bytes)
  return large && small && [small, large]
}

/** What is wrong with a series of requests that differ only in size; each is named by itself. */
export function costFaults(series: readonly Cost[], hashingMs = 0): string[] {
  const faults = series
    .filter(({ bytes, ms }) => ms > budgetMs(bytes, hashingMs))
    .map(({ bytes, ms }) => `${bytes} bytes cost ${ms.toFixed(0)} ms, at most ${budgetMs(bytes, hashingMs).toFixed(0)}`)
  const pair = growthPair(series)
  if (pair && growsTooFast(...pair, hashingMs)) {
    const [small, large] = pair
    const times = (large.bytes / small.bytes).toFixed(1)
    faults.push(
      `${times} times the size (${large.bytes} bytes) costs ${large.ms.toFixed(0)} ms after ${small.ms.toFixed(0)}`,
    )
  }
  return faults
}

/** Answers that say that a limit refused the request before the work under test. */
export const isLimited = (status: number): boolean => status === 429 || status === 503
