export type Chance = ReturnType<typeof chanceOf>

/** A seeded random generator: two demos of one day have the same data. Mulberry32 is short, and random enough for that. */
export function chanceOf(seed: number) {
  let state = seed >>> 0
  /** From 0 to 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** One of the positions, by the weight there. */
  function weightedIndex(weights: readonly number[]): number {
    let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
    const at = weights.findIndex((weight) => (left -= weight) < 0)
    return at < 0 ? weights.length - 1 : at // rounding
  }
  return {
    next,
    /** A whole number, both ends included. */
    between: (least: number, most: number): number => least + Math.floor(next() * (most - least + 1)),
    pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T,
    shuffled: <T>(from: readonly T[]): T[] =>
      from
        .map((value) => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
    /** One of the keys, by its weight. */
    weighted: <K extends string>(weights: Readonly<Record<K, number>>): K =>
      Object.keys(weights)[weightedIndex(Object.values(weights))] as K,
    weightedIndex,
  }
}
