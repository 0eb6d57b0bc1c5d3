import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { until } from '../tests/support/until.ts'
import { newEnding, newFolder } from './ending.ts'
import { runAny, runProgram } from './program.ts'

const node = (code: string) => ['--eval', code]

describe('drills: a program that is run', () => {
  it('gives what it printed', async () => {
    const { atEnd, end } = newEnding(assert.fail)
    assert.equal(await runProgram(atEnd, node('console.log(process.env.WORD)'), { WORD: 'here' }), 'here\n')
    await end()
  })

  it('that fails is an error', async () => {
    const { atEnd } = newEnding(assert.fail)
    await assert.rejects(runProgram(atEnd, node('process.exit(3)'), {}), /ended with 3/)
  })

  it('of any kind gives its code and what it complained of', async () => {
    const { atEnd } = newEnding(assert.fail)
    const ended = await runAny(atEnd, 'sh', ['-c', 'echo here; echo alas >&2; exit 3'])
    assert.deepEqual(ended, { with: 3, printed: 'here\n', complained: 'alas\n' })
  })

  it('that is not there is an error', async () => {
    const { atEnd, end } = newEnding(assert.fail)
    await assert.rejects(runAny(atEnd, 'there-is-no-such-program', []), /ENOENT/)
    await end()
  })

  it('ends with the drill, and with it what it started', async () => {
    const { atEnd, end } = newEnding(assert.fail)
    const file = join(newFolder(atEnd, 'program'), 'started')
    const child = `require('node:fs').writeFileSync(process.env.FILE, ''); setInterval(() => 1, 1000)`
    const starts = `require('node:child_process').spawnSync(process.execPath, ['-e', process.env.CHILD], { stdio: 'inherit' })`
    const running = runProgram(atEnd, node(starts), { FILE: file, CHILD: child })
    const ended = assert.rejects(running, /ended with SIGKILL/)
    await until(() => existsSync(file))
    await end() // which comes when nobody holds its output open any more
    await ended
  })
})
