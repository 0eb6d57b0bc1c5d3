import { itself, memoize } from '../../memoize.ts'
import type { Matcher } from './matcher.ts'

/**
 * A matcher that answers a value it has seen before from memory. Partners send the same few thousand values of their own
 * again and again, and an answer never changes while the server runs; a flood of new ones only empties the memory.
 */
export function rememberMatches(matcher: Matcher): Matcher {
  return {
    region: memoize(matcher.region, itself),
    city: memoize(matcher.city, ({ state, city }) => JSON.stringify([state, city])),
    make: memoize(matcher.make, itself),
    bodystyle: memoize(matcher.bodystyle, itself),
    colour: memoize(matcher.colour, itself),
    model: memoize(matcher.model, JSON.stringify),
    version: memoize(matcher.version, JSON.stringify),
    modelOf: matcher.modelOf,
    versionOf: matcher.versionOf,
  }
}
