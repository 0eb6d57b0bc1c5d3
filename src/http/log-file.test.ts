import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../../tests/support/until.ts'
import { openLogFile } from './log-file.ts'

describe('log file', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rodado-log-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps every line, whole and in order, whatever its size', async () => {
    const path = join(folder, 'lines')
    const fd = openSync(path, 'w')
    const file = openLogFile(fd)
    const lines = Array.from({ length: 5_000 }, (_, index) => `${index} ${'ñ€😀'.repeat(index % 40)}\n`)
    lines.splice(2_500, 0, `${'largo '.repeat(20_000)}\n`)
    for (const line of lines) file.write(line)
    await until(() => readFileSync(path, 'utf8') === lines.join(''))
    file.end()
    closeSync(fd)
  })

  it('writes by itself after a moment, and at the end at once', async () => {
    const path = join(folder, 'soon')
    const fd = openSync(path, 'w')
    const file = openLogFile(fd)
    file.write('one\n')
    await until(() => readFileSync(path, 'utf8') === 'one\n')
    file.write('two\n')
    file.end()
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n')
    closeSync(fd)
  })

  it('goes on when nobody takes its lines', () => {
    const fd = openSync(join(folder, 'closed'), 'w')
    const file = openLogFile(fd)
    closeSync(fd)
    file.write('lost\n')
    file.end()
  })
})
