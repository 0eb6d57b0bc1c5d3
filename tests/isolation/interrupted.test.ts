import { test } from 'node:test'
import { compiledProgram } from '../support/compiled-program.ts'
import { hasFile, interrupt } from '../support/interruption.ts'

// Others, and those of fuzz, are in interrupted.long.ts.
test(
  '130: isolation, by SIGTERM when PostgreSQL is being started, leaves no process and no folder',
  {
    skip: process.platform !== 'linux' && 'processes are read from /proc',
  },
  () => interrupt([compiledProgram('isolation')], 'SIGTERM', hasFile(/\/pg\/postmaster\.pid$/)),
)
