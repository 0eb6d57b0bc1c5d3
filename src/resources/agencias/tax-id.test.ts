import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COUNTRIES } from '../../config.ts'
import { cuitOf, isCuit, isTaxId, taxIdOf } from './tax-id.ts'

/** Published numbers, some without their separators, and the same with one wrong character or another form. */
const NUMBERS: Record<string, { good: string[]; bad: string[] }> = {
  AR: {
    good: ['30-50001091-2', '30500010912', '33-69345023-9', '20-12345678-6'],
    bad: ['30-50001091-3', '3050001091', '305000109122', '30 50001091 2', 'x', ''],
  },
  BR: {
    good: ['11.222.333/0001-81', '33000167000101', '12.ABC.345/01DE-35'],
    bad: ['11.222.333/0001-82', '33000167000102', '12.ABC.345/01DE-36', '00000000000000', '330001670001'],
  },
  CL: {
    good: ['76.086.428-5', '760864285', '12.345.678-5', '11111111-1', '60.803.000-K'],
    bad: ['76.086.428-6', '12345678-K', '1-9'],
  },
  CO: {
    good: ['800197268-4', '899.999.063-3', '860002964', '10203040508'],
    bad: ['800197268-5', '8001972684-44', '10203040507', 'x'],
  },
  MX: {
    good: ['SAT970701NN3', 'GODE561231GR8', 'gode-561231-gr8'],
    bad: ['SAT970701NN4', 'GODE561331GR8', 'SAT970701'],
  },
  PE: { good: ['20131312955', '20100047218', '20100070970'], bad: ['20131312956', '30131312955', '2013131295'] },
  UY: { good: ['211003420017', '21 100342 0017'], bad: ['211003420018', '21100342001'] },
}

for (const [country, { good, bad }] of Object.entries(NUMBERS))
  test(`the tax number of ${country} is checked by its own rule`, () => {
    for (const number of [...good, taxIdOf(country)?.example ?? '']) assert.ok(isTaxId(country, number), number)
    for (const number of bad) assert.ok(!isTaxId(country, number), number)
  })

test('every country of the catalogue has a name for its tax number', () => {
  for (const country of COUNTRIES) {
    assert.ok(taxIdOf(country)?.label, country)
    assert.ok(isTaxId(country, taxIdOf(country)?.example ?? ''), country)
  }
  assert.ok(isTaxId('EC', 'anything'), 'where we know no rule')
})

test('one wrong digit of a CUIT is always noticed', () => {
  const digit = fc.integer({ min: 1, max: 9 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_000 }), fc.integer({ min: 0, max: 10 }), digit, (number, at, by) => {
      const digits = cuitOf('30', number).replaceAll('-', '')
      assert.ok(isCuit(digits))
      const other = (Number(digits[at]) + by) % 10
      return !isCuit(digits.slice(0, at) + other + digits.slice(at + 1))
    }),
  )
})
