import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itself, memoize } from './memoize.ts'

test('what was asked before is not asked again, also where the answer was none', () => {
  const asked: string[] = []
  const length = memoize((text: string) => {
    asked.push(text)
    return text === '' ? undefined : text.length
  }, itself)
  assert.deepEqual(['one', '', 'one', 'three', '', 'three'].map(length), [3, undefined, 3, 5, undefined, 5])
  assert.deepEqual(asked, ['one', '', 'three'])
})

test('a flood of others empties the memory, and what is long is never kept in it', () => {
  let asked = 0
  const counted = memoize(() => ++asked, itself, 2)
  assert.deepEqual(['a', 'b', 'a', 'c', 'c', 'a', 'b'].map(counted), [1, 2, 1, 3, 3, 4, 5])
  const long = 'x'.repeat(513)
  assert.notEqual(counted(long), counted(long))
})
