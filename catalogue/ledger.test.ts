import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST_OWN_ID, idConflicts, type Numbered, number } from './ledger.ts'
import type { Place } from './place.ts'

const place = (nombre: string, departamento = '', region = 'AR-B'): Place => ({
  nombre,
  region,
  departamento,
  poblacion: undefined,
  lat: '',
  lon: '',
  aliases: [],
  alternates: [],
  fuente: 'rodado',
})
const entry = (id: number, nombre: string, departamento = '', region = 'AR-B'): Numbered => ({
  ...place(nombre, departamento, region),
  id,
})
const ids = (places: readonly Numbered[]) => places.map(({ id }) => id)
const counter = (last: number) => () => ++last
const A = FIRST_OWN_ID
const B = FIRST_OWN_ID + 1
const C = FIRST_OWN_ID + 2

test('a place keeps the id it had; a new one gets the next', () => {
  const numbered = number([place('Bernal'), place('Témperley')], [entry(B, 'Temperley')], [], counter(B))
  deepEqual(ids(numbered), [C, B])
})

test('namesakes keep the id of their own department, in whatever order they come; a corrected department keeps the rest', () => {
  const ledger = [entry(A, 'San José', 'Brown'), entry(B, 'San José', 'Suárez')]
  deepEqual(ids(number([place('San José', 'Suárez'), place('San José', 'Tandil')], ledger, [], counter(B))), [B, A])
})

test('a declared rename keeps its id', () => {
  const renames = [{ id: A, nombre: 'Gobernador Virasoro', region: 'AR-W' }]
  const ledger = [entry(A, 'Gobernador Virasora', '', 'AR-W')]
  const now = number([place('Gobernador Virasoro', '', 'AR-W')], ledger, renames, counter(A))
  deepEqual(ids(now), [A])
  deepEqual(idConflicts(ledger, now, renames, new Set()), [])
})

test('an id that would change its meaning or disappear is a broken promise, unless it was declared', () => {
  const ledger = [entry(7, 'Yerba Buena'), entry(8, 'Wilde'), entry(9, 'Gerli')]
  const now = [entry(7, 'Tafí Viejo'), entry(9, 'Gerli', 'Lanús')]
  deepEqual(idConflicts(ledger, now, [], new Set()), [
    '7 Yerba Buena (AR-B) becomes Tafí Viejo (AR-B)',
    '8 Wilde (AR-B) disappears',
  ])
  deepEqual(idConflicts(ledger, now, [{ id: 7, nombre: 'Tafí Viejo', region: 'AR-B' }], new Set([8])), [])
})

test('a retired id is never used again, and no id is used twice', () => {
  deepEqual(idConflicts([], [entry(8, 'Wilde'), entry(9, 'Gerli'), entry(9, 'Bernal')], [], new Set([8])), [
    '8 Wilde (AR-B) was retired',
    '1 ids are given twice',
  ])
})
