import type { Matcher } from './matcher.ts'

const MOST_REMEMBERED = 10_000

/**
 * A matcher that answers a value it has seen before from memory. Partners send the same few thousand values of their own
 * again and again, and an answer never changes while the server runs; a flood of new ones only empties the memory.
 */
export function rememberMatches(matcher: Matcher): Matcher {
  return {
    region: remembering(matcher.region, (state) => state),
    city: remembering(matcher.city, ({ state, city }) => JSON.stringify([state, city])),
    make: remembering(matcher.make, (value) => value),
    bodystyle: remembering(matcher.bodystyle, (value) => value),
    colour: remembering(matcher.colour, (value) => value),
    model: remembering(matcher.model, JSON.stringify),
    version: remembering(matcher.version, JSON.stringify),
    modelOf: matcher.modelOf,
    versionOf: matcher.versionOf,
  }
}

/** A question whose answers are kept, up to a bound. */
export function remembering<Query, Result>(ask: (query: Query) => Result, keyOf: (query: Query) => string) {
  const known = new Map<string, Result>()
  return (query: Query): Result => {
    const key = keyOf(query)
    const remembered = known.get(key)
    if (remembered) return remembered
    const answer = ask(query)
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(key, answer)
    return answer
  }
}
