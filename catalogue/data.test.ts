/** Tests the committed files: needs no packages. */
import { deepEqual, ok } from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FIRST_OWN_ID } from './ledger.ts'
import { readLedger } from './output.ts'
import { fold, grouped } from './place.ts'
import { readRegions } from './regions.ts'

const DATA = fileURLToPath(new URL('../src/catalogue/data/', import.meta.url))
const regions = readRegions(fileURLToPath(new URL('./sources/regiones.tsv', import.meta.url)))
const countries = readdirSync(DATA).filter((name) => /^[A-Z]{2}$/.test(name))
const places = new Map(countries.map((country) => [country, readLedger(`${DATA}${country}/ciudades.tsv`)]))
const all = [...places.values()].flat()

/** An operator's own ids begin here (docs/decisions/catalogues.md). */
const OPERATORS_ID = 1_000_000_000

test('every id is used once in all countries and lies below those of operators', () => {
  deepEqual(new Set(all.map(({ id }) => id)).size, all.length)
  ok(all.every(({ id }) => id > 0 && id < OPERATORS_ID))
  ok(all.every(({ id, fuente }) => (fuente === 'geonames') === id < FIRST_OWN_ID))
})

test('every place is in a region of its country', () => {
  const isos = new Set(regions.map(({ iso }) => iso))
  for (const [country, own] of places) {
    deepEqual(
      own.filter(({ region }) => !isos.has(region) || !region.startsWith(country)),
      [],
    )
  }
})

test('no alias repeats its name, no two places share name, region and department', () => {
  deepEqual(
    all.filter(({ nombre, aliases }) => aliases.some((alias) => fold(alias) === fold(nombre))),
    [],
  )
  const namesakes = grouped(all, (place) => `${place.region} ${fold(place.departamento)} ${fold(place.nombre)}`)
  deepEqual(
    [...namesakes].filter(([, same]) => same.length > 1).map(([key]) => key),
    [],
  )
})

test('Argentina is there: 24 regions, more than 3,000 localities, some in every one', () => {
  const argentina = places.get('AR') ?? []
  ok(argentina.length > 3000)
  deepEqual(new Set(argentina.map(({ region }) => region)).size, 24)
})
