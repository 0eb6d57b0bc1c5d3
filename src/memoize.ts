const MOST_REMEMBERED = 10_000
const LONGEST_KEY = 512 // what is asked again and again is short; nobody fills the memory with what is not

/** A question whose answers are kept, up to a bound. It must have the same answer for as long as the server runs. */
export function memoize<Query, Result>(
  ask: (query: Query) => Result,
  keyOf: (query: Query) => string,
  most = MOST_REMEMBERED,
): (query: Query) => Result {
  const known = new Map<string, Result>()
  return (query) => {
    const key = keyOf(query)
    const remembered = known.get(key)
    if (remembered !== undefined || known.has(key)) return remembered as Result
    const answer = ask(query)
    if (key.length > LONGEST_KEY) return answer
    if (known.size >= most) known.clear()
    known.set(key, answer)
    return answer
  }
}

/** The key of a question that is a text. */
export const itself = (text: string): string => text
