import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { coalesce, itself, memoize } from './memoize.ts'

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

describe('coalesced work', () => {
  it('is shared by the callers that come while other work of the key runs, and begins after they came', async () => {
    const share = coalesce<number>()
    let state = 0
    let begun = 0
    let release = () => {}
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    const read = async () => {
      begun++
      const seen = state
      await blocked
      return seen
    }
    const first = share('a', read)
    state = 1
    const later = [share('a', read), share('a', read)]
    const other = share('b', read)
    assert.equal(begun, 2)
    release()
    assert.deepEqual(await Promise.all([first, ...later, other]), [0, 1, 1, 1])
    assert.equal(begun, 3)
  })

  it('that fails does not fail the next', async () => {
    const share = coalesce<string>()
    const failed = share('a', () => Promise.reject(new Error('no')))
    const next = share('a', async () => 'yes')
    await assert.rejects(failed, /no/)
    assert.equal(await next, 'yes')
    assert.equal(await share('a', async () => 'again'), 'again')
  })
})
