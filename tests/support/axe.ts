import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { logInRun } from './run-log.ts'

/**
 * Injected once per page and started on demand: injecting takes longer than running. As an expression it is not subject to
 * the pages' content security policy.
 */
const AXE = `window.loadAxe = () => {
  ${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}
  window.axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-look]' }] })
}`

/**
 * Skips texts that look like one already checked, with all their ancestors: computing the contrast is most of the work on a
 * long page.
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
})()`

/** For the test that checks the pages no other test has (tests/pages.last.ts). */
const logChecked = logInRun('axe')

/** Fails on every finding of axe in the current page. `rules` limits the rules. */
export async function assertAccessible(
  page: Page,
  what = new URL(page.url()).pathname,
  rules?: string[],
): Promise<void> {
  if (!(await page.evaluate('"loadAxe" in window')))
    await Promise.all([page.addInitScript({ content: AXE }), page.evaluate(`${AXE}; undefined`)])
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const run = `axe.run(${options}).then(({ violations }) => violations)`
  const violations = (await page.evaluate(
    `window.axe ?? loadAxe(); ${NAME_ONE_OF_EACH_LOOK}; ${run}`,
  )) as AxeResults['violations']
  const faults = violations.map(
    ({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html.slice(0, 160)).join(' · ')}`,
  )
  assert.deepEqual(faults, [], `axe finds faults in ${what}`)
  if (!rules) logChecked(new URL(page.url()).pathname)
}
