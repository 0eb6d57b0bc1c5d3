import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'

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
