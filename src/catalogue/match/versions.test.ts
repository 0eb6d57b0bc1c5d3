import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { catalogueOf } from '../../../tests/support/catalogue.ts'
import { createMatcher, type VersionQuery } from './matcher.ts'
import { displacementOf, fuelOf, powerOf, readTrim, transmissionOf } from './technical.ts'

const catalogue = catalogueOf('AR')
const matcher = createMatcher(catalogue, { publicUrl: 'https://api.example.com' })

function found(query: VersionQuery): string | null {
  const result = matcher.version(query)
  assert.equal(result.kind, 'version')
  return result.kind === 'version' ? (result.match?.entry.nombre ?? null) : null
}

test('every version is found by its own name and year', () => {
  for (const version of catalogue.versiones) {
    const { match } = matcher.versionOf(version.modelo, { trim: version.nombre, year: version.desde ?? undefined })
    assert.equal(match?.entry.id, version.id, `${version.modelo.nombre} ${version.nombre}`)
  }
})

test('a text is taken apart into engine, box, fuel, doors, cabin and the words of the trim', () => {
  const hilux = readTrim('4X4 D/C SRX 2.8 TDI 6 A/T 204CV')
  assert.deepEqual([hilux.traction, hilux.cabin, hilux.litres, hilux.power], ['4x4', 'doble', 2.8, 204])
  assert.deepEqual([hilux.box?.transmision, hilux.fuel, hilux.words], ['automatica', 'diesel', ['srx']])
  const onix = readTrim('1.0T Premier AT 5 ptas 2021')
  assert.deepEqual([onix.litres, onix.doors, onix.year, onix.words], [1, 5, 2021, ['turbo', 'premier']])
  assert.deepEqual(readTrim('1.4 LT').words, ['lt'])
  assert.deepEqual(readTrim('Limited+ V6').words, ['limited', 'plus', 'v6'])
})

test('two versions that differ in their gearbox are distinguished by any name for it', () => {
  const cronos = (trim: string, more: object = {}) => found({ make: 'Fiat', model: 'Cronos', trim, ...more })
  for (const trim of ['drive 1.3 cvt', '1.3 Drive CVT', 'Drive CVT6']) assert.equal(cronos(trim), 'Drive 1.3 GSE CVT')
  assert.equal(cronos('drive 1.3', { transmissionType: 'CVT' }), 'Drive 1.3 GSE CVT')
  for (const box of ['gsr', 'dualogic']) assert.equal(cronos(`drive 1.3 ${box}`), 'Drive 1.3 GSR')
  assert.equal(cronos('drive 1.3 at'), null, 'automatic are both')
  assert.deepEqual(
    ['xtronic', 'e-CVT', 'S-Tronic', 'DSG', 'I-Motion', 'Tiptronic', 'AT6'].map((text) => transmissionOf(text)?.kind),
    ['cvt', 'cvt', 'dct', 'dct', 'robot', '', ''],
  )
})

test('technical values are read as dealers write them', () => {
  assert.deepEqual(['1.6', '1,6 L', '1598', '1.598 cc', '2.0 TDI', 'x'].map(displacementOf), [
    1600,
    1600,
    1598,
    1598,
    2000,
    undefined,
  ])
  assert.deepEqual(['180', '180 cv', '132 kW', ''].map(powerOf), [180, 180, 179, undefined])
  assert.deepEqual(
    ['Automática', 'AT6', '6MT', 'manual 5ta', 'Tiptronic', 'CVT', 'n/d'].map(
      (text) => transmissionOf(text)?.transmision,
    ),
    ['automatica', 'automatica', 'manual', 'manual', 'automatica', 'automatica', undefined],
  )
  assert.deepEqual(['Nafta', 'Diésel', 'Nafta/GNC', 'Híbrido', 'Híbrido enchufable', 'Eléctrico', '?'].map(fuelOf), [
    'nafta',
    'diesel',
    'gnc',
    'hibrido',
    'hibrido-enchufable',
    'electrico',
    undefined,
  ])
})

test('the year tells generations apart, one beside them counts less', () => {
  const titanium = { make: 'Ford', model: 'Territory', trim: 'Titanium' }
  assert.equal(found({ ...titanium, year: 2022 }), 'Titanium 1.5 Turbo CVT')
  assert.equal(found({ ...titanium, year: 2024 }), 'Titanium 1.8 Turbo DCT')
  assert.equal(found({ ...titanium, year: 2010 }), null)
})

test('what was said rules out what contradicts it; gas is a petrol car converted', () => {
  const stepway = { make: 'Renault', model: 'Kangoo', trim: 'Stepway', year: 2021 }
  assert.equal(found(stepway), null)
  assert.equal(found({ ...stepway, fuelType: 'Diesel' }), 'Stepway 1.5 dCi')
  assert.equal(found({ ...stepway, fuelType: 'GNC' }), 'Stepway 1.6 SCe')
  assert.equal(found({ ...stepway, fuelType: 'eléctrico' }), null)
})

test('a trim of another model, or nothing that is known, gives none', () => {
  assert.equal(found({ make: 'Ford', model: 'Ranger', trim: 'Titanium', year: 2018 }), null)
  assert.equal(found({ make: 'Toyota', model: 'Hilux', trim: 'impecable', year: 2018 }), null)
})

test('whatever is written, it never fails', () => {
  const text = fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom('XLS 1.5', '4x4', '180cv', 'AT6', '2.0 TDI'))
  fc.assert(
    fc.property(fc.constantFrom(...catalogue.modelos), text, text, text, (modelo, trim, power, fuelType) => {
      const { match, candidates } = matcher.versionOf(modelo, { trim, power, fuelType, displacement: power })
      assert.ok(candidates.length <= 5 && (match === null || candidates.some(({ entry }) => entry === match.entry)))
    }),
    { numRuns: 300 },
  )
})
