import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { quarter, residentMib } from './memory.ts'

describe('flood: what a process has in memory', () => {
  it('that of one that runs is seen', async () => {
    const mine = await residentMib(process.pid)
    assert.ok(mine > 10 && mine < 10_000, String(mine))
  })

  it('one that has ended is an error, not a figure', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    await assert.rejects(residentMib(child.pid ?? 0))
  })

  it('the last quarter over the second is what grew', () => {
    assert.equal(quarter([0, 0, 1, 3, 5, 5, 7, 9], 4) - quarter([0, 0, 1, 3, 5, 5, 7, 9], 2), 6)
  })
})
