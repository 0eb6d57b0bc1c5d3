import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import ICONS from './icons.json' with { type: 'json' }

const PAGES = fileURLToPath(new URL('.', import.meta.url))
const files = readdirSync(PAGES, { recursive: true }).map(String)
const textOf = (ending: RegExp) =>
  files
    .filter((name) => ending.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => readFileSync(PAGES + name, 'utf8'))
    .join('\n')

test('the stylesheet styles only classes that pages have', () => {
  const css = textOf(/\.css$/).replaceAll(/\/\*.*?\*\//gs, '')
  const styled = new Set([...css.matchAll(/\.([a-z][\w-]*)(?=[^{};]*\{)/g)].map(([, name]) => name as string))
  const code = textOf(/\.(tsx?|md|js)$/)
  const words = new Set(code.match(/[\w-]+/g))
  // `status-${…}`: made of a fixed part and a value
  const beginnings = [...code.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, beginning]) => beginning as string)
  const isComposed = (name: string) => beginnings.some((beginning) => name.startsWith(beginning))
  const unused = [...styled].filter((name) => !words.has(name) && !isComposed(name))
  assert.ok(styled.size > 200)
  assert.deepEqual(unused, [])
})

test('every font size is one of the type scale', () => {
  const steps = [...readFileSync(`${PAGES}assets/css/tokens.css`, 'utf8').matchAll(/--text-[\w]+(?=:)/g)].map(String)
  const sizes = [...textOf(/\.css$/).matchAll(/[^-\w](font(?:-size)?:[^;]+);/g)].map(([, size = '']) => size)
  const others = sizes.filter(
    (size) => !/: inherit$/.test(size) && !steps.some((step) => size.includes(`var(${step})`)),
  )
  assert.ok(steps.length > 5 && sizes.length > 80)
  assert.deepEqual(others, [])
})

test('every icon in the file is used', () => {
  const code = textOf(/\.tsx$/)
  const unused = Object.keys(ICONS).filter((name) => !code.includes(`'${name}'`) && !code.includes(`"${name}"`))
  assert.deepEqual(unused, [])
})
