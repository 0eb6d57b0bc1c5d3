import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../tests/support/until.ts'
import { type Begun, Deadlines } from './deadlines.ts'

test('what takes too long is told once, first what began first; what ended in time is not', async () => {
  const late: string[] = []
  const deadlines = new Deadlines<string>(20, (one) => late.push(one))
  const [, b] = ['a', 'b', 'c'].map((one) => deadlines.begin(one))
  deadlines.end(b as Begun<string>)
  assert.deepEqual([deadlines.size, deadlines.underWay()], [2, ['a', 'c']])
  await until(() => late.length === 2)
  assert.deepEqual([late, deadlines.size], [['a', 'c'], 0])
})

test('what begins after others ended, or in the hearing of one that is late, has its own time', async () => {
  const late: string[] = []
  const deadlines = new Deadlines<string>(20, (one) => {
    late.push(one)
    if (one === 'second') deadlines.begin('third')
  })
  deadlines.end(deadlines.begin('first'))
  deadlines.begin('second')
  await until(() => late.length === 2)
  assert.deepEqual(late, ['second', 'third'])
})

test('what begins in the hearing of one that is late makes none that waits wait longer', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  context.mock.method(performance, 'now', () => now)
  const pass = (ms: number) => {
    for (const until = now + ms; now < until; context.mock.timers.tick(1)) now++
  }
  const late: [string, number][] = []
  const deadlines = new Deadlines<string>(60, (one) => {
    late.push([one, now])
    if (one === 'first') deadlines.begin('third')
  })
  deadlines.begin('first')
  pass(30)
  deadlines.begin('second')
  pass(200)
  assert.deepEqual(late, [
    ['first', 60],
    ['second', 90],
    ['third', 120],
  ])
})
