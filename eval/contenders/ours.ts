import { createMatcher } from '../../src/catalogue/match/matcher.ts'
import type { MakeContender } from '../contender.ts'
import type { EvalRow } from '../rows.ts'

export const ours: MakeContender = (catalogue) => {
  const matcher = createMatcher(catalogue, { publicUrl: 'http://localhost:3000' })
  return {
    name: 'rodado',
    answer(row) {
      if (row.kind === 'city') {
        const found = matcher.city({ state: row.state, city: row.value })
        return found.kind === 'match' ? `${found.entry.nombre}@${found.entry.region.iso}` : null
      }
      if (row.kind === 'model') {
        const { make = '', bodystyle } = row.given
        const found = matcher.model({ make, model: row.value, bodystyle })
        return found.kind === 'match' ? `${found.entry.nombre}@${found.entry.marca.nombre}` : null
      }
      if (row.kind === 'version') {
        const found = matcher.version(versionQuery(row))
        return found.kind === 'version' && found.match ? `${found.match.entry.nombre}@${found.modelo.nombre}` : null
      }
      const found = row.kind === 'region' ? matcher.region(row.state) : matcher[row.kind](row.value)
      return found.kind === 'match' ? found.entry.nombre : null
    },
  }
}

function versionQuery({ value, given }: EvalRow) {
  const { make = '', model = '', year, bodystyle, transmission, displacement, power, fuel } = given
  const technical = { transmissionType: transmission, displacement, power, fuelType: fuel }
  return { make, model, trim: value, year: year ? Number(year) : undefined, bodystyle, ...technical }
}
