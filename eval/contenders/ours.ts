import { createMatcher } from '../../src/catalogue/match/matcher.ts'
import type { MakeContender } from '../contender.ts'

export const ours: MakeContender = (catalogue) => {
  const matcher = createMatcher(catalogue, { publicUrl: 'http://localhost:3000' })
  return {
    name: 'rodado',
    answer(row) {
      if (row.kind === 'city') {
        const found = matcher.city({ state: row.state, city: row.value })
        return found.kind === 'match' ? `${found.entry.nombre}@${found.entry.region.iso}` : null
      }
      const found = row.kind === 'region' ? matcher.region(row.state) : matcher[row.kind](row.value)
      return found.kind === 'match' ? found.entry.nombre : null
    },
  }
}
