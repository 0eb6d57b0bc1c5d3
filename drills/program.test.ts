import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { until } from '../tests/support/until.ts'
import { createCleanup, makeTempDir } from './cleanup.ts'
import { runCommand, runNode } from './program.ts'

const node = (code: string) => ['--eval', code]

describe('drills: running a program', () => {
  it('returns its output', async () => {
    const { defer, end } = createCleanup(assert.fail)
    assert.equal(await runNode(defer, node('console.log(process.env.WORD)'), { WORD: 'here' }), 'here\n')
    await end()
  })

  it('fails if the program fails', async () => {
    const { defer } = createCleanup(assert.fail)
    await assert.rejects(runNode(defer, node('process.exit(3)'), {}), /ended with 3/)
  })

  it('returns the exit code and stderr of any command', async () => {
    const { defer } = createCleanup(assert.fail)
    const ended = await runCommand(defer, 'sh', ['-c', 'echo here; echo alas >&2; exit 3'])
    assert.deepEqual(ended, { with: 3, printed: 'here\n', stderr: 'alas\n' })
  })

  it('fails if there is no such program', async () => {
    const { defer, end } = createCleanup(assert.fail)
    await assert.rejects(runCommand(defer, 'there-is-no-such-program', []), /ENOENT/)
    await end()
  })

  it('the cleanup kills the program and its children', async () => {
    const { defer, end } = createCleanup(assert.fail)
    const file = join(makeTempDir(defer, 'program'), 'started')
    const child = `require('node:fs').writeFileSync(process.env.FILE, ''); setInterval(() => 1, 1000)`
    const starts = `require('node:child_process').spawnSync(process.execPath, ['-e', process.env.CHILD], { stdio: 'inherit' })`
    const running = runNode(defer, node(starts), { FILE: file, CHILD: child })
    const ended = assert.rejects(running, /ended with SIGKILL/)
    await until(() => existsSync(file))
    await end() // resolves when no process holds the output open
    await ended
  })
})
