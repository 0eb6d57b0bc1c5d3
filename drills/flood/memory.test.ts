import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { quarter, residentMib } from './memory.ts'

describe('flood: memory of a process', () => {
  it('reads the memory of a running process', async () => {
    const mine = await residentMib(process.pid)
    assert.ok(mine > 10 && mine < 10_000, String(mine))
  })

  it('fails for a process that has ended', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    await assert.rejects(residentMib(child.pid ?? 0))
  })

  it('takes the mean of a quarter of the samples', () => {
    assert.equal(quarter([0, 0, 1, 3, 5, 5, 7, 9], 4) - quarter([0, 0, 1, 3, 5, 5, 7, 9], 2), 6)
  })
})
