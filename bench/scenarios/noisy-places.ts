import { loadCatalogue } from '../../src/catalogue/load.ts'
import { fold } from '../../src/catalogue/text.ts'

/** How people and their systems write a city; each takes its turn. */
const SPELLINGS: ((name: string) => string)[] = [
  (name) => name,
  (name) => fold(name).toUpperCase(),
  (name) => withoutLetter(name, 3),
  (name) => swapped(name, 2),
  (name) => `  ${fold(name)} `,
  (name) => `Ciudad de ${name}`,
  (name) => `${name}, Argentina`,
  (name) => Buffer.from(name, 'utf8').toString('latin1'), // mojibake where it has an accent
]

/** How they write its province. */
const SHORT: Record<string, string> = { 'AR-B': 'Bs As', 'AR-C': 'CABA', 'AR-X': 'Cba', 'AR-S': 'Sta Fe' }

/** The largest cities of Argentina, spelled as they arrive; the same ones every time. */
export function noisyPlaces(count: number): { state: string; city: string }[] {
  const largest = loadCatalogue('AR')
    .ciudades.toSorted((a, b) => (b.poblacion ?? 0) - (a.poblacion ?? 0) || a.id - b.id)
    .slice(0, count)
  return largest.map(({ nombre, region }, turn) => {
    const spell = SPELLINGS[turn % SPELLINGS.length] ?? String
    const state = turn % 2 === 0 ? region.nombre : (SHORT[region.iso] ?? fold(region.nombre))
    return { state, city: spell(nombre) }
  })
}

const withoutLetter = (name: string, at: number) => name.slice(0, at) + name.slice(at + 1)

const swapped = (name: string, at: number) =>
  name.slice(0, at) +
  name
    .slice(at, at + 2)
    .split('')
    .reverse()
    .join('') +
  name.slice(at + 2)
