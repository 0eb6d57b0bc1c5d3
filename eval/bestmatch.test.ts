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
