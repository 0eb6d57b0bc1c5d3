import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createMatcher } from '../src/catalogue/match/matcher.ts'
import { catalogueOf } from '../tests/support/catalogue.ts'
import { ours } from './contenders/ours.ts'
import { trigram } from './contenders/trigram.ts'
import { runAll } from './report.ts'
import { readRows } from './rows.ts'

const UNTIMED = 0
const rows = readRows(fileURLToPath(new URL('./sets/', import.meta.url)))
const vehicles = readRows(fileURLToPath(new URL('./vehicles/', import.meta.url)))

const MIN_RIGHT = 0.99

test("the project's own set has at least 400 rows of every kind: 99 % right, no wrong answer, no false accept", () => {
  assert.ok(rows.length >= 400)
  assert.deepEqual([...new Set(rows.map(({ kind }) => kind))].sort(), ['bodystyle', 'city', 'colour', 'make'])
  const results = [...new Set(rows.map((row) => row.country))].flatMap((country) => {
    const here = rows.filter((row) => row.country === country)
    return runAll([ours(catalogueOf(country))], here, UNTIMED).flat()
  })
  const mistaken = results.filter(({ verdict }) => verdict === 'wrong' || verdict === 'false accept')
  assert.deepEqual(
    mistaken.map(({ row, answer, verdict }) => `${row.id} ${row.value}: ${verdict} ${answer}`),
    [],
  )
  const missed = results.filter(({ verdict }) => verdict === 'missed').length
  const answerable = results.filter(({ row }) => row.right.length > 0).length
  assert.ok(1 - missed / answerable >= MIN_RIGHT)
})

test('a plain trigram matcher on the same names does worse, so the set is no mere formality', () => {
  const home = rows.filter((row) => row.country === 'AR')
  const catalogue = catalogueOf('AR')
  const [we = 0, they = 0] = runAll([ours(catalogue), trigram(catalogue)], home, UNTIMED).map((results) => {
    return results.filter(({ verdict }) => verdict === 'right').length
  })
  assert.ok(they < we * 0.9)
})

test('models and versions, over 300 rows of each half: 95 % right, at most 1 % wrong, at most 1 % false accepts', () => {
  const catalogue = catalogueOf('AR')
  for (const kind of ['model', 'version']) {
    for (const half of ['seen', 'held']) {
      const here = vehicles.filter((row) => row.kind === kind && row.tier === half)
      const [results = []] = runAll([ours(catalogue)], here, UNTIMED)
      const part = (verdict: string, of: number) => results.filter((one) => one.verdict === verdict).length / of
      const answerable = here.filter(({ right }) => right.length > 0).length
      assert.ok(part('right', answerable) >= 0.95, `${kind} ${half}: ${part('right', answerable)}`)
      assert.ok(part('wrong', answerable) <= 0.01 && part('false accept', here.length) <= 0.01, `${kind} ${half}`)
    }
  }
  assert.ok(vehicles.filter(({ tier }) => tier === 'held').length > 300)
})

test("the very name of another make's model is hardly ever taken for a slip", () => {
  const { marcas, modelos } = catalogueOf('AR')
  const matcher = createMatcher(catalogueOf('AR'), { publicUrl: 'http://localhost:3000' })
  const wellKnown = new Set([
    'Toyota',
    'Volkswagen',
    'Fiat',
    'Renault',
    'Peugeot',
    'Chevrolet',
    'Ford',
    'Citroën',
    'BMW',
  ])
  const makes = marcas.filter(({ nombre }) => wellKnown.has(nombre))
  let [tried, taken] = [0, 0]
  for (const marca of makes) {
    for (const modelo of modelos.filter((one) => makes.includes(one.marca) && one.marca !== marca)) {
      const found = matcher.model({ make: marca.nombre, model: modelo.nombre })
      tried++
      if (found.kind === 'match' && found.rule === 'similar') taken++
    }
  }
  assert.ok(tried > 3000 && taken / tried < 0.002, `${taken} of ${tried}`)
})
