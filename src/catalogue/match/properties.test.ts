import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { catalogueOf } from '../../../tests/support/catalogue.ts'
import type { Ciudad } from '../load.ts'
import { createMatcher } from './matcher.ts'

const catalogue = catalogueOf('AR')
const matcher = createMatcher(catalogue, { publicUrl: 'http://localhost:3000' })
const anyCity = fc.constantFrom(...catalogue.ciudades)
const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme' }))

test('no text whatever makes a matcher throw, and every answer is a match or a reason', () => {
  fc.assert(
    fc.property(anyText, anyText, (state, city) => {
      const results = [
        matcher.city({ state, city }),
        matcher.city({ state: 'AR-B', city }),
        matcher.region(state),
        matcher.make(city),
        matcher.bodystyle(city),
        matcher.colour(city),
      ]
      for (const result of results) {
        if (result.kind === 'match') assert.ok(result.score > 0 && result.score <= 1)
        else assert.ok(result.reason.length > 0 && result.candidates.length <= 5)
      }
    }),
    { numRuns: 500 },
  )
})

test('the exact name of any city in its state finds it, or its larger namesake there', () => {
  fc.assert(
    fc.property(anyCity, (city) => {
      const result = ask(city, city.nombre)
      assert.deepEqual([result.nombre, result.region], [city.nombre, city.region])
      assert.ok(result === city || (result.poblacion ?? 0) >= (city.poblacion ?? 0))
    }),
    { numRuns: 1000 },
  )
})

test('accents, case, spaces and full stops never change the answer', () => {
  const noises: ((name: string) => string)[] = [
    (name) => name.toUpperCase(),
    (name) => name.toLowerCase(),
    (name) => name.normalize('NFD'),
    (name) => name.normalize('NFD').replace(/\p{Mn}/gu, ''),
    (name) => `  ${name.replaceAll(' ', '   ')} `,
    (name) => name.replaceAll(' ', '_'),
    (name) => `"${name}".`,
  ]
  fc.assert(
    fc.property(anyCity, fc.constantFrom(...noises), (city, noise) => {
      assert.equal(ask(city, noise(city.nombre)), ask(city, city.nombre))
    }),
    { numRuns: 1000 },
  )
})

test('a value of 40,000 words is no match', () => {
  const long = 'Villa San Martín de los Andes del Sur '.repeat(5000)
  for (const result of [matcher.city({ state: 'AR-B', city: long }), matcher.make(long)])
    assert.ok(result.kind !== 'match' && result.candidates.length <= 5)
})

function ask(city: Ciudad, value: string): Ciudad {
  const result = matcher.city({ state: city.region.iso, city: value })
  assert.ok(result.kind === 'match', value)
  return result.entry
}
