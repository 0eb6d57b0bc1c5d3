import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Handed over with every page that is looked at: less than half as long as what `import 'axe-core'` gives. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const GRAVE = new Set(['serious', 'critical'])

/**
 * Names one of those words that look alike, by their elements and all around them: to compute the contrast of each is
 * most of the work on a long page, and says nothing more.
 */
const NAME_ONE_OF_EACH_LOOK = `(() => {
  const TELLING = /^(class|style|type|role|aria-(current|invalid|expanded|disabled))$/
  const looks = new Map()
  const looksOf = new Map()
  const named = new Set()
  for (const element of document.querySelectorAll('*')) {
    element.removeAttribute('data-look')
    const attributes = [...element.attributes].map(({ name, value }) => (TELLING.test(name) ? name + '=' + value : name))
    const place = [!element.previousElementSibling, !element.nextElementSibling]
    const own = [looksOf.get(element.parentElement), element.localName, ...place, ...attributes].join(' ')
    if (!looks.has(own)) looks.set(own, looks.size)
    const look = looks.get(own)
    looksOf.set(element, look)
    const speaks = 'value' in element || [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim())
    if (!speaks || named.has(look) || !element.checkVisibility()) continue
    named.add(look)
    element.setAttribute('data-look', '')
  }
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-look]' }] })
})()`

/**
 * Fails on whatever axe finds serious or critical in what the page shows now, in words that name the elements. It is
 * handed over as an expression, which the pages' policy does not concern. `rules` are those to go by, where not all.
 */
export async function assertAccessible(
  page: Page,
  what = new URL(page.url()).pathname,
  rules?: string[],
): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${AXE}; undefined`)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const run = `${NAME_ONE_OF_EACH_LOOK}; axe.run(${JSON.stringify(options)})`
  const { violations } = (await page.evaluate(run)) as AxeResults
  const faults = violations
    .filter(({ impact }) => GRAVE.has(impact ?? ''))
    .map(({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html.slice(0, 160)).join(' · ')}`)
  assert.deepEqual(faults, [], `axe finds faults in ${what}`)
}
