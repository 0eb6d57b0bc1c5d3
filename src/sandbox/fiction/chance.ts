/** A seeded random generator: two demos of one day have the same data. */
export interface Chance {
  /** From 0 to 1. */
  next(): number
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  /** All of them, shuffled. */
  shuffled<T>(from: readonly T[]): T[]
  /** One of the keys, by its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
  /** One of the positions, by the weight there. */
  weightedIndex(weights: readonly number[]): number
}

/** Mulberry32: short, and random enough for sample data. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  function weightedIndex(weights: readonly number[]): number {
    let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
    const at = weights.findIndex((weight) => (left -= weight) < 0)
    return at < 0 ? weights.length - 1 : at // rounding
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number],
    shuffled: (from) =>
      from
        .map((value) => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
    weighted: <K extends string>(weights: Readonly<Record<K, number>>) =>
      Object.keys(weights)[weightedIndex(Object.values(weights))] as K,
    weightedIndex,
  }
}
