import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { niceMost, plotBars } from './bars.ts'
import { apart, plotLines } from './lines.ts'

describe('plots', () => {
  it('bars are as long as their values, with a stroke where something was wanted', () => {
    const rows = [
      { label: 'one & two', values: [0.5], wanted: 0.6 },
      { label: 'none', values: [undefined] },
    ]
    const svg = plotBars({ title: 'Bars', axis: 'times', legend: [''], rows, write: (value) => value.toFixed(2) })
    const [, x, width] = (/<rect x="([\d.]+)" [^>]*width="([\d.]+)"/.exec(svg) ?? []).map(Number)
    const [stroke] = [...svg.matchAll(/M([\d.]+) [\d.-]+V[\d.]+" stroke="#c2410c"/g)].map(([, text]) => Number(text))
    assert.ok(x && width && stroke && Math.abs((stroke - x) / width - 0.6 / 0.5) < 0.01)
    assert.equal(svg.match(/<rect /g)?.length, 1, 'what was not measured has no bar')
    assert.ok(svg.includes('one &amp; two'))
  })

  it('lines rise with their values, over an axis of powers', () => {
    const lines = [{ label: 'a', values: [1, 2, 4] }]
    const svg = plotLines({ title: 'Lines', upright: 'ms', across: 'rows', sizes: [10, 100, 1000], lines })
    const points =
      /points="([^"]+)"/
        .exec(svg)?.[1]
        ?.split(' ')
        .map((point) => point.split(',').map(Number)) ?? []
    const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = points
    assert.ok(Math.abs(x1 - x0 - (x2 - x1)) < 0.2)
    assert.ok(Math.abs((y1 - y2) / (y0 - y1) - 2) < 0.01)
  })

  it('labels that would cover one another stand apart', () => {
    assert.deepEqual(apart([100, 101, 50]), [100, 115, 50])
  })

  it('an axis ends with a round number that holds everything', () => {
    assert.deepEqual([0, 0.73, 1, 1.1, 35, 950].map(niceMost), [1, 0.8, 1, 1.2, 40, 1000])
  })
})
