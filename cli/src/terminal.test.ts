import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { suggestion } from './suggestion.ts'
import { plain, prettyJson, styleFor, table } from './terminal.ts'

const terminal = { isTTY: true }

describe('colours', () => {
  const isColoured = (stream: object, env: Record<string, string>) => styleFor(stream, env)('red', 'x') !== 'x'

  it('are for a terminal only, and NO_COLOR turns them off', () => {
    assert.ok(isColoured(terminal, {}))
    assert.ok(!isColoured({}, {}))
    assert.ok(!isColoured(terminal, { NO_COLOR: '1' }))
    assert.ok(!isColoured(terminal, { TERM: 'dumb' }))
    assert.ok(isColoured({}, { FORCE_COLOR: '1' }))
    assert.ok(!isColoured(terminal, { FORCE_COLOR: '0' }))
  })

  it('leave JSON as it is', () => {
    const value = { a: ['x: "y"', -1.5e-7, null, true], 'b"': { c: '{"d": 1}' } }
    const text = prettyJson(value, styleFor(terminal, {}))
    assert.notEqual(text, stripVTControlCharacters(text))
    assert.deepEqual(JSON.parse(stripVTControlCharacters(text)), value)
    assert.equal(prettyJson(value, plain), JSON.stringify(value, null, 2))
  })
})

describe('tables', () => {
  it('have columns as wide as their widest cell', () => {
    const text = table([['a', 'long'], ['wide cell', 'x'], ['y']], plain)
    assert.equal(text, 'a          long\nwide cell  x\ny\n')
  })
})

describe('suggestions', () => {
  it('name the nearest word, or none', () => {
    const known = ['listen', 'events', 'call', 'certify']
    for (const [typed, near] of [
      ['lisen', 'listen'],
      ['evnets', 'events'],
      ['cal', 'call'],
      ['cert', 'certify'],
      ['lsiten', 'listen'],
    ] as const)
      assert.equal(suggestion(typed, known), ` Did you mean ${near}?`)
    for (const typed of ['', 'x', 'restore', 'serve']) assert.equal(suggestion(typed, known), '')
  })
})
