/** A word's letters and pairs of letters as bits: two words of unlike shapes need not be compared letter by letter. */
export interface Shape {
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
  return { letters, pairs }
}

/** Whether two words can be within a number of edits: one edit changes two letters at most, and four or five pairs. */
export function mayBeAlike(a: Shape, b: Shape, edits: number): boolean {
  return (
    popcount(a.letters ^ b.letters) <= Math.max(2, Math.floor(2 * edits)) &&
    popcount(a.pairs ^ b.pairs) <= Math.ceil(4 * edits) + 2
  )
}

function popcount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
