import { execFileSync } from 'node:child_process'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compiledProgram } from '../tests/support/compiled-program.ts'
import {
  hasFile,
  hasSaid,
  interrupt,
  isServing,
  type Running,
  SLOW_MS,
  servers,
} from '../tests/support/interruption.ts'
import { until } from '../tests/support/until.ts'

const BUILD = fileURLToPath(new URL('../scripts/build.js', import.meta.url))

before(() => execFileSync(process.execPath, [BUILD, '--if-stale'])) // otherwise each drill builds first and is late

async function isStartedAgain(running: Running): Promise<void> {
  const first = await isServing(3)(running)
  await until(() => servers(running).some((each) => !first.includes(each)), SLOW_MS)
}

describe('drills: interrupted under load', {
  skip: process.platform !== 'linux' && 'it needs /proc',
}, () => {
  it('130: kill, by SIGTERM when its folder is created, leaves no process and no folder', () =>
    interrupt([compiledProgram('kill')], 'SIGTERM', hasFile(/^rodado-drill-/)))

  it('130: kill, by SIGHUP when the first instance starts, leaves no process and no folder', () =>
    interrupt([compiledProgram('kill')], 'SIGHUP', isServing(1)))

  it('130: kill, by SIGINT while a killed process restarts, leaves no process and no folder', () =>
    interrupt([compiledProgram('kill')], 'SIGINT', isStartedAgain))

  it('130: failover, by SIGTERM when the standby is held, leaves no process and no folder', () =>
    interrupt([compiledProgram('failover'), '--seconds', '1'], 'SIGTERM', hasSaid(/the standby receives nothing/)))
})
