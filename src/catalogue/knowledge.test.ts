import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { catalogueOf } from '../../tests/support/catalogue.ts'
import { Layers } from './layers.ts'
import { fold } from './text.ts'

const data = new URL('./data/', import.meta.url)
const countries = readdirSync(data, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

test('every alias of a region or a city belongs to one that exists', () => {
  for (const country of countries) {
    const layers = new Layers(country)
    const { regiones, ciudades } = catalogueOf(country)
    const isos = new Set(regiones.map(({ iso }) => iso))
    const cities = new Set(ciudades.map(({ region, nombre }) => `${region.iso} ${fold(nombre)}`))
    for (const row of layers.knowledge('region-aliases.tsv')) assert.ok(isos.has(row.cell('iso')), row.cell('iso'))
    for (const row of layers.knowledge('city-aliases.tsv')) {
      const city = `${row.cell('iso')} ${fold(row.cell('nombre'))}`
      assert.ok(cities.has(city), city)
    }
  }
})

test('no alias of a region belongs to two regions of its country', () => {
  for (const country of countries) {
    const owners = new Map<string, string>()
    for (const { iso, nombre, aliases } of catalogueOf(country).regiones) {
      for (const text of new Set([nombre, ...aliases].map((name) => fold(name).replace(/[^a-z0-9]/g, '')))) {
        assert.equal(owners.get(text) ?? iso, iso, `${country}: ${text} is both ${owners.get(text)} and ${iso}`)
        owners.set(text, iso)
      }
    }
  }
})
