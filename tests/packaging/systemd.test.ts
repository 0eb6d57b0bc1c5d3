import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const FOLDER = fileURLToPath(new URL('../../packaging/systemd/', import.meta.url))
const UNITS = ['rodado.service', 'rodado@.service']
/** Exposure of `systemd-analyze security`, in tenths: up to 2.0 of 10. */
const THRESHOLD = 20

function missing(): string | false {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'systemd-analyze is not installed'
  }
}

describe('the systemd units', () => {
  for (const unit of UNITS) {
    const text = readFileSync(FOLDER + unit, 'utf8')

    it(`${unit} migrates unless a setting says otherwise, reports readiness, is watched and cannot write outside its folder`, () => {
      for (const line of ['Type=notify', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet='])
        assert.ok(text.includes(`\n${line}\n`), line)
      assert.match(text, /\nEnvironment=.* AUTO_MIGRATE=si\b/)
      assert.match(text, /\nExecStart=.* serve\n/)
      assert.doesNotMatch(text, /ExecStartPre/)
      assert.match(text, /\nWatchdogSec=\d+s\n/)
      // Otherwise a database that is away for half a minute would leave the unit stopped for good.
      assert.match(text, /\nStartLimitIntervalSec=0\n[\s\S]*\nRestart=on-failure\n/)
    })

    it(`${unit} passes systemd-analyze verify, and security with little exposure`, { skip: missing() }, async (t) => {
      const { stderr } = await execute('systemd-analyze', ['verify', '--man=no', FOLDER + unit])
      // Other units of the machine may have warnings.
      assert.doesNotMatch(stderr, new RegExp(unit.replace('@', '@?')), stderr)
      const { stdout } = await execute('systemd-analyze', [
        'security',
        '--offline=true',
        '--no-pager',
        `--threshold=${THRESHOLD}`,
        FOLDER + unit,
      ])
      t.diagnostic(stdout.trim().split('\n').at(-1) ?? '')
    })
  }
})
