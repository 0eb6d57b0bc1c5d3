import Fuse from 'fuse.js'
import { fold } from '../../src/catalogue/text.ts'
import { type Entry, libraryContender, type MakeContender } from '../contender.ts'

const THRESHOLD = 0.6

/** Fuse.js where position does not matter; its score (0 is best) turned round. */
export const fuse: MakeContender = (catalogue) =>
  libraryContender(
    'fuse.js',
    catalogue,
    (entries) => {
      const folded = entries.map((entry) => ({ entry, text: fold(entry.text) }))
      const index = new Fuse(folded, { keys: ['text'], includeScore: true, ignoreLocation: true, threshold: 0.4 })
      return (query) => {
        const [first] = index.search(fold(query).slice(0, 32), { limit: 1 })
        const entry: Entry | undefined = first?.item.entry
        return entry ? { entry, score: 1 - (first?.score ?? 1) } : undefined
      }
    },
    THRESHOLD,
  )
