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

test('what begins in the hearing of one that is late makes none that waits wait longer', async () => {
  const heard: string[] = []
  const deadlines = new Deadlines<string>(60, (one) => {
    heard.push(one)
    if (one !== 'first') return
    deadlines.begin('third')
    setTimeout(() => heard.push('three quarters of the time later'), 45)
  })
  deadlines.begin('first')
  setTimeout(() => deadlines.begin('second'), 30)
  await until(() => heard.length === 4)
  assert.ok(heard.indexOf('second') < heard.indexOf('three quarters of the time later'), heard.join(', '))
})
