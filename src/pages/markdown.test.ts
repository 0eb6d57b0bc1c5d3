import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lexer } from 'marked'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type MarkdownScope, renderMarkdown } from './markdown.tsx'

const html = (text: string, scope: Partial<MarkdownScope> = {}) =>
  renderToString(h('p', null, renderMarkdown(lexer(text), { values: { name: 'A<b>' }, ...scope }))).slice(3, -4)

test('raw HTML is refused, in a paragraph and on its own', () => {
  assert.throws(() => html('a <b>b</b>'), /html is not supported/)
  assert.throws(() => html('<div>a</div>'), /html is not supported/)
})

test('a placeholder becomes its value, escaped, in text and in code; an unknown one is refused', () => {
  assert.equal(html('a {{name}} `X-{{name}}`'), '<p>a A&lt;b> <code>X-A&lt;b></code></p>')
  assert.equal(html('dice {{404}}'), '<p>dice <span class="badge status-4">404</span></p>')
  for (const unknown of ['a {{other}}', '`{{other}}`', '{{other}}', '{{toString}}', '```x\n{{other}}\n```'])
    assert.throws(() => html(unknown), /is unknown/, unknown)
})

test('a paragraph of its own is a block; attributes belong to what follows', () => {
  const blocks = { example: (task: string) => `<${task}>` }
  assert.equal(html('{{example uno}}\n\n{{id x}}\n\na\n\nb', { blocks }), '&lt;uno><p id="x">a</p><p>b</p>')
  assert.match(html('{{caption C}}\n\n| a | b |\n|---|---|\n| 1 | 2 |'), /aria-label="C".*<th scope="row">1<\/th><td>2/)
})

test('a conditional paragraph is shown only where its condition holds', () => {
  const isShown = (condition: string) => condition === 'php'
  assert.equal(html('{{only php}} a\n\n{{only curl}} b', { isShown }), '<p>a</p>')
})
