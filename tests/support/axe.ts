import assert from 'node:assert/strict'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const GRAVE = new Set(['serious', 'critical'])

/**
 * Fails on whatever axe finds serious or critical in what the page shows now, in words that name the elements. It is
 * handed over as an expression, which the pages' policy does not concern. `rules` are those to go by, where not all.
 */
export async function assertAccessible(
  page: Page,
  what = new URL(page.url()).pathname,
  rules?: string[],
): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; undefined`)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  const faults = violations
    .filter(({ impact }) => GRAVE.has(impact ?? ''))
    .map(({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html.slice(0, 160)).join(' · ')}`)
  assert.deepEqual(faults, [], `axe finds faults in ${what}`)
}
