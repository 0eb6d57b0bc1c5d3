import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itself, memoize } from './memoize.ts'

test('a result is computed once, also where it is undefined', () => {
  const computed: string[] = []
  const length = memoize((text: string) => {
    computed.push(text)
    return text === '' ? undefined : text.length
  }, itself)
  assert.deepEqual(['one', '', 'one', 'three', '', 'three'].map(length), [3, undefined, 3, 5, undefined, 5])
  assert.deepEqual(computed, ['one', '', 'three'])
})

test('beyond the limit the least recently used result goes, and a long key is never stored', () => {
  let computed = 0
  const count = memoize(() => ++computed, itself, 2)
  assert.deepEqual(['a', 'b', 'a', 'c', 'a', 'b'].map(count), [1, 2, 1, 3, 1, 4])
  const long = 'x'.repeat(513)
  assert.notEqual(count(long), count(long))
})
