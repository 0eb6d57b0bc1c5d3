import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alphabeticalKey, fold } from './text.ts'

test('folding takes case and accents away and nothing else', () => {
  assert.equal(fold('Ñandubaysal'), 'nandubaysal')
  assert.equal(fold('São Tomé'), 'sao tome')
  assert.equal(fold('Cutral-Có 25'), 'cutral-co 25')
  assert.equal(fold('Škoda'), 'skoda')
})

test('ñ stands after n in alphabetical order', () => {
  const names = ['Ñuñoa', 'Nuevo', 'Oeste', 'Ñandú', 'Nzinga']
  const sorted = [...names].sort((a, b) => (alphabeticalKey(a) < alphabeticalKey(b) ? -1 : 1))
  assert.deepEqual(sorted, ['Nuevo', 'Nzinga', 'Ñandú', 'Ñuñoa', 'Oeste'])
})
