import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cuitOf, isCuit } from './fields.ts'

test('a CUIT is eleven digits whose last checks the others', () => {
  for (const good of ['30-50001091-2', '30500010912', '33-69345023-9', '20-12345678-6']) assert.ok(isCuit(good), good)
  for (const bad of ['30-50001091-3', '3050001091', '305000109122', '30 50001091 2', 'x', ''])
    assert.ok(!isCuit(bad), bad)
})

test('one wrong digit is always noticed', () => {
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
