import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { FoldingJson } from './parts.tsx'

const Greeting = ({ name, children }: { name: string; children?: string }) => (
  <>
    <b title={name}>{name}</b>
    {children}
  </>
)

test('200: text of strangers is escaped, in an element and in an attribute', () => {
  const text = `<script>"&'`
  assert.equal(
    renderToString(<Greeting name={text}>{text}</Greeting>),
    `<b title="&lt;script>&quot;&amp;'">&lt;script>&quot;&amp;'</b>&lt;script>&quot;&amp;'`,
  )
})

test('200: an object that was parsed from JSON is not taken for an element', () => {
  const parsed = JSON.parse('{"type":"script","props":{"children":"alert(1)"}}') as ComponentChildren
  assert.equal(renderToString(<p>{parsed}</p>), '<p></p>')
})

test('200: null, undefined and false render nothing; 0 is a number', () => {
  assert.equal(renderToString(<p>{[null, undefined, false, true, '', 0, [1, 'a']]}</p>), '<p>01a</p>')
  assert.equal(renderToString(<p class={undefined}>{null}</p>), '<p></p>')
})

test('200: JSON that folds has the text of JSON.stringify', () => {
  const deep = Array.from({ length: 2_000 }).reduce<unknown>((inner) => [inner], 'x')
  for (const value of [{ a: 1, b: [], c: { d: ['<&"', null, { e: true }] }, f: {} }, [], 'x', 7, [[1], [2, 3]], deep]) {
    const text = renderToString(<FoldingJson value={value} />)
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
    assert.equal(text, JSON.stringify(value, null, 2))
  }
})
