import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { limitConcurrency } from './limit-concurrency.ts'
import { Problem } from './problems.ts'

test('a few works run at once, one of each key; a failed one makes room too', async () => {
  const limited = limitConcurrency({ most: 2, mostOfKey: 1, refusal: 'wait' })
  const running: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const start = (key: string, name: string) =>
    limited(key, async () => {
      running.push(name)
      await new Promise<void>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve())))
      return name
    })
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await turn()
  }
  const works = [start('a', 'a1'), start('a', 'a2'), start('b', 'b1'), start('c', 'c1')]
  const failed = assert.rejects(works[0] ?? assert.fail(), /broken/)
  await turn()
  assert.deepEqual(running, ['a1', 'b1'])
  await end('a1', new Error('broken'))
  assert.deepEqual(running, ['a1', 'b1', 'c1'])
  await end('b1')
  assert.deepEqual(running, ['a1', 'b1', 'c1', 'a2'])
  await end('c1')
  await end('a2')
  await failed
  assert.deepEqual(await Promise.all(works.slice(1)), ['a2', 'b1', 'c1'])
})

test('429: too many works of one key wait; another key is not refused', async () => {
  const limited = limitConcurrency({ most: 2, mostOfKey: 1, refusal: 'wait' })
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const works = Array.from({ length: 21 }, () => limited('a', () => opened))
  await assert.rejects(
    limited('a', () => opened),
    (error) => error instanceof Problem && error.status === 429,
  )
  assert.equal(await limited('b', async () => 'another'), 'another')
  open()
  await Promise.all(works)
  assert.equal(await limited('a', async () => 'again'), 'again')
})
