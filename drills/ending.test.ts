import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Ending, newEnding, newFolder } from './ending.ts'

describe('drills: the end, whenever it comes', () => {
  let done: string[]
  let complaints: string[]
  let ending: Ending
  beforeEach(() => {
    ;[done, complaints] = [[], []]
    ending = newEnding((words) => complaints.push(words))
  })
  const slowly = (name: string) => async () => {
    await turn()
    done.push(name)
  }

  it('undoes the last first, each when the one before is done, and once', async () => {
    for (const name of ['database', 'server', 'worker']) ending.atEnd(slowly(name))
    await Promise.all([ending.end(), ending.end()])
    await ending.end()
    assert.deepEqual(done, ['worker', 'server', 'database'])
  })

  it('goes on where something cannot be undone, and says so', async () => {
    ending.atEnd(slowly('database'))
    ending.atEnd(() => {
      throw new Error('it was gone already')
    })
    await ending.end()
    assert.deepEqual([done, complaints], [['database'], ['at the end: Error: it was gone already']])
  })

  it('undoes at once what is begun meanwhile, and waits for it', async () => {
    const gate = new EventTarget()
    ending.atEnd(() => once(gate, 'open'))
    const over = ending.end(() => done.push('over'))
    ending.atEnd(slowly('late'))
    await turn()
    await turn()
    assert.deepEqual(done, ['late'], 'it does not wait for what is under way')
    ending.atEnd(slowly('later'))
    gate.dispatchEvent(new Event('open'))
    await over
    assert.deepEqual(done, ['late', 'later', 'over'])
  })

  it('is known to have come, so that what fails for it is no fault', async () => {
    assert.equal(ending.isUnderWay(), false)
    const over = ending.end()
    assert.equal(ending.isUnderWay(), true)
    await over
  })

  it('removes a folder with all that is in it', async () => {
    const folder = newFolder(ending.atEnd, 'ending')
    await writeFile(join(folder, 'file'), '')
    await ending.end()
    assert.equal(existsSync(folder), false)
  })
})
