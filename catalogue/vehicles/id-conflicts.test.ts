import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { idConflicts, number } from './id-conflicts.ts'

const NONE = { renamed: new Map<number, string>(), retired: new Set<number>() }
const ledger = [
  { id: 11, key: 'fiat uno' },
  { id: 12, key: 'fiat palio' },
]

test('a model keeps its id wherever it stands in the list; a new one gets the next, also above those retired', () => {
  deepEqual(number(['fiat palio', 'fiat toro', 'fiat uno'], ledger, NONE, 11), [12, 13, 11])
  deepEqual(number(['fiat toro'], ledger, { ...NONE, retired: new Set([40]) }, 11), [41])
  deepEqual(number(['fiat uno'], [], NONE, 11), [11])
})

test('a declared rename keeps its id', () => {
  const declared = { ...NONE, renamed: new Map([[11, 'fiat novo uno']]) }
  deepEqual(number(['fiat novo uno'], ledger, declared, 11), [11])
  const now = [
    { id: 11, key: 'fiat novo uno' },
    { id: 12, key: 'fiat palio' },
  ]
  deepEqual(idConflicts(ledger, now, declared), [])
})

test('an id that would mean something else, disappear, come back or stand twice is a broken promise', () => {
  deepEqual(idConflicts(ledger, [{ id: 11, key: 'fiat toro' }], NONE), [
    '11 (fiat uno) becomes fiat toro',
    '12 (fiat palio) disappears',
  ])
  const again = [...ledger, { id: 12, key: 'fiat palio' }]
  deepEqual(idConflicts([], again, { ...NONE, retired: new Set([11]) }), [
    '11 (fiat uno) was retired',
    '1 ids are given twice',
  ])
})
