const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const VOWELS = 'aeiou'
const ALIKE_PAIRS = ['bv', 'sz', 'sc', 'cz', 'ck', 'kq', 'gj', 'jx', 'iy', 'mn', 'uw']

/** A character that was lost in transport ("Adrogu?"): it may stand for any one. */
export const LOST = '?'
const LOST_CODE = LOST.charCodeAt(0)

// Costs in tenths of an edit, weighed by how easily the slip happens.
const EDIT = 10
const SWAP = 7 // two letters in the wrong order
const NEIGHBOUR = 7 // the key beside
const VOWEL = 8 // one vowel for another
const ALIKE = 6 // letters that sound the same, or nearly
const DOUBLED = 4 // a letter typed twice, or once instead of twice
const FIRST_LETTER = 3 // on top: people rarely miss the first letter
const LOST_COST = 1

const CODES = 128 // folded text is ASCII but for foreign scripts
const substitutionCosts = buildSubstitutionCosts()
const MAX_LENGTH = 48
const rows = [0, 1, 2].map(() => new Int32Array(MAX_LENGTH + 1))
const codes = new Int32Array(MAX_LENGTH + 1)
const insertions = new Int32Array(MAX_LENGTH + 1)

/** The cost, in edits, of typing `b` where `a` was meant; Infinity once it must exceed `limit`. */
export function distance(a: string, b: string, limit: number): number {
  const bound = Math.round(limit * EDIT)
  if (a === b) return 0
  if (a.length > MAX_LENGTH || b.length > MAX_LENGTH) return Number.POSITIVE_INFINITY
  // What both begin and end with costs nothing; most of two similar words is that.
  let start = 0
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const cost = distanceBetween(a, b, start, endA, endB, bound)
  return cost > bound ? Number.POSITIVE_INFINITY : cost / EDIT
}

function distanceBetween(a: string, b: string, start: number, endA: number, endB: number, bound: number): number {
  const width = endB - start
  let [beforeLast, last, current] = rows as [Int32Array, Int32Array, Int32Array]
  let lastBest = 0
  last[0] = 0
  for (let j = 1; j <= width; j++) {
    codes[j] = b.charCodeAt(start + j - 1)
    insertions[j] = insertion(b, start + j - 1)
    last[j] = (last[j - 1] as number) + (insertions[j] as number)
  }
  let before = 0
  for (let i = start; i < endA; i++) {
    const x = a.charCodeAt(i)
    const dropped = insertion(a, i)
    current[0] = (last[0] as number) + dropped
    let best = current[0] as number
    for (let j = 1; j <= width; j++) {
      const y = codes[j] as number
      let cost = last[j - 1] as number
      if (x !== y) cost += substitution(x, y) + (i === 0 && j === 1 ? FIRST_LETTER : 0)
      const without = (last[j] as number) + dropped
      if (without < cost) cost = without
      const added = (current[j - 1] as number) + (insertions[j] as number)
      if (added < cost) cost = added
      if (i > start && j > 1 && x !== y && x === codes[j - 1] && before === y) {
        const swapped = (beforeLast[j - 2] as number) + SWAP
        if (swapped < cost) cost = swapped
      }
      current[j] = cost
      if (cost < best) best = cost
    }
    // Nothing can become cheaper any more, not even by a swap, which reaches back over one row.
    if (best > bound && lastBest + SWAP > bound) return best
    lastBest = best
    before = x
    const spare = beforeLast
    beforeLast = last
    last = current
    current = spare
  }
  return last[width] as number
}

function insertion(word: string, index: number): number {
  const code = word.charCodeAt(index)
  if (code === LOST_CODE) return LOST_COST
  if (index > 0 && code === word.charCodeAt(index - 1)) return DOUBLED
  return index === 0 ? EDIT + FIRST_LETTER : EDIT
}

function substitution(x: number, y: number): number {
  if (x >= CODES || y >= CODES) return EDIT
  return substitutionCosts[x * CODES + y] as number
}

function buildSubstitutionCosts(): Uint8Array {
  const costs = new Uint8Array(CODES * CODES).fill(EDIT)
  const set = (a: string, b: string, cost: number) => {
    costs[a.charCodeAt(0) * CODES + b.charCodeAt(0)] = cost
    costs[b.charCodeAt(0) * CODES + a.charCodeAt(0)] = cost
  }
  for (const a of VOWELS) for (const b of VOWELS) set(a, b, VOWEL)
  KEYBOARD.forEach((row, r) => {
    for (let i = 0; i < row.length; i++) {
      const key = row[i] as string
      const around = [row[i + 1], KEYBOARD[r + 1]?.[i], KEYBOARD[r + 1]?.[i - 1]]
      for (const neighbour of around) if (neighbour) set(key, neighbour, NEIGHBOUR)
    }
  })
  for (const [a, b] of ALIKE_PAIRS.map((pair) => [...pair])) if (a && b) set(a, b, ALIKE)
  for (let code = 0; code < CODES; code++) set(LOST, String.fromCharCode(code), LOST_COST)
  return costs
}
