import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../tests/support/until.ts'
import { batch } from './concurrency.ts'

const FOREVER_MS = 60_000

/** Runs batches when the test says so. */
function held(fails: (items: number[]) => Error | undefined = () => undefined) {
  const batches: number[][] = []
  const open: (() => void)[] = []
  const run = (items: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      batches.push(items)
      open.push(() => {
        const error = fails(items)
        if (error) reject(error)
        else resolve(items.map((item) => item * 2))
      })
    })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    run,
    batches,
    async release() {
      for (const each of open.splice(0)) each()
      await turn()
    },
  }
}

describe('together', () => {
  it('one that comes alone waits for nobody; those that come meanwhile go with the next, as many as may', async () => {
    const { run, batches, release } = held()
    const ask = batch(run, { maxItems: 3, maxWaitMs: FOREVER_MS })
    const answers = Promise.all([1, 2, 3, 4, 5].map(ask))
    assert.deepEqual(batches, [[1]])
    await release()
    assert.deepEqual(batches, [[1], [2, 3, 4]])
    await release()
    await release()
    assert.deepEqual(batches, [[1], [2, 3, 4], [5]])
    assert.deepEqual(await answers, [2, 4, 6, 8, 10])
  })

  it('a batch that waits for something holds nobody up for long', async () => {
    const { run, batches, release } = held()
    const ask = batch(run, { maxItems: 10, maxWaitMs: 1 })
    const answers = [1, 2, 3].map(ask)
    await until(() => batches.length === 2)
    assert.deepEqual(batches, [[1], [2, 3]])
    await release()
    assert.deepEqual(await Promise.all(answers), [2, 4, 6])
    const later = ask(4)
    await release()
    assert.equal(await later, 8)
  })

  it('nobody fails for a neighbour: a batch that fails is run one by one', async () => {
    const { run, batches, release } = held((items) => (items.includes(3) ? new Error('three') : undefined))
    const ask = batch(run, { maxItems: 10, maxWaitMs: FOREVER_MS })
    const answers = Promise.allSettled([1, 2, 3, 4].map(ask))
    for (let at = 0; at < 5; at++) await release()
    assert.deepEqual(
      (await answers).map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason))),
      [2, 4, 'Error: three', 8],
    )
    assert.deepEqual(batches, [[1], [2, 3, 4], [2], [3], [4]])
  })

  it('a database that is away is away for all, and is not asked again for each', async () => {
    const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
    const { run, batches, release } = held((items) => (items.length > 1 ? away : undefined))
    const ask = batch(run, { maxItems: 10, maxWaitMs: FOREVER_MS })
    const answers = Promise.allSettled([1, 2, 3].map(ask))
    await release()
    await release()
    assert.deepEqual(
      (await answers).map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    )
    assert.deepEqual(batches, [[1], [2, 3]])
  })
})
