import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { createMatcher } from '../src/catalogue/match/matcher.ts'
import { ours } from './contenders/ours.ts'
import { trigram } from './contenders/trigram.ts'
import { askAll } from './report.ts'
import { readRows } from './rows.ts'

const UNTIMED = 0
const rows = readRows(fileURLToPath(new URL('./sets/', import.meta.url)))
const vehicles = readRows(fileURLToPath(new URL('./vehicles/', import.meta.url)))

const LEAST_RIGHT = 0.99

test("the project's own set has at least 400 rows of every kind: 99 % right, no wrong answer, no false accept", () => {
  assert.ok(rows.length >= 400)
  assert.deepEqual([...new Set(rows.map(({ kind }) => kind))].sort(), ['bodystyle', 'city', 'colour', 'make'])
  const asked = [...new Set(rows.map((row) => row.country))].flatMap((country) => {
    const here = rows.filter((row) => row.country === country)
    return askAll([ours(loadCatalogue(country))], here, UNTIMED).flat()
  })
  const mistaken = asked.filter(({ verdict }) => verdict === 'wrong' || verdict === 'false accept')
  assert.deepEqual(
    mistaken.map(({ row, answer, verdict }) => `${row.id} ${row.value}: ${verdict} ${answer}`),
    [],
  )
  const missed = asked.filter(({ verdict }) => verdict === 'missed').length
  const answerable = asked.filter(({ row }) => row.right.length > 0).length
  assert.ok(1 - missed / answerable >= LEAST_RIGHT)
})

test('a plain trigram matcher on the same names does worse, so the set is no mere formality', () => {
  const home = rows.filter((row) => row.country === 'AR')
  const catalogue = loadCatalogue('AR')
  const [we = 0, they = 0] = askAll([ours(catalogue), trigram(catalogue)], home, UNTIMED).map((asked) => {
    return asked.filter(({ verdict }) => verdict === 'right').length
  })
  assert.ok(they < we * 0.9)
})

test('models and versions, over 300 rows of each half: 95 % right, at most 1 % wrong, at most 1 % false accepts', () => {
  const catalogue = loadCatalogue('AR')
  for (const kind of ['model', 'version']) {
    for (const half of ['seen', 'held']) {
      const here = vehicles.filter((row) => row.kind === kind && row.tier === half)
      const [asked = []] = askAll([ours(catalogue)], here, UNTIMED)
      const part = (verdict: string, of: number) => asked.filter((one) => one.verdict === verdict).length / of
      const answerable = here.filter(({ right }) => right.length > 0).length
      assert.ok(part('right', answerable) >= 0.95, `${kind} ${half}: ${part('right', answerable)}`)
      assert.ok(part('wrong', answerable) <= 0.01 && part('false accept', here.length) <= 0.01, `${kind} ${half}`)
    }
  }
  assert.ok(vehicles.filter(({ tier }) => tier === 'held').length > 300)
})

test("the very name of another make's model is hardly ever taken for a slip", () => {
  const { marcas, modelos } = loadCatalogue('AR')
  const matcher = createMatcher(loadCatalogue('AR'), { publicUrl: 'http://localhost:3000' })
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
  let [asked, taken] = [0, 0]
  for (const marca of makes) {
    for (const modelo of modelos.filter((one) => makes.includes(one.marca) && one.marca !== marca)) {
      const found = matcher.model({ make: marca.nombre, model: modelo.nombre })
      asked++
      if (found.kind === 'match' && found.rule === 'similar') taken++
    }
  }
  assert.ok(asked > 3000 && taken / asked < 0.002, `${taken} of ${asked}`)
})
