import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { catalogueOf } from '../../../tests/support/catalogue.ts'
import { createMatcher } from './matcher.ts'
import { vehicleWords, withoutSpecifications } from './vehicle-words.ts'

const catalogue = catalogueOf('AR')
const matcher = createMatcher(catalogue, { publicUrl: 'https://api.example.com' })

function found(make: string, model: string, bodystyle?: string): string {
  const result = matcher.model({ make, model, bodystyle })
  return result.kind === 'match' ? `${result.entry.marca.nombre} ${result.entry.nombre}` : `no ${result.parameter}`
}

test('every model is found by its name, its codename and its aliases', () => {
  for (const modelo of catalogue.modelos) {
    for (const text of [modelo.nombre, modelo.codename, ...modelo.aliases]) {
      const result = matcher.modelOf(modelo.marca, text)
      assert.equal(result.kind === 'match' ? result.entry : undefined, modelo, `${modelo.marca.nombre} ${text}`)
    }
  }
})

test('spaces, hyphens and signs say nothing; digits part from letters', () => {
  for (const text of ['S 10', 's-10', 'S10', 'S10 LTZ', 's 10 ltz 2.8'])
    assert.equal(found('Chevrolet', text), 'Chevrolet S10')
  for (const text of ['2 0 8', '208GT', '208']) assert.equal(found('Peugeot', text), 'Peugeot 208')
  assert.equal(found('Peugeot', '206+'), 'Peugeot 206+')
  assert.equal(found('Peugeot', '206 plus'), 'Peugeot 206+')
})

test('the longest name wins, also where its end is mistyped', () => {
  assert.equal(found('Volkswagen', 'Gol 1.6'), 'Volkswagen Gol')
  assert.equal(found('Volkswagen', 'Gol 1.6 Trend'), 'Volkswagen Gol Trend')
  assert.equal(found('Volkswagen', 'GOL TRENDD 1.6'), 'Volkswagen Gol Trend')
  assert.equal(found('Volkswagen', 'Gol Trendline'), 'Volkswagen Gol')
  assert.equal(found('Fiat', 'gran siena'), 'Fiat Grand Siena')
})

test('the make in front is passed over, unless it is part of the name', () => {
  assert.equal(found('Chevrolet', 'Chevy Prisma LT'), 'Chevrolet Prisma')
  assert.equal(found('Chevrolet', 'Chevy SS'), 'Chevrolet Chevy')
  assert.equal(found('Mini', 'Mini Cooper Countryman'), 'MINI Countryman')
  assert.equal(found('Mini', 'Mini Cooper S'), 'MINI Cooper')
  assert.equal(found('Mercedes', 'MB 180'), 'Mercedes-Benz MB 180')
})

test('figures are never fixed, and specifications are no models', () => {
  assert.equal(found('Peugeot', '209'), 'no model')
  assert.equal(found('Renault', '5 puertas'), 'no model')
  assert.equal(found('Renault', '1.9 diesel 4x4'), 'no model')
  assert.equal(found('Mazda', '3 1.6'), 'Mazda 3')
  assert.deepEqual(withoutSpecifications(vehicleWords('Clio 1.2 16v 75cv 5 ptas 4x2')), ['clio'])
  assert.deepEqual(withoutSpecifications(vehicleWords('206 CC')), ['206', 'cc'])
})

test('a make that shares its models is looked up too, by full names alone', () => {
  assert.equal(found('GWM', 'Haval H6'), 'Haval H6')
  assert.equal(found('Volvo', 'FH 460'), 'Volvo Trucks FH')
  assert.equal(found('Toyota', 'SC - SW4 SRX'), 'Toyota SW4')
  assert.equal(found('Citroën', '4'), 'no model')
})

test("what is merely like a name here and is another make's very name is refused", () => {
  assert.equal(found('Kia', 'Premio'), 'no model')
  assert.equal(found('Kia', 'Pregyo'), 'Kia Pregio')
})

test('a body style settles a tie and never refuses', () => {
  assert.equal(found('Toyota', 'Hilux', 'zapatilla'), 'Toyota Hilux')
  assert.equal(found('Toyota', 'Hilux', 'sedan'), 'Toyota Hilux')
})

test('whatever is written, it never fails and never takes long', () => {
  const anything = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
  fc.assert(
    fc.property(fc.constantFrom(...catalogue.marcas), anything, (marca, text) => {
      const result = matcher.modelOf(marca, text)
      assert.ok(result.kind === 'match' ? result.score <= 1 && result.score > 0.7 : result.candidates.length <= 5)
    }),
    { numRuns: 500 },
  )
})
