import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { publish, type Report, tableOf, terminalReport } from './report.ts'
import { columnsOf } from './rounds.ts'
import type { Result } from './scenario.ts'

const result: Result = {
  name: 'list',
  title: 'Colour list',
  ratioOf: 'CPU µs',
  contenders: [
    { name: 'ours', columns: { 'CPU µs': [50, 40, 100], 'PostgreSQL µs': [0, 0, 0] } },
    { name: 'usual', columns: { 'CPU µs': [500, 480, 900], 'PostgreSQL µs': [0, 0, 0] } },
  ],
}
const report: Report = {
  date: '2026-01-01',
  commit: 'abc',
  machine: 'a machine',
  rows: 1000,
  results: [result],
  failures: [],
}

describe('the report of a run', () => {
  it('medians, and ratios round by round with their range; empty columns are left out', () => {
    assert.deepEqual(tableOf([result]), [
      ['', 'CPU µs', 'CPU µs ÷ ours'],
      ['ours', '50.0', '1'],
      ['usual', '500', '10.0 (9.00–12.0)'],
    ])
  })

  it('a missing value is shown as missing', () => {
    const missing = { ...result, contenders: [{ name: 'ours', columns: { 'CPU µs': [50, Number.NaN] } }] }
    assert.deepEqual(tableOf([missing])[1], ['ours', '–', '1'])
  })

  it('names the scenarios that failed', () => {
    assert.match(terminalReport({ ...report, failures: ['intake: 3 stored'] }), /^FAILED {2}intake: 3 stored$/m)
  })

  it('costs are for each request, PostgreSQL included', () => {
    const usage = { count: 100, elapsedMicros: 1e6, serverMicros: 3_000, postgresMicros: 2_000 }
    const columns = columnsOf([{ ...usage, clientMicros: 0, machineMicros: 0 }])
    assert.deepEqual([columns['CPU µs'], columns['PostgreSQL µs'], columns['per second']], [50, 20, 100])
  })

  it('replaces the text between the marks of a document, and nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rodado-report-'))
    try {
      const file = join(folder, 'benchmarks.md')
      const marks = '<!-- written by npm run bench: begin -->\nold\n<!-- written by npm run bench: end -->'
      writeFileSync(file, `# Words\n\n${marks}\n\nMore words.\n`)
      publish(report, file)
      const text = readFileSync(file, 'utf8')
      assert.match(text, /^# Words\n\n<!--[\s\S]*\| usual \| 500 \| 10\.0 \(9\.00–12\.0\) \|[\s\S]*\n\nMore words\.\n$/)
      assert.ok(!text.includes('old'))
      writeFileSync(file, 'no marks')
      assert.throws(() => publish(report, file), /has no marks/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
