/** A word's letters and pairs of letters as bits: two words of unlike shapes need not be compared letter by letter. */
export interface Shape {
  readonly length: number
  readonly letters: number
  readonly pairs: number
}

export function shapeOf(text: string): Shape {
  let [letters, pairs, before] = [0, 0, 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    letters |= 1 << (code & 31)
    if (index > 0) pairs |= 1 << ((before * 31 + code) % 32)
    before = code
  }
  return { length: text.length, letters, pairs }
}

interface SerializedCatalogue<T> {
  readonly items: T[]
  letters: Int32Array
  pairs: Int32Array
}

const FIRST_ROOM = 16
const LEAST_CHANGE = 0.6 // the cheapest edit that puts one letter for another
const LEAST_INSERTION = 0.4 // and the cheapest that makes it longer, a letter doubled
const ROUNDING = 1e-9
const LOST_BIT = 1 << 31 // of the character that may be any letter
const ANY = 4

/** Lost letters may be any and cost little: they are not held against a word. */
const lostIn = (shape: Shape): number => (shape.letters & LOST_BIT ? ANY : 0)

/** Things kept by the length and shape of a word, in flat arrays: thousands are passed over in microseconds. */
export class Shapes<T> {
  readonly #byLength = new Map<number, SerializedCatalogue<T>>()

  add(text: string, item: T): void {
    let serialized = this.#byLength.get(text.length)
    if (!serialized) {
      serialized = { items: [], letters: new Int32Array(FIRST_ROOM), pairs: new Int32Array(FIRST_ROOM) }
      this.#byLength.set(text.length, serialized)
    }
    const at = serialized.items.push(item) - 1
    if (at === serialized.letters.length) {
      serialized.letters = grown(serialized.letters)
      serialized.pairs = grown(serialized.pairs)
    }
    const shape = shapeOf(text)
    serialized.letters[at] = shape.letters
    serialized.pairs[at] = shape.pairs
  }

  /** What may be within a number of edits: one changes a letter of each word at most, and four or five pairs. */
  alike(length: number, shape: Shape, edits: number): T[] {
    const found: T[] = []
    const serialized = this.#byLength.get(length)
    if (!serialized) return found
    const { items, letters, pairs } = serialized
    const mostLetters = Math.max(2, Math.floor(2 * edits))
    const longer = Math.abs(length - shape.length) * LEAST_INSERTION
    const mostOfOne = Math.floor((edits - longer) / LEAST_CHANGE + ROUNDING) + lostIn(shape)
    if (mostOfOne < 0) return found
    const mostPairs = Math.ceil(4 * edits) + 2
    for (let at = 0; at < items.length; at++) {
      const unlike = (letters[at] as number) ^ shape.letters
      if (unlike !== 0) {
        const only = popcount(unlike & shape.letters)
        if (only > mostOfOne) continue
        const others = popcount(unlike) - only
        if (others > mostOfOne || only + others > mostLetters) continue
      }
      if (popcount((pairs[at] as number) ^ shape.pairs) <= mostPairs) found.push(items[at] as T)
    }
    return found
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

function popcount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
