import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markup, written } from './markup.ts'

const Greeting = ({ name, children }: { name: string; children?: string }) => (
  <>
    <b title={name}>{name}</b>
    {children}
  </>
)

test('200: what others wrote is text, in an element and in an attribute', () => {
  const theirs = `<script>"&'`
  assert.equal(
    markup(<Greeting name={theirs}>{theirs}</Greeting>),
    `<b title="&lt;script>&quot;&amp;'">&lt;script>&quot;&amp;'</b>&lt;script>&quot;&amp;'`,
  )
})

test('200: nothing is left of null, undefined and false; 0 is a number', () => {
  assert.equal(markup([null, undefined, false, true, '', 0, [1, 'a']]), '01a')
  assert.equal(markup(<p class={undefined}>{null}</p>), '<p></p>')
})

test('200: attributes are there or not; those that are told by a word say it', () => {
  assert.equal(
    markup(<input required disabled={false} value="" spellcheck={false} aria-hidden={false} />),
    '<input required value="" spellcheck="false" aria-hidden="false">',
  )
})

test('200: elements that hold nothing have no end, and others always do', () => {
  assert.equal(markup([<br key="a" />, <span key="b" class="pulse" />]), '<br><span class="pulse"></span>')
})

test('200: what is markup already stays as it is', () => {
  assert.equal(markup(<style dangerouslySetInnerHTML={{ __html: 'a > b {}' }} />), '<style>a > b {}</style>')
  const once = written(<Greeting name="a & b" />)
  assert.equal(markup(<p>{once}</p>), '<p><b title="a &amp; b">a &amp; b</b></p>')
})
