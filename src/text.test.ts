import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fold } from './catalogue/text.ts'
import { normalize, normalizeLine, normalizeLines } from './text.ts'

/** Marks in the order that makes canonical ordering move each of the second half past all of the first. */
const marks = (count: number) => '\u0301'.repeat(count / 2) + '\u0327'.repeat(count / 2)

/** Steps that canonical ordering takes at most: each mark may move past every other of its run. */
const orderingSteps = (text: string) =>
  [...text.matchAll(/[\u0301\u0327]+/g)].reduce((sum, [run]) => sum + run.length ** 2, 0)

/** What reaches String.normalize while something is done. */
function normalizedBy(context: TestContext, act: () => unknown): string[] {
  const spy = context.mock.method(String.prototype, 'normalize')
  act()
  spy.mock.restore()
  return spy.mock.calls.map(({ this: text }) => String(text))
}

test('four times the combining marks cost four times the work', (context) => {
  for (const act of [
    (text: string) => normalize(text, 'NFC'),
    (text: string) => normalize(text, 'NFKC'),
    normalizeLine,
    normalizeLines,
    fold,
  ]) {
    const steps = (count: number) =>
      normalizedBy(context, () => act(`a${marks(count)}`)).reduce((sum, text) => sum + orderingSteps(text), 0)
    assert.ok(steps(2000) > 0)
    assert.ok(steps(8000) <= 5 * steps(2000))
  }
})

test('text over its bound is not normalised', (context) => {
  const long = `a${marks(20_000)}`
  for (const act of [() => normalizeLine(long), () => normalizeLines(long), () => fold(long)])
    assert.deepEqual(normalizedBy(context, act), [])
  assert.deepEqual(
    normalizedBy(context, () => normalize('canción', 'NFC', 5)),
    [],
  )
})

test('long runs of combining marks lose nothing, and shorter ones are as Unicode has them', () => {
  const text = `a${marks(30)}`
  assert.equal(normalize(text, 'NFC'), text.normalize('NFC'))
  assert.equal(normalize(`a${marks(100)}`, 'NFD').replaceAll('\u034f', '').length, 101)
  assert.equal(normalize('cami\u0301on', 'NFC'), 'camíon')
})

test('a line has single spaces and nothing invisible', () => {
  assert.equal(normalizeLine('  Jose\u0301\t\u00a0 Luis\r\nPaz\u202e '), 'José Luis Paz')
  assert.equal(normalizeLine('a\tb'), 'a b')
  assert.equal(normalizeLine('👨\u200d👩'), '👨\u200d👩')
  assert.equal(normalizeLines(' uno\r\ndos\u2028tres\u0000 '), 'uno\ndos\ntres')
})
