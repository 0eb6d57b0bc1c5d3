import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createThrottle } from './throttle.ts'

/** A throttle whose clock only moves while a call waits, and its waits in milliseconds. */
function setUp() {
  const waits: number[] = []
  let time = 0
  const throttle = createThrottle({
    longestWaitMs: 1000,
    now: () => time,
    async sleep(ms) {
      waits.push(Math.round(ms))
    },
  })
  /** A call that the server answers with so many requests left, of 20 a second. */
  const call = (left: number, policy = '"app";q=20;w=1') => {
    const headers = { 'ratelimit-policy': policy, ratelimit: `"app";r=${left};t=1` }
    const exchanged = { response: new Response('', { headers }), text: '', problem: undefined }
    return throttle.run(async () => exchanged, undefined)
  }
  const pass = (ms: number) => {
    time += ms
  }
  return { waits, call, pass }
}

describe('throttle', () => {
  it('waits for nothing until a limit is announced, nor while something is left of it', async () => {
    const { waits, call } = setUp()
    await Promise.all([call(19), call(18), call(17)])
    await call(16)
    assert.deepEqual(waits, [])
  })

  it('spaces calls as the limit refills when nothing is left', async () => {
    const { waits, call } = setUp()
    await call(1)
    await Promise.all([call(0), call(0), call(0)])
    assert.deepEqual(waits, [50, 100])
  })

  it('counts what has refilled meanwhile', async () => {
    const { waits, call, pass } = setUp()
    await call(0)
    pass(50)
    await Promise.all([call(0), call(0)])
    assert.deepEqual(waits, [50])
  })

  it('leaves a wait that is too long to the server', async () => {
    const { waits, call } = setUp()
    await call(0, '"app";q=1;w=3600')
    await call(0, '"app";q=1;w=3600')
    assert.deepEqual(waits, [])
  })

  it('ignores headers that it does not understand', async () => {
    const { waits, call } = setUp()
    await call(0, '"app";q=0;w=0')
    await call(0, 'none')
    assert.deepEqual(waits, [])
  })
})
