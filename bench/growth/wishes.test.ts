import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Series } from './series.ts'
import { growthWords, judgeSeries } from './wishes.ts'

const series = (name: string, ...operations: [title: string, ms: number[]][]): Series => ({
  ...{ name, title: name, sizes: [1, 2, 3] },
  operations: operations.map(([title, ms]) => ({ title, ms })),
})
const met = (of: Series) => judgeSeries(of).map((each) => each.met)

describe('what growth is judged by', () => {
  it('every operation, also one that no list names, takes twice as long at most', () => {
    assert.deepEqual(met(series('events', ['flat', [5, 9, 5]], ['twice', [5, 9, 10]], ['grows', [5, 9, 10.1]])), [
      ...[true, true, false],
    ])
  })

  it('the first page of inquiries has less room, a page that is empty at first more', () => {
    const titles = ['largest agency, page 1', 'other agencies, page 1', 'largest agency, page 99']
    const at = (growth: number) =>
      met(series('inquiries', ...titles.map((title): [string, number[]] => [title, [1, growth]])))
    assert.deepEqual(at(1.3), [true, true, true])
    assert.deepEqual(at(1.9), [false, true, true])
    assert.deepEqual(at(3.9), [false, false, true])
    assert.deepEqual(at(4.1), [false, false, false])
  })

  it('is measured in terms of the yardstick', () => {
    const slowed = series('events', ['GET', [1, 3]])
    assert.deepEqual(met(slowed), [false])
    assert.deepEqual(met({ ...slowed, operations: [{ title: 'GET', ms: [1, 3], beside: [1, 2] }] }), [true])
  })

  it('what grows by design is named and not judged; what was not measured is not met, whatever it is', () => {
    const search = 'staff looks for what no agency has'
    assert.deepEqual(met(series('agencies', [search, [1, 50]], ['other', [1, Number.NaN]])), [true, false])
    assert.deepEqual(met(series('agencies', [search, [1, Number.NaN]], ['other', []])), [false, false])
    assert.deepEqual(met(series('events', [search, [1, 50]])), [false])
  })

  it('says how many are as wanted, which are not, and which nobody judges', () => {
    const words = growthWords([
      series('agencies', ['GET', [1, 3]], ['list', [1, 1]], ['staff looks for what no agency has', [1, 50]]),
    ])
    assert.match(words, /^Of 2 operations .* 1 do: "last ÷ first" is wanted to be 2 at most\./)
    assert.match(words, /Not met: GET, by agencies: 3\.00 instead of ≤ 2\./)
    assert.match(
      words,
      /Not judged, since they grow by design: staff looks for what no agency has \(read through all agencies\)\.$/,
    )
  })
})
