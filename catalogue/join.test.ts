import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { join, type Written } from './join.ts'
import type { Place } from './place.ts'

const place = (nombre: string, departamento: string, more: Partial<Written> = {}): Written => ({
  nombre,
  region: 'AR-B',
  departamento,
  poblacion: undefined,
  lat: '',
  lon: '',
  aliases: [],
  alternates: [],
  fuente: 'rodado',
  ...more,
})
const known = (id: number, nombre: string, departamento: string): Place =>
  place(nombre, departamento, { id, fuente: 'geonames' })
const summary = (places: readonly Place[]) => places.map((p) => `${p.id ?? '-'} ${p.nombre}`)

test('a written row with the name and department of a known place is that place, under its own spelling', () => {
  const { places } = join([known(1, 'Zarate', 'Zárate')], [place('Zárate', 'Zárate', { poblacion: 99061 })])
  deepEqual(summary(places), ['1 Zárate'])
  equal(places[0]?.poblacion, 99061)
})

test('a written row that gives the known name as an alias in the same department is that place', () => {
  const { places } = join([known(1, 'Metán', 'Metán')], [place('San José de Metán', 'Metán', { aliases: ['Metán'] })])
  deepEqual(summary(places), ['1 San José de Metán'])
})

test('namesakes in two departments are two places, whichever is listed first, and the open pair is a doubt', () => {
  const rows = [place('San José', 'Coronel Suárez'), place('San José', 'Almirante Brown')]
  const { places, doubts } = join([known(1, 'San José', 'Almirante Brown')], rows)
  deepEqual(summary(places), ['1 San José', '- San José'])
  equal(places[1]?.departamento, 'Coronel Suárez')
  equal(doubts.length, 0)
  equal(join([known(1, 'San José', 'Tandil')], rows.slice(1)).doubts.length, 1)
})

test('a place on the border of two partidos is found from either', () => {
  const rows = [place('El Palomar', 'Morón|Tres de Febrero')]
  deepEqual(summary(join([known(1, 'El Palomar', 'Tres de Febrero')], rows).places), ['1 El Palomar'])
})

test('a GeoNames id that does not exist is said', () => {
  throws(() => join([], [place('Temperley', 'Lomas de Zamora', { geonames: 5 })]), /no geonames:5/)
})
