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
import { until } from '../support/until.ts'

const FUZZ = ['fuzz/run.ts', '--requests', '900']
const ISOLATION = ['tests/isolation/report.ts']

/** Its worker asks, and PostgreSQL answers: what is looked for afterwards is there to be found. */
async function isAsking(running: Running): Promise<void> {
  await hasSaid(/[1-9]\d* of 900 requests/)(running)
  const there = await processesOf(running)
  assert.ok(
    there.some((each) => each.includes('fuzz/worker.ts')),
    there.join('\n'),
  )
  assert.ok(
    there.some((each) => each.includes('postgres')),
    there.join('\n'),
  )
}

const MOMENTS: [program: string[], when: string, signal: NodeJS.Signals, moment: Moment][] = [
  [FUZZ, 'PostgreSQL is being started', 'SIGINT', hasFile(/\/pg\/postmaster\.pid$/)],
  [FUZZ, 'its worker is being started', 'SIGHUP', hasSaid(/^seed /m)],
  [FUZZ, 'its worker is asking', 'SIGTERM', isAsking],
  [ISOLATION, 'PostgreSQL is being started', 'SIGTERM', hasFile(/\/pg\/postmaster\.pid$/)],
  [ISOLATION, 'it looks at its promises', 'SIGINT', hasSaid(/promises are looked at/)],
]

describe('fuzz and isolation, interrupted', {
  skip: process.platform !== 'linux' && 'processes are read from /proc',
}, () => {
  for (const [program, when, signal, moment] of MOMENTS)
    it(`130: ${program[0]}, by ${signal} when ${when}, leaves no process and no folder`, () =>
      interrupt(program, signal, moment))

  it('fuzz/run.ts, killed with no time to say anything: its worker notices, and ends', () =>
    withProgram(FUZZ, async (running) => {
      await isAsking(running)
      running.child.kill('SIGKILL')
      await until(async () => !(await processesOf(running)).some((each) => each.includes('fuzz/worker.ts')))
    }))
})
