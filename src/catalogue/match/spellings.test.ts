import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueOf } from '../../../tests/support/catalogue.ts'
import { createMatcher } from './matcher.ts'
import type { Match, NoMatch, Result } from './result.ts'

const PUBLIC_URL = 'https://api.example.com'
const catalogue = catalogueOf('AR')
const matcher = createMatcher(catalogue, { publicUrl: PUBLIC_URL })

function found<E>(result: Match<E> | NoMatch<unknown>): Match<E> {
  if (result.kind === 'none') assert.fail(result.reason)
  return result
}

function idOf(list: readonly { id: number; nombre: string }[], nombre: string): number {
  const entry = list.find((candidate) => candidate.nombre === nombre)
  assert.ok(entry, nombre)
  return entry.id
}

interface Spelled {
  readonly id: number
  readonly nombre: string
}

/** Every spelling that the specification lists for a catalogue, with the rule it is found by. */
function check(
  resource: string,
  list: readonly Spelled[],
  nombre: string,
  ask: (value: string) => Result<Spelled>,
  others: Record<string, string>,
): void {
  const id = idOf(list, nombre)
  const spellings: Record<string, string> = {
    [String(id)]: 'id',
    [`${PUBLIC_URL}/v3/${resource}/${id}`]: 'url',
    [`${PUBLIC_URL}/v3/${resource}/${id}?x=1`]: 'url',
    [`/v3/${resource}/${id}`]: 'path',
    [`/v3/${resource}/${id}?x=1`]: 'path',
    [`v3/${resource}/${id}`]: 'path',
    [nombre]: 'name',
    ...others,
  }
  for (const [value, rule] of Object.entries(spellings)) {
    const match = found(ask(value))
    assert.deepEqual([value, match.entry.nombre, match.rule], [value, nombre, rule])
  }
}

/** What only looks like an address of ours. */
function checkForeign(resource: string, id: number, ask: (value: string) => Result<Spelled>): void {
  const strangers = [
    `https://otro.example.com/v3/${resource}/${id}`,
    `http://api.example.com/v3/${resource}/${id}`,
    `https://api.example.com:8443/v3/${resource}/${id}`,
    `https://api.example.com.evil.test/v3/${resource}/${id}`,
    `${PUBLIC_URL}/v3/home/${id}`,
    `${PUBLIC_URL}/v3/${resource}`,
    '/v3/appnotificaciones/1',
    '/v3/appnotificaciones/1?x=1',
    '2147483647',
  ]
  for (const value of strangers) assert.equal(ask(value).kind, 'none', value)
}

test('a body style is found by id, url, path, name and codename', () => {
  const ask = (value: string) => matcher.bodystyle(value)
  check('carrocerias', catalogue.carrocerias, 'Pick-up', ask, { pickup: 'name', chata: 'codename', 'PICK UP': 'name' })
  checkForeign('carrocerias', 11, ask)
})

test('a make is found by id, url, path, name and codename', () => {
  const ask = (value: string) => matcher.make(value)
  check('marcas', catalogue.marcas, 'Mercedes-Benz', ask, {
    mb: 'codename',
    'mercedes benz': 'name',
    'M. Benz': 'alias',
  })
  checkForeign('marcas', 125, ask)
})

test('a colour is found by id, url, path and name', () => {
  const ask = (value: string) => matcher.colour(value)
  check('colores', catalogue.colores, 'Bordó', ask, { BORDO: 'name', 'rojo vino': 'alias' })
  checkForeign('colores', 8, ask)
})

test('a region is found by id, url, path, name and iso code', () => {
  const ask = (value: string) => matcher.region(value)
  check('regiones', catalogue.regiones, 'Córdoba', ask, { 'AR-X': 'iso', X: 'iso', ar_x: 'iso', Cba: 'alias' })
  checkForeign('regiones', 6, ask)
})

test('a city is found by id, url, path, full name and part of the name', () => {
  const ask = (city: string) => matcher.city({ state: 'AR-R', city }) as Result<Spelled>
  const parts = { 'San Carlos de': 'part', BARILOCHE: 'alias', 'S. C. de Bariloche': 'alias' }
  check('ciudades', catalogue.ciudades, 'San Carlos de Bariloche', ask, parts)
  checkForeign('ciudades', idOf(catalogue.ciudades, 'San Carlos de Bariloche'), ask)
})

test('the state of a city is matched by every spelling of a region', () => {
  const rosario = idOf(catalogue.ciudades, 'Cañada de Gómez')
  const region = idOf(catalogue.regiones, 'Santa Fe')
  for (const state of [
    String(region),
    `${PUBLIC_URL}/v3/regiones/${region}`,
    `/v3/regiones/${region}`,
    'Santa Fe',
    'AR-S',
    'Sta. Fe',
  ]) {
    assert.equal(found(matcher.city({ state, city: 'Cañada de Gómez' })).entry.id, rosario)
  }
})

test('an id, url or path of a city overrules the state', () => {
  const id = idOf(catalogue.ciudades, 'Ushuaia')
  for (const city of [String(id), `/v3/ciudades/${id}`, `${PUBLIC_URL}/v3/ciudades/${id}`]) {
    const result = matcher.city({ state: 'Córdoba', city })
    assert.ok(result.kind === 'match' && result.rule === 'other-state')
    assert.equal(result.entry.id, id)
  }
})

test('our address under a base path of PUBLIC_URL is ours too', () => {
  const behind = createMatcher(catalogue, { publicUrl: 'https://example.com/rodado/' })
  assert.equal(found(behind.make('https://example.com/rodado/v3/marcas/192')).rule, 'url')
  assert.equal(behind.make('https://otro.com/rodado/v3/marcas/192').kind, 'none')
})
