import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { describeMachine } from './machine.ts'
import { markdownReport, publish, type Report } from './report.ts'
import type { Comparison, PageCost, Round } from './scenario.ts'
import { keepTime } from './time-left.ts'
import { judgeTime, verdicts, verdictWords } from './verdict.ts'

const round = (cpuMicrosPerRequest: number, perSecond: number): Round => ({
  ...{ answered: 100, perSecond, cpuMicrosPerRequest, serverBusy: 1, clientBusy: 0.2, othersBusy: 0 },
})
const rounds = (cpu: number, rate: number) => [round(cpu, rate), round(cpu, rate), round(cpu * 10, rate / 10)]
const compared: Comparison = {
  ...{ kind: 'comparison', name: 'colores', title: 'Colour list', bodyBytes: 3651, target: 0.6 },
  bare: rounds(30, 20_000),
  usual: rounds(400, 2_000),
  ours: rounds(40, 15_000),
}
const reportOf = (some: Partial<Report>): Report => ({
  ...{ date: '2026-01-01', commit: 'abc', results: [compared], failures: [], seconds: {} },
  machine: { ...describeMachine(), cores: 2, pinned: true },
  ...some,
})

describe('what a run says', () => {
  it('judges by CPU time, and by rate where the bare side does less, the median of the rounds', () => {
    const [toBare, toUsual] = verdicts([compared])
    assert.deepEqual([toBare?.got, toBare?.met], [0.75, true])
    assert.deepEqual([toUsual?.got, toUsual?.wanted, toUsual?.met], [10, '≥ 1.5', true])
    const [byRate] = verdicts([{ ...compared, ratioOf: 'rate', target: 0.8 }])
    assert.deepEqual([byRate?.got, byRate?.met], [0.75, false])
  })

  it('ends with what was met, what was not, and what could not be measured', () => {
    const words = verdictWords(verdicts([{ ...compared, target: 0.9 }]), ['intake: no disk'])
    assert.match(words, /^NOT MET {2}colores +0\.75 of the bare side \(CPU\), wanted ≥ 0\.9$/m)
    assert.match(words, /^met {6}colores +10\.00 times the usual way/m)
    assert.match(words, /^FAILED {3}intake: no disk\n1 not met, 1 not measured\.$/m)
    assert.match(verdictWords(verdicts([compared]), []), /All that was wanted was met\.$/)
  })

  it('begins with what could not be measured, which no wish that was met makes up for', () => {
    const first = (some: Partial<Report>) => markdownReport(reportOf(some)).split('\n\n')[1]
    assert.equal(first({}), '3 of 3 wishes were met.')
    assert.equal(
      first({ failures: ['intake: no disk: full', 'lote: gone'] }),
      '2 of 3 scenarios could not be measured (intake, lote); of what is wished of the rest 3 of 3 was met.',
    )
    assert.match(first({ failures: ['lote: gone'], results: [{ ...compared, target: 0.9 }] }) ?? '', /Not met: colores/)
  })

  it('wishes that all of it takes a quarter of an hour at most, and says when it took longer', () => {
    assert.deepEqual([judgeTime(15 * 60).met, judgeTime(15 * 60 + 1).met], [true, false])
    const text = markdownReport(reportOf({ seconds: { colores: 60 }, wholeSeconds: 16 * 60 }))
    assert.match(text, /16\.0 minutes/)
    assert.match(text, /^2 of 3 wishes were met\. Not met: bench: 16\.00 minutes for all of it instead of ≤ 15\.$/m)
    assert.match(
      verdictWords([judgeTime(16 * 60)], []),
      /^NOT MET {2}bench +16\.00 minutes for all of it, wanted ≤ 15$/m,
    )
  })

  it('judges the dearest of the pages, and one that was not measured wherever it stands', () => {
    const page = (title: string, ...pageMicros: number[]): PageCost => ({
      ...{ title, statements: 1, pageMicros, sqlMicros: pageMicros.map(() => 100) },
    })
    const judged = (pages: PageCost[]) =>
      verdicts([{ kind: 'pages', name: 'console', title: 'Pages', target: 3, pages }])[0]
    assert.deepEqual([judged([page('a', 110), page('b', 290)])?.got, judged([page('a', 110)])?.met], [2.9, true])
    for (const pages of [
      [page('a', 110), page('unknown', Number.NaN), page('b', 120)],
      [page('a', 110), page('unknown', 100, Number.NaN, 100)],
      [],
    ])
      assert.equal(judged(pages)?.met, false)
    assert.match(judged([page('a', 110), page('unknown')])?.what ?? '', /\(unknown, the dearest of 2\)/)
  })

  it('writes tables and pictures between its marks, and leaves the other words alone', () => {
    const docs = mkdtempSync(join(tmpdir(), 'rodado-report-'))
    try {
      const file = join(docs, 'benchmarks.md')
      const marks = '<!-- written by npm run bench: begin -->\nold\n<!-- written by npm run bench: end -->'
      writeFileSync(file, `# Words\n\n${marks}\n\nMore words.\n`)
      const report = reportOf({})
      publish(report, docs)
      const text = readFileSync(file, 'utf8')
      assert.match(text, /^# Words\n\n<!--/)
      assert.match(text, /More words\.\n$/)
      assert.ok(!text.includes('old'))
      assert.match(
        text,
        /\| Colour list \| 30\.0 \| 40\.0 \| 400\.0 \| – \| 0\.75 \| 0\.75–0\.75 \| ≥ 0\.6 \| 10\.0 \| ≥ 1\.5 \|/,
      )
      for (const [, plot = ''] of text.matchAll(/\]\((plots\/[^)]+)\)/g))
        assert.match(readFileSync(join(docs, plot), 'utf8'), /^<svg[\s\S]*<\/svg>\n$/)
      writeFileSync(file, 'no marks')
      assert.throws(() => publish(report, docs), /has lost the marks/)
    } finally {
      rmSync(docs, { recursive: true })
    }
  })

  it('tells the time that is left by a former run, or by what each scenario says of itself', () => {
    let now = 0
    const all = [
      { name: 'one', seconds: 60 },
      { name: 'two', seconds: 30 },
    ]
    const time = keepTime(all, { one: 100 }, () => now)
    assert.equal(time.shown(), '[0:00, 2:10 left]')
    time.begin('one')
    now = 40
    assert.equal(time.shown(), '[0:40, 1:30 left]')
    now = 120
    time.begin('two')
    assert.equal(time.shown(), '[2:00, 0:30 left]')
    now = 200
    assert.equal(time.shown(), '[3:20, 0:00 left]')
    assert.deepEqual(time.taken(), { one: 120, two: 80 })
  })
})
