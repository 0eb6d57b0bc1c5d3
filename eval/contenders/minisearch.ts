import MiniSearch from 'minisearch'
import { fold } from '../../src/catalogue/text.ts'
import { type Entry, libraryContender, type MakeContender } from '../contender.ts'

const THRESHOLD = 0.5

/** MiniSearch with prefix and 20 % fuzziness; its open-ended score becomes the part of the words it found. */
export const miniSearch: MakeContender = (catalogue) =>
  libraryContender(
    'minisearch',
    catalogue,
    (entries) => {
      const index = new MiniSearch<{ id: number; text: string }>({
        fields: ['text'],
        processTerm: (term) => fold(term) || null,
        searchOptions: { prefix: (term) => term.length > 2, fuzzy: 0.2 },
      })
      index.addAll(entries.map(({ text }, id) => ({ id, text })))
      return (query) => {
        const [first, second] = index.search(query)
        if (!first) return undefined
        const entryOf = (id: number) => entries[id] as Entry
        const tied = second && second.score === first.score && entryOf(second.id).size > entryOf(first.id).size
        const best = tied ? second : first
        const words = fold(query)
          .split(/[^\p{L}0-9]+/u)
          .filter(Boolean).length
        return { entry: entryOf(best.id), score: best.queryTerms.length / Math.max(words, 1) }
      }
    },
    THRESHOLD,
  )
