import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { distance } from './distance.ts'
import { sound } from './likeness.ts'

test('likely slips cost less than unlikely ones', () => {
  const cost = (typed: string) => distance('mendoza', typed, 9)
  assert.equal(cost('mendoza'), 0)
  assert.ok(cost('mendozza') < cost('mendroza'), 'a letter doubled')
  assert.ok(cost('mednoza') < cost('mxndozx'), 'two letters swapped')
  assert.ok(cost('mendosa') < cost('mendopa'), 'a letter that sounds the same')
  assert.ok(cost('mendoxa') < cost('mendopa'), 'the key beside')
  assert.ok(cost('mend?za') < cost('mendza'), 'a character lost in transport')
  assert.ok(cost('nendoza') > distance('mendoza', 'menboza', 9) - 0.3, 'the first letter counts more')
})

test('a distance is the same both ways, and is given up beyond the limit', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdeimnosz'), maxLength: 12 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      const whole = distance(a, b, 30)
      assert.equal(whole, distance(b, a, 30))
      const limited = distance(a, b, 2)
      assert.ok(whole <= 2 ? limited === whole : limited === Number.POSITIVE_INFINITY)
    }),
  )
})

test('words that a Spanish ear cannot tell apart sound alike', () => {
  const pairs = [
    'neuquen newken',
    'viedma biedma',
    'casilda cacilda',
    'quilpue kilpue',
    'huancayo guancayo',
    'chillan chiyan',
  ]
  for (const pair of pairs) {
    const [a = '', b = ''] = pair.split(' ')
    assert.equal(sound(a), sound(b), pair)
  }
})
