import { describe, it } from 'node:test'
import { compiledProgram } from '../support/compiled-program.ts'
import { hasFile, hasSaid, interrupt, type Moment } from '../support/interruption.ts'

const isStartingPostgres = hasFile(/\/pg\/postmaster\.pid$/)

const MOMENTS: [program: 'fuzz' | 'isolation', when: string, signal: NodeJS.Signals, moment: Moment][] = [
  ['fuzz', 'its worker is being started', 'SIGHUP', hasSaid(/^seed /m)],
  ['isolation', 'PostgreSQL is being started', 'SIGTERM', isStartingPostgres],
]

describe('fuzz and isolation, interrupted', {
  skip: process.platform !== 'linux' && 'processes are read from /proc',
}, () => {
  for (const [program, when, signal, moment] of MOMENTS)
    it(`130: ${program}, by ${signal} when ${when}, leaves no process and no folder`, () =>
      interrupt([compiledProgram(program)], signal, moment))
})
