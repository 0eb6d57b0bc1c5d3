import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuesses } from './guesses.ts'

const rate = (burst: number) => ({ perSecond: 1 / 60, burst })

test('an address that has no more guesses takes none from the account it asks about', () => {
  const guesses = createGuesses(() => 0, rate(2), rate(3))
  for (let other = 0; other < 3; other++) guesses.spend('203.0.113.1', `otra${other}@x.test`)
  for (let refused = 0; refused < 5; refused++)
    assert.throws(() => guesses.spend('203.0.113.1', 'ana@x.test'), { status: 429 })
  assert.equal(guesses.spend('203.0.113.2', 'ana@x.test'), 1)
})

test('what is left is the account’s, wherever it is asked about from, and however it is written', () => {
  const guesses = createGuesses(() => 0, rate(2), rate(50))
  assert.equal(guesses.spend('203.0.113.1', 'ana@x.test'), 1)
  assert.equal(guesses.spend('203.0.113.2', ' ANA@x.test '), 0)
  assert.throws(() => guesses.spend('203.0.113.3', 'ana@x.test'), { status: 429 })
  guesses.giveBack('203.0.113.1', 'ana@x.test')
  assert.equal(guesses.spend('203.0.113.3', 'ana@x.test'), 0)
})
