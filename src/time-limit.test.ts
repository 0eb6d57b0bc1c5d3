import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { withTimeLimit } from './time-limit.ts'

test('a time limit ends also after a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collecting = setInterval(runInNewContext('gc'), 20)
  try {
    const signal = withTimeLimit(new AbortController().signal, 200)
    await Promise.race([once(signal, 'abort'), pause(5_000, undefined, { ref: false })])
    assert.ok(signal.aborted)
  } finally {
    clearInterval(collecting)
  }
})
