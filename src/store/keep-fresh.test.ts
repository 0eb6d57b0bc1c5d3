import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../tests/support/until.ts'
import { keepFresh } from './keep-fresh.ts'

const HOUR_MS = 3_600_000

test('keepFresh: a change during a read is read afterwards, once for all who wait', async (t) => {
  const reads: (() => void)[] = []
  const read = () => new Promise<void>((resolve) => void reads.push(resolve))
  let notify: () => void = () => undefined
  const listener = {
    on: (_: string, heard: (payload: string) => void) => void (notify = () => heard('')),
    onGap: () => undefined,
  }
  const copy = keepFresh({ listener, channel: 'things', read, everyMs: HOUR_MS })
  t.after(copy.close)
  notify()
  let done = 0
  const refreshed = Promise.all([copy.refresh(), copy.refresh()].map((each) => each.then(() => done++)))
  notify()
  assert.equal(reads.length, 1, 'one read at a time')
  reads[0]?.()
  await until(() => reads.length === 2)
  assert.equal(done, 0, 'the first read began before they asked')
  reads[1]?.()
  await refreshed
  await new Promise(setImmediate)
  assert.equal(reads.length, 2)
})

test('keepFresh: a read that fails is repeated at the interval', async (t) => {
  let reads = 0
  const read = async () => {
    if (++reads === 1) throw new Error('away')
  }
  const copy = keepFresh({ channel: 'things', read, everyMs: 5 })
  t.after(copy.close)
  await assert.rejects(copy.refresh(), /away/)
  await until(() => reads > 2)
})

test('keepFresh: the interval reads nothing while a read runs', async (t) => {
  let begun = 0
  let end = () => {}
  const read = () => {
    begun++
    return new Promise<void>((resolve) => {
      end = resolve
    })
  }
  const copy = keepFresh({ channel: 'things', read, everyMs: 5 })
  t.after(copy.close)
  await until(() => begun === 1)
  let ticks = 0
  const timer = setInterval(() => ticks++, 5)
  await until(() => ticks > 3)
  clearInterval(timer)
  copy.close()
  end()
  await new Promise(setImmediate)
  assert.equal(begun, 1, 'none was waiting')
})
