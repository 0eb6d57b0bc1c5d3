import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Box, plotFlame } from './flame.ts'

const box = (label: string, total: number, called: Box[] = []): Box => ({ label, kind: 0, total, called })
const draw = (root: Box) => plotFlame({ title: 'Flames', legend: ['ours'], root })

/** The boxes of a picture by their names. */
function boxesOf(svg: string) {
  const found = svg.matchAll(/<g><title>(.*?): [\d.]+ %<\/title><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)
  const places = [...found].map(([, name, left, top, width]) => ({
    name,
    left: Number(left),
    top: Number(top),
    width: Number(width),
  }))
  const named = (name: string) => places.find((each) => each.name === name) ?? assert.fail(`${name} is not drawn`)
  return { named, names: places.map(({ name }) => name) }
}

describe('a flame graph', () => {
  it('has boxes as wide as their time, each on top of its caller', () => {
    const { named } = boxesOf(draw(box('all', 100, [box('small', 25), box('large', 50, [box('inner', 50)])])))
    const [all, large, small, inner] = [named('all'), named('large'), named('small'), named('inner')]
    assert.ok(Math.abs(large.width / all.width - 0.5) < 0.01 && Math.abs(small.width / all.width - 0.25) < 0.01)
    assert.ok(all.top > large.top && large.top > inner.top, 'what is called stands above')
    assert.deepEqual([large.left, inner.left], [all.left, all.left], 'the largest stands first')
    assert.ok(small.left >= large.left + large.width, 'none covers another')
  })

  it('leaves out what is below half a percent, and everything that it called', () => {
    const { names } = boxesOf(draw(box('all', 1_000, [box('seen', 5), box('narrow', 4, [box('inner', 4)])])))
    assert.deepEqual(names, ['all', 'seen'])
  })

  it('cuts a name that its box has no room for, and tells it whole when pointed at', () => {
    const name = 'aVeryLongName <T> & more '.repeat(10)
    const svg = draw(box('all', 100, [box(name, 20)]))
    assert.ok(svg.includes(`<title>${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}: 20.0 %</title>`))
    const [, shown = ''] = />(aVery[^<]*)<\/text>/.exec(svg) ?? []
    assert.ok(shown.endsWith('…') && shown.length < 50)
  })

  it('of nothing is a picture still', () => {
    const svg = draw(box('all', 0))
    assert.ok(svg.startsWith('<svg') && !svg.includes('NaN'))
  })
})
