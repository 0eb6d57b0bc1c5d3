const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const VOWELS = 'aeiou'
const ALIKE_PAIRS = ['bv', 'sz', 'sc', 'cz', 'ck', 'kq', 'gj', 'jx', 'iy', 'mn', 'uw']

/** A character that was lost in transport ("Adrogu?"): it may stand for any one. */
export const LOST = '?'

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

/** The cost, in edits, of typing `b` where `a` was meant; Infinity once it must exceed `limit`. */
export function distance(a: string, b: string, limit: number): number {
  const limitTenths = Math.round(limit * EDIT)
  if (a.length > MAX_LENGTH || b.length > MAX_LENGTH) return a === b ? 0 : Number.POSITIVE_INFINITY
  if (Math.abs(a.length - b.length) * DOUBLED > limitTenths) return Number.POSITIVE_INFINITY

  let [beforeLast, last, current] = rows as [Int32Array, Int32Array, Int32Array]
  last[0] = 0
  for (let j = 1; j <= b.length; j++) last[j] = (last[j - 1] as number) + insertion(b, j - 1)
  for (let i = 1; i <= a.length; i++) {
    current[0] = (last[0] as number) + insertion(a, i - 1)
    let best = current[0] as number
    for (let j = 1; j <= b.length; j++) {
      const x = a.charCodeAt(i - 1)
      const y = b.charCodeAt(j - 1)
      let cost = (last[j - 1] as number) + (x === y ? 0 : substitution(x, y) + (i === 1 && j === 1 ? FIRST_LETTER : 0))
      cost = Math.min(cost, (last[j] as number) + insertion(a, i - 1), (current[j - 1] as number) + insertion(b, j - 1))
      if (i > 1 && j > 1 && x === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === y && x !== y) {
        cost = Math.min(cost, (beforeLast[j - 2] as number) + SWAP)
      }
      current[j] = cost
      if (cost < best) best = cost
    }
    if (best > limitTenths) return Number.POSITIVE_INFINITY
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  const total = last[b.length] as number
  return total > limitTenths ? Number.POSITIVE_INFINITY : total / EDIT
}

function insertion(word: string, index: number): number {
  const code = word.charCodeAt(index)
  if (word[index] === LOST) return LOST_COST
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
