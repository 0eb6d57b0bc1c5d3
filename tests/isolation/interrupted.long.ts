import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compiledProgram } from '../support/compiled-program.ts'
import { hasFile, hasSaid, interrupt, processesOf, type Running, withProgram } from '../support/interruption.ts'
import { until } from '../support/until.ts'

const FUZZ = [compiledProgram('fuzz'), '--requests', '900']

const has = (running: Running, name: string) => processesOf(running, name).length > 0
const hasWorker = (running: Running) => has(running, compiledProgram('fuzzWorker'))

/** The worker sends requests and PostgreSQL serves them, so there is something to leave behind. */
async function isAsking(running: Running): Promise<void> {
  await hasSaid(/[1-9]\d* of 900 requests/)(running)
  assert.ok(await hasWorker(running), running.said())
  assert.ok(await has(running, 'postgres'), running.said())
}

describe('fuzz and isolation: interrupted under load', {
  skip: process.platform !== 'linux' && 'processes are read from /proc',
}, () => {
  it('130: fuzz, by SIGINT when PostgreSQL is being started, leaves no process and no folder', () =>
    interrupt([compiledProgram('fuzz')], 'SIGINT', hasFile(/\/pg\/postmaster\.pid$/)))

  it('130: fuzz, by SIGHUP when its worker is being started, leaves no process and no folder', () =>
    interrupt([compiledProgram('fuzz')], 'SIGHUP', hasSaid(/^seed /m)))

  it('130: fuzz, by SIGTERM while its worker sends requests, leaves no process and no folder', () =>
    interrupt(FUZZ, 'SIGTERM', isAsking))

  it('130: fuzz --cost, by SIGINT while requests are measured, leaves no process and no folder', () =>
    interrupt([compiledProgram('fuzz'), '--cost', '--only', 'GET /v3/colores'], 'SIGINT', async (running) => {
      await hasSaid(/[1-9]\d* requests of/)(running)
      assert.ok(await has(running, compiledProgram('fuzzCostServer')), running.said())
    }))

  it('130: isolation, by SIGINT while it checks the matrix, leaves no process and no folder', () =>
    interrupt([compiledProgram('isolation')], 'SIGINT', hasSaid(/promises are looked at/)))

  it('fuzz, killed with SIGKILL: its worker notices and ends', () =>
    withProgram(FUZZ, async (running) => {
      await isAsking(running)
      running.child.kill('SIGKILL')
      await until(async () => !(await hasWorker(running)))
    }))
})
