import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  hasFile,
  hasSaid,
  interrupt,
  type Moment,
  processesOf,
  type Running,
  withProgram,
} from '../support/interruption.ts'
import { ourProgram } from '../support/our-program.ts'
import { until } from '../support/until.ts'

const FUZZ = [ourProgram('fuzz'), '--requests', '900']
const ISOLATION = [ourProgram('isolation')]

const has = async (running: Running, name: string) => (await processesOf(running)).some((each) => each.includes(name))
const hasWorker = (running: Running) => has(running, ourProgram('fuzzWorker'))

/** Its worker asks, and PostgreSQL answers: what is looked for afterwards is there to be found. */
async function isAsking(running: Running): Promise<void> {
  await hasSaid(/[1-9]\d* of 900 requests/)(running)
  assert.ok(await hasWorker(running), running.said())
  assert.ok(await has(running, 'postgres'), running.said())
}

const MOMENTS: [name: string, program: string[], when: string, signal: NodeJS.Signals, moment: Moment][] = [
  ['fuzz', FUZZ, 'PostgreSQL is being started', 'SIGINT', hasFile(/\/pg\/postmaster\.pid$/)],
  ['fuzz', FUZZ, 'its worker is being started', 'SIGHUP', hasSaid(/^seed /m)],
  ['fuzz', FUZZ, 'its worker is asking', 'SIGTERM', isAsking],
  ['isolation', ISOLATION, 'PostgreSQL is being started', 'SIGTERM', hasFile(/\/pg\/postmaster\.pid$/)],
  ['isolation', ISOLATION, 'it looks at its promises', 'SIGINT', hasSaid(/promises are looked at/)],
]

describe('fuzz and isolation, interrupted', {
  skip: process.platform !== 'linux' && 'processes are read from /proc',
}, () => {
  for (const [name, program, when, signal, moment] of MOMENTS)
    it(`130: ${name}, by ${signal} when ${when}, leaves no process and no folder`, () =>
      interrupt(program, signal, moment))

  it('fuzz, killed with no time to say anything: its worker notices, and ends', () =>
    withProgram(FUZZ, async (running) => {
      await hasSaid(/^seed /m)(running)
      await until(() => hasWorker(running))
      running.child.kill('SIGKILL')
      await until(async () => !(await hasWorker(running)))
    }))
})
