import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Cleanup, createCleanup, makeTempDir } from './cleanup.ts'

describe('drills: cleanup', () => {
  let done: string[]
  let reported: string[]
  let cleanup: Cleanup
  beforeEach(() => {
    ;[done, reported] = [[], []]
    cleanup = createCleanup((message) => reported.push(message))
  })
  const slowly = (name: string) => async () => {
    await turn()
    done.push(name)
  }

  it('runs deferred work once, last first, one after another', async () => {
    for (const name of ['database', 'server', 'worker']) cleanup.defer(slowly(name))
    await Promise.all([cleanup.end(), cleanup.end()])
    await cleanup.end()
    assert.deepEqual(done, ['worker', 'server', 'database'])
  })

  it('continues after an error and reports it', async () => {
    cleanup.defer(slowly('database'))
    cleanup.defer(() => {
      throw new Error('it was gone already')
    })
    await cleanup.end()
    assert.deepEqual([done, reported], [['database'], ['cleanup: Error: it was gone already']])
  })

  it('runs work deferred during the cleanup at once, and waits for it', async () => {
    const gate = new EventTarget()
    cleanup.defer(() => once(gate, 'open'))
    const over = cleanup.end(() => done.push('over'))
    cleanup.defer(slowly('late'))
    await turn()
    await turn()
    assert.deepEqual(done, ['late'], 'it does not wait for the work in progress')
    cleanup.defer(slowly('later'))
    gate.dispatchEvent(new Event('open'))
    await over
    assert.deepEqual(done, ['late', 'later', 'over'])
  })

  it('says that it has started', async () => {
    assert.equal(cleanup.isCleaningUp(), false)
    const over = cleanup.end()
    assert.equal(cleanup.isCleaningUp(), true)
    await over
  })

  it('removes a temporary folder with its files', async () => {
    const folder = makeTempDir(cleanup.defer, 'ending')
    await writeFile(join(folder, 'file'), '')
    await cleanup.end()
    assert.equal(existsSync(folder), false)
  })
})
