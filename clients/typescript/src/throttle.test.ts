import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createThrottle } from './throttle.ts'

/** A throttle with a clock that moves on when everything waits, and its waits in milliseconds. */
function setUp() {
  const waits: number[] = []
  const timers: { at: number; resolve: () => void }[] = []
  let time = 0
  const after = (ms: number) => new Promise<void>((resolve) => timers.push({ at: time + ms, resolve }))
  const throttle = createThrottle({
    longestWaitMs: 1000,
    now: () => time,
    sleep(ms) {
      waits.push(ms)
      return after(ms)
    },
  })
  const respond = (left: number, policy: string) => {
    const headers = { 'ratelimit-policy': policy, ratelimit: `"app";r=${left};t=1` }
    return { response: new Response('', { headers }), text: '', problem: undefined }
  }
  /** A call that the server answers with so many requests left, of 20 a second. */
  const call = (left: number, policy = '"app";q=20;w=1') => throttle.run(async () => respond(left, policy), undefined)
  const pass = (ms: number) => {
    time += ms
  }
  /** Runs the calls to their end. */
  async function complete(calls: Promise<unknown>[]): Promise<void> {
    let done = false
    const all = Promise.all(calls).finally(() => {
      done = true
    })
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (done) return void (await all)
      const next = timers.sort((a, b) => a.at - b.at).shift()
      time = Math.max(time, next?.at ?? 0)
      next?.resolve()
    }
  }
  return { waits, call, pass, complete, throttle, respond, after, now: () => time }
}

/** A server's bucket of 20 that refills in a second, and how many calls it refused. */
function createBucket(now: () => number) {
  let tokens = 20
  let at = 0
  let refused = 0
  return {
    count(): number {
      tokens = Math.min(20, tokens + (now() - at) / 50)
      at = now()
      if (tokens < 1) refused++
      else tokens--
      return Math.floor(tokens)
    },
    refused: () => refused,
  }
}

describe('throttle', () => {
  it('waits for nothing until a limit is announced, nor while something is left of it', async () => {
    const { waits, call } = setUp()
    await Promise.all([call(19), call(18), call(17)])
    await call(16)
    assert.deepEqual(waits, [])
  })

  it('spaces calls as the limit refills when nothing is left', async () => {
    const { waits, call, complete } = setUp()
    await call(1)
    await complete([call(0), call(0), call(0)])
    assert.deepEqual(waits, [50, 100])
  })

  it('counts what has refilled meanwhile', async () => {
    const { waits, call, pass, complete } = setUp()
    await call(0)
    pass(50)
    await complete([call(0), call(0)])
    assert.deepEqual(waits, [50])
  })

  it('runs into no limit when the first requests arrive late and answers out of order', async () => {
    const { complete, throttle, respond, after, now } = setUp()
    const bucket = createBucket(now)
    const call = (index: number) =>
      throttle.run(async () => {
        await after(index < 20 ? 300 : 10) // the first ones open connections
        const left = bucket.count()
        await after(index % 7 === 0 ? 400 : 100)
        return respond(left, '"app";q=20;w=1')
      }, undefined)
    await complete([call(0)])
    const started = now()
    await complete(Array.from({ length: 36 }, (_, index) => call(index)))
    assert.equal(bucket.refused(), 0)
    assert.ok(now() - started < 2_500, `${now() - started} ms`)
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
