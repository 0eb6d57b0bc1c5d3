import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { withAliases } from './aliases.ts'
import type { Place } from './place.ts'

const place = (nombre: string, aliases: string[], alternates: string[]): Place => ({
  nombre,
  region: 'AR-B',
  departamento: '',
  poblacion: undefined,
  lat: '',
  lon: '',
  aliases,
  alternates,
  fuente: 'geonames',
})
const aliasesOf = (...places: Place[]) => withAliases(places, () => false).map(({ aliases }) => aliases)

test('of the alternates, those a Spanish speaker may write stay', () => {
  const alternates = [
    'MDQ',
    'Balneario Mar del Plata',
    "Mar-dehl'-Plata",
    'Мар-дель-Плата',
    'Mar de Plata',
    'Mar del Plata City',
  ]
  deepEqual(aliasesOf(place('Mar del Plata', ['Mardel'], alternates)), [['Mardel', 'Balneario Mar del Plata']])
})

test("another place's name is no alias unless it is confirmed by hand", () => {
  const other = place('San Martín', [], [])
  deepEqual(aliasesOf(place('Yapeyú San Martín', [], ['San Martín']), other), [[], []])
  deepEqual(aliasesOf(place('General San Martín', ['San Martín'], []), other), [['San Martín'], []])
})

test('a name listed twice stays once, with its accents', () => {
  deepEqual(aliasesOf(place('Caá Catí', [], ['General Cati', 'General Catí'])), [['General Catí']])
})
