import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPages } from '../../tests/support/pages.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { CONSOLE } from './console/place.ts'

const TELEPHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, javaScriptEnabled: false }

const { server, onPage } = withPages()

test('on a telephone the strip shows where one is, at whichever end that stands', async () => {
  const { visitor } = await makeStaff(server)
  await onPage('consola-telefono', { ...TELEPHONE, as: visitor }, async (page) => {
    for (const { href, label } of [...CONSOLE.entries.slice(0, 1), ...CONSOLE.entries.slice(-2)]) {
      await page.goto(href)
      const box = await page.locator('.place a[aria-current]').boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= TELEPHONE.viewport.width, `${label}: ${JSON.stringify(box)}`)
    }
  })
})
