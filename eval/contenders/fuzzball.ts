import * as fuzzball from 'fuzzball'
import { fold } from '../../src/catalogue/text.ts'
import { libraryContender, type MakeContender } from '../contender.ts'

const THRESHOLD = 0.8

/** fuzzball's token_set_ratio over every entry, ties by the plain ratio as its authors advise, then by size. */
export const tokenSet: MakeContender = (catalogue) =>
  libraryContender(
    'fuzzball',
    catalogue,
    (entries) => {
      const texts = entries.map(({ text }) => fuzzball.full_process(fold(text)))
      return (query) => {
        const folded = fuzzball.full_process(fold(query))
        if (!folded) return undefined
        let best: { at: number; score: number; ratio: number } | undefined
        texts.forEach((text, at) => {
          const score = fuzzball.token_set_ratio(folded, text, { full_process: false })
          if (best && score < best.score) return
          const ratio = fuzzball.ratio(folded, text, { full_process: false })
          const larger = best !== undefined && (entries[at]?.size ?? 0) > (entries[best.at]?.size ?? 0)
          if (!best || score > best.score || ratio > best.ratio || (ratio === best.ratio && larger)) {
            best = { at, score, ratio }
          }
        })
        const entry = best && entries[best.at]
        return entry && best ? { entry, score: best.score / 100 } : undefined
      }
    },
    THRESHOLD,
  )
