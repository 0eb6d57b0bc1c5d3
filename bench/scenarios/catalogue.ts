import { loadCatalogue } from '../../src/catalogue/load.ts'
import { compareGets, type Gets } from '../http.ts'
import type { Scenario } from '../scenario.ts'

const scenario = (gets: Omit<Gets, 'paths'> & { targets: string[] }): Scenario => ({
  name: gets.name,
  title: gets.title,
  run: (bench) => compareGets(bench, { ...gets, paths: async () => gets.targets }),
})

const targets = ['/v3/colores']

export const list = scenario({ name: 'list', title: 'Colour list, signed', targets, usual: true })
export const list304 = scenario({
  name: 'list-304',
  title: 'Colour list, signed, unchanged (304)',
  targets,
  conditional: true,
  usual: true,
})
export const listToken = scenario({
  name: 'list-token',
  title: 'Colour list, bearer token',
  targets,
  credential: 'token',
  usual: true,
})
/** The usual server does not recognise two of the names: 400. */
export const bestmatch = scenario({
  name: 'bestmatch',
  title: 'City bestmatch, 200 noisy names, signed',
  usual: true,
  expected: [200, 400],
  targets: noisyCities(200).map(([state, city]) => `/v3/ciudades/bestmatch?${new URLSearchParams({ state, city })}`),
})

/** The largest cities of Argentina as people and their systems write them. */
function noisyCities(count: number): [state: string, city: string][] {
  const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '')
  const spellings: ((name: string) => string)[] = [
    (name) => name,
    (name) => plain(name).toUpperCase(),
    (name) => name.slice(0, 3) + name.slice(4),
    (name) => name.slice(0, 2) + (name[3] ?? '') + (name[2] ?? '') + name.slice(4),
    (name) => `  ${plain(name).toLowerCase()} `,
    (name) => `Ciudad de ${name}`,
    (name) => `${name}, Argentina`,
    (name) => Buffer.from(name, 'utf8').toString('latin1'),
  ]
  const short: Record<string, string> = { 'AR-B': 'Bs As', 'AR-C': 'CABA', 'AR-X': 'Cba', 'AR-S': 'Sta Fe' }
  return loadCatalogue('AR')
    .ciudades.toSorted((a, b) => (b.poblacion ?? 0) - (a.poblacion ?? 0) || a.id - b.id)
    .slice(0, count)
    .map(({ nombre, region }, at) => [
      at % 2 === 0 ? region.nombre : (short[region.iso] ?? plain(region.nombre).toLowerCase()),
      (spellings[at % spellings.length] ?? String)(nombre),
    ])
}
