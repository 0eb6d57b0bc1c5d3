import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueOf } from '../../../tests/support/catalogue.ts'
import { createMatcher } from './matcher.ts'

const matcher = createMatcher(catalogueOf('AR'), { publicUrl: 'http://localhost:3000' })

function place(state: string, city: string): string {
  const result = matcher.city({ state, city })
  return result.kind === 'match' ? `${result.entry.nombre}@${result.entry.region.iso}` : `none on ${result.parameter}`
}

/** The titles of the candidates of a refusal on city. */
function near(state: string, city: string): string[] {
  const result = matcher.city({ state, city })
  assert.ok(result.kind === 'none' && result.parameter === 'city', city)
  return result.candidates.map(({ entry }) => `${entry.nombre} (${entry.region.nombre})`)
}

function table(rows: Record<string, [state: string, city: string]>): void {
  for (const [expected, [state, city]] of Object.entries(rows)) assert.equal(place(state, city), expected, city)
}

test('abbreviations, initials and figures are read as what they stand for', () => {
  table({
    'General Pico@AR-L': ['La Pampa', 'Gral. Pico'],
    'Presidente Derqui@AR-B': ['Bs As', 'Pte Derqui'],
    'Leandro N. Alem@AR-N': ['Misiones', 'L. N. Alem'],
    'Río Cuarto@AR-X': ['Cba', 'Río IV'],
    'Tres Arroyos@AR-B': ['Buenos Aires', '3 Arroyos'],
    'San Miguel de Tucumán@AR-T': ['Tucumán', 'SMT'],
  })
})

test('slips of the finger and of the ear are fixed', () => {
  table({
    'Temperley@AR-B': ['Buenos Aires', 'Temeprley'],
    'Chivilcoy@AR-B': ['Buenos Aires', 'Chibilcoi'],
    'Neuquén@AR-Q': ['Neuquén', 'Newken'],
    'Los Polvorines@AR-B': ['Buenos Aires', 'LOSPOLVORINES'],
  })
})

test('broken encodings are fixed', () => {
  table({
    'Oberá@AR-N': ['Misiones', 'OberÃ¡'],
    'Cañada de Gómez@AR-S': ['Santa Fe', 'Ca?ada de G?mez'],
    'Roldán@AR-S': ['Santa Fe', 'Rold%C3%A1n'],
    'Luján@AR-B': ['Buenos Aires', 'Luj&aacute;n'],
    'Itá Ibaté@AR-W': ['Corrientes', 'It Ibat'],
  })
})

test('province, district, postal code, quarter and filler around the name are seen through', () => {
  table({
    'Temperley@AR-B': ['Buenos Aires', 'Temperley, Lomas de Zamora, Bs As'],
    'Martínez@AR-B': ['Buenos Aires', 'MARTINEZ - SAN ISIDRO'],
    'Castelar@AR-B': ['Buenos Aires', 'CP1712 Castelar'],
    'Merlo@AR-B': ['Buenos Aires', 'Bº Matera - Merlo'],
    'Tandil@AR-B': ['Buenos Aires', 'Ciudad de Tandil, Argentina'],
    'Las Heras@AR-M': ['Mendoza', 'las heras mza'],
  })
})

test('"capital" is the capital of its province, and CABA is found from the province of Buenos Aires', () => {
  assert.equal(place('Mendoza', 'Capital'), 'Mendoza@AR-M')
  assert.equal(place('Salta', 'SALTA-CAPITAL'), 'Salta@AR-A')
  for (const city of ['CABA', 'C.A.B.A', 'Cap. Fed.', 'Capital Federal']) {
    assert.match(place('Buenos Aires', city), /@AR-C$/)
  }
})

test('an alias carries no city into another state; a full name that is unique does', () => {
  table({
    'Palermo@AR-C': ['Buenos Aires', 'Palermo'],
    'Villa Devoto@AR-C': ['Buenos Aires', 'Villa Devoto'],
    'San Nicolás@AR-C': ['CABA', 'Microcentro'],
    'Balvanera@AR-C': ['CABA', 'Congreso'],
  })
  const strangers: [state: string, city: string][] = [
    ['Córdoba', 'Centro'],
    ['Mendoza', 'Microcentro'],
    ['Buenos Aires', 'centro'],
    ['Córdoba', 'Congreso'],
    ['Buenos Aires', 'Tribunales'],
    ['Salta', 'Mardel'],
    ['Mendoza', 'Capital Federal'],
  ]
  for (const [state, city] of strangers) assert.equal(place(state, city), 'none on city', `${state}, ${city}`)
  assert.deepEqual(near('Salta', 'Mardel'), ['Mar del Plata (Buenos Aires)'])
})

test('a number is no part of a name, nor is a word that many names share or that is little of the name', () => {
  const vague: [state: string, city: string][] = [
    ['Mendoza', 'Once'],
    ['Buenos Aires', 'nueve'],
    ['Buenos Aires', 'km 11'],
    ['Córdoba', 'Tercero'],
    ['Córdoba', 'Carlos'],
    ['Buenos Aires', 'julio'],
  ]
  for (const [state, city] of vague) assert.equal(place(state, city), 'none on city', `${state}, ${city}`)
  table({ 'Venado Tuerto@AR-S': ['Santa Fe', 'Venado'], '9 de Julio@AR-B': ['Buenos Aires', 'nueve de julio'] })
})

test('the first word of several names is refused with those names as candidates, the larger first', () => {
  const regions = (state: string) => {
    const result = matcher.region(state)
    return result.kind === 'none' ? result.candidates.map(({ entry }) => entry.nombre) : result.entry.nombre
  }
  assert.deepEqual(regions('Santa'), ['Santa Cruz', 'Santa Fe'])
  assert.deepEqual(regions('Provincia de San'), ['San Juan', 'San Luis'])
  assert.deepEqual(regions('La'), ['La Pampa', 'La Rioja'])
  assert.deepEqual(near('Buenos Aires', 'Mar').slice(0, 2), [
    'Mar del Plata (Buenos Aires)',
    'Mar de Ajó (Buenos Aires)',
  ])
  assert.equal(near('Córdoba', 'Río')[0], 'Río Cuarto (Córdoba)')
})

test('a part of a name that is a larger city elsewhere is refused with both', () => {
  assert.deepEqual(near('Córdoba', 'Rosario'), ['Rosario (Santa Fe)', 'Villa del Rosario (Córdoba)'])
  assert.equal(place('Santa Fe', 'Rosario'), 'Rosario@AR-S')
  assert.equal(near('Buenos Aires', 'Villa Urquiza')[0], 'Villa Urquiza (Ciudad Autónoma de Buenos Aires)')
  assert.ok(near('Buenos Aires', 'Belgrano').includes('General Belgrano (Buenos Aires)'))
})

test('no two candidates have the same title', () => {
  for (const city of ['San', 'Santa', 'El']) {
    const titles = near('Buenos Aires', city)
    assert.equal(new Set(titles).size, titles.length, titles.join())
  }
})

test('inside a state the larger namesake wins', () => {
  const result = matcher.city({ state: 'AR-B', city: 'San José' })
  assert.ok(result.kind === 'match')
  const others = catalogueOf('AR').ciudades.filter((city) => city.nombre === 'San José' && city.region.iso === 'AR-B')
  assert.ok(others.length > 1)
  assert.equal(result.entry.poblacion, Math.max(...others.map((city) => city.poblacion ?? 0)))
})

test('a city of another state is found where its name is unique, and refused with candidates where it is not', () => {
  assert.equal(place('Salta', 'Mar del Plata'), 'Mar del Plata@AR-B')
  const result = matcher.city({ state: 'Tierra del Fuego', city: 'Villa Nueva' })
  assert.ok(result.kind === 'none' && result.parameter === 'city' && result.candidates.length > 1)
  assert.match(result.reason, /varias otras regiones/)
})

test('a value that says "none" is unknown, never a name that resembles it', () => {
  for (const value of ['sin marca', 'no especifica', 'Sin especificar', 's/d', 'S/D', 'otra', 'a definir', 'no tiene'])
    for (const found of [
      matcher.make(value),
      matcher.colour(value),
      matcher.bodystyle(value),
      matcher.region(value),
      matcher.city({ state: 'Buenos Aires', city: value }),
      ...['Fiat', 'Toyota', 'Volkswagen'].map((make) => matcher.model({ make, model: value })),
    ])
      assert.equal(found.kind, 'none', `${value}: ${JSON.stringify(found)}`)
})

test('nonsense, the empty, the vague and the foreign are refused on the right parameter', () => {
  for (const city of [
    '',
    '  ',
    '-',
    'N/A',
    'sin datos',
    'asdf',
    '123456789',
    'Villa',
    'San',
    'París',
    'Toyota Hilux',
  ]) {
    assert.equal(place('Buenos Aires', city), 'none on city', city)
  }
  for (const state of ['', 'null', 'Texas', 'Montevideo', 'AR-ZZ', '99', 'La Paz (Bolivia)']) {
    assert.equal(place(state, 'Rosario'), 'none on state', state)
  }
})

test('a refusal says what is wrong in Spanish and offers at most five candidates, best first', () => {
  const result = matcher.city({ state: 'Córdoba', city: 'Villa' })
  assert.ok(result.kind === 'none')
  assert.match(result.reason, /«Villa» no corresponde con certeza a ninguna ciudad de Córdoba/)
  const scores = result.candidates.map(({ score }) => score)
  assert.equal(scores.length, 5)
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  )
})

test('a make is found under codes, models and company names', () => {
  const make = (value: string) => {
    const result = matcher.make(value)
    return result.kind === 'match' ? result.entry.nombre : null
  }
  assert.equal(make('-136-VOLKSWAGEN'), 'Volkswagen')
  assert.equal(make('FORD F-100 XLT'), 'Ford')
  assert.equal(make('Volkswagen Argentina S.A.'), 'Volkswagen')
  assert.equal(make('BMW Mini'), 'MINI')
  assert.equal(make('John Deere'), null)
})

test('doors decide between a saloon and a hatchback', () => {
  const style = (value: string) => {
    const result = matcher.bodystyle(value)
    return result.kind === 'match' ? result.entry.nombre : null
  }
  assert.equal(style('SEDAN 4 PTAS'), 'Sedán')
  assert.equal(style('SEDAN5PTAS'), 'Hatchback')
  assert.equal(style('coupé 2p'), 'Coupé')
  assert.equal(style('Pick Up 4x4'), 'Pick-up')
  assert.equal(style('nafta'), null)
})

test("a paint's trade name is its colour, in Spanish, English and Portuguese", () => {
  const colour = (value: string) => {
    const result = matcher.colour(value)
    return result.kind === 'match' ? result.entry.nombre : null
  }
  assert.equal(colour('Blanco Banquise'), 'Blanco')
  assert.equal(colour('dark blue metallic'), 'Azul oscuro')
  assert.equal(colour('Prata'), 'Plata')
  assert.equal(colour('Graystone'), 'Gris')
  assert.equal(colour('sin color'), null)
})
