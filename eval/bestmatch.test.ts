import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { ours } from './contenders/ours.ts'
import { trigram } from './contenders/trigram.ts'
import { askAll } from './report.ts'
import { readRows } from './rows.ts'

const UNTIMED = 0
const rows = readRows(fileURLToPath(new URL('./sets/', import.meta.url)))

test("the project's own set has at least 400 rows of every kind and is answered without a false accept", () => {
  assert.ok(rows.length >= 400)
  assert.deepEqual([...new Set(rows.map(({ kind }) => kind))].sort(), ['bodystyle', 'city', 'colour', 'make'])
  for (const country of new Set(rows.map((row) => row.country))) {
    const here = rows.filter((row) => row.country === country)
    const [asked = []] = askAll([ours(loadCatalogue(country))], here, UNTIMED)
    const faults = asked.filter(({ verdict }) => verdict !== 'right' && verdict !== 'refused')
    assert.deepEqual(
      faults.map(({ row, answer, verdict }) => `${row.id} ${row.value}: ${verdict} ${answer}`),
      [],
    )
  }
})

test('a plain trigram matcher on the same names does worse, so the set is no mere formality', () => {
  const home = rows.filter((row) => row.country === 'AR')
  const catalogue = loadCatalogue('AR')
  const [we = 0, they = 0] = askAll([ours(catalogue), trigram(catalogue)], home, UNTIMED).map((asked) => {
    return asked.filter(({ verdict }) => verdict === 'right').length
  })
  assert.ok(they < we * 0.9)
})
