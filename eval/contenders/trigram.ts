import { fold } from '../../src/catalogue/text.ts'
import { type Entry, libraryContender, type MakeContender, type Search } from '../contender.ts'

const THRESHOLD = 0.45

/** Trigrams as pg_trgm takes them (two spaces before a word, one after), over an inverted index, by shared part. */
export const trigram: MakeContender = (catalogue) => libraryContender('trigram', catalogue, build, THRESHOLD)

function build(entries: readonly Entry[]): Search {
  const grams = entries.map(({ text }) => trigrams(text))
  const postings = new Map<string, number[]>()
  grams.forEach((set, number) => {
    for (const gram of set) {
      const list = postings.get(gram)
      if (list) list.push(number)
      else postings.set(gram, [number])
    }
  })
  return (query) => {
    const wanted = trigrams(query)
    const shared = new Map<number, number>()
    for (const gram of wanted) {
      for (const number of postings.get(gram) ?? []) shared.set(number, (shared.get(number) ?? 0) + 1)
    }
    let best: { entry: Entry; score: number } | undefined
    for (const [number, count] of shared) {
      const entry = entries[number] as Entry
      const score = count / (wanted.size + (grams[number]?.size ?? 0) - count)
      if (!best || score > best.score || (score === best.score && entry.size > best.entry.size)) best = { entry, score }
    }
    return best
  }
}

function trigrams(text: string): Set<string> {
  const grams = new Set<string>()
  for (const [word] of fold(text).matchAll(/[\p{L}0-9]+/gu)) {
    const padded = `  ${word} `
    for (let at = 0; at + 3 <= padded.length; at++) grams.add(padded.slice(at, at + 3))
  }
  return grams
}
