import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compiledProgram } from '../tests/support/compiled-program.ts'
import { hasFile, interrupt, type Moment, SLOW_MS, withProgram } from '../tests/support/interruption.ts'
import { until } from '../tests/support/until.ts'

const BUILD = fileURLToPath(new URL('../scripts/build.js', import.meta.url))

before(() => execFileSync(process.execPath, [BUILD, '--if-stale'])) // otherwise each drill builds first and is late

/** Others are in interrupted.long.ts. */
const MOMENTS: [drill: 'kill' | 'failover', when: string, signal: NodeJS.Signals, moment: Moment][] = [
  ['kill', 'PostgreSQL starts', 'SIGINT', hasFile(/\/pg\/postmaster\.pid$/)],
  ['failover', 'the standby is created', 'SIGTERM', hasFile(/second$/)],
]

describe('drills: interrupted', { skip: process.platform !== 'linux' && 'it needs /proc' }, () => {
  for (const [drill, when, signal, moment] of MOMENTS)
    it(`130: ${drill}, by ${signal} when ${when}, leaves no process and no folder`, () =>
      interrupt([compiledProgram(drill)], signal, moment))
})

const FAILURES = {
  throws: 'fails',
  rejection: 'has an unhandled rejection',
  uncaught: 'has an uncaught error',
}

describe('drills: failing', () => {
  for (const [FAILURE, name] of Object.entries(FAILURES))
    it(`1: a drill that ${name} reports it and leaves no folder`, () =>
      withProgram(
        [compiledProgram('failingDrill')],
        async ({ child, folder, said }) => {
          await until(() => child.exitCode !== null, SLOW_MS)
          assert.equal(child.exitCode, 1, said())
          assert.match(said(), /^Error: on purpose/m)
          assert.deepEqual(
            (await readdir(folder)).filter((each) => each.startsWith('rodado-')),
            [],
          )
        },
        { FAILURE },
      ))
})
