import { itself, remembering } from '../../remembering.ts'
import type { Matcher } from './matcher.ts'

/**
 * A matcher that answers a value it has seen before from memory. Partners send the same few thousand values of their own
 * again and again, and an answer never changes while the server runs; a flood of new ones only empties the memory.
 */
export function rememberMatches(matcher: Matcher): Matcher {
  return {
    region: remembering(matcher.region, itself),
    city: remembering(matcher.city, ({ state, city }) => JSON.stringify([state, city])),
    make: remembering(matcher.make, itself),
    bodystyle: remembering(matcher.bodystyle, itself),
    colour: remembering(matcher.colour, itself),
    model: remembering(matcher.model, JSON.stringify),
    version: remembering(matcher.version, JSON.stringify),
    modelOf: matcher.modelOf,
    versionOf: matcher.versionOf,
  }
}
