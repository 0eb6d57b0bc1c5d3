import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from './axe.ts'
import { withPages } from './pages.ts'

const { onPage } = withPages()

/** The reference, long as it is, has a column more on the wider screen. In the dark nothing differs but colours. */
const SCREENS = [
  { screen: { colorScheme: 'light', viewport: { width: 1440, height: 900 } }, rules: undefined },
  { screen: { colorScheme: 'dark', viewport: { width: 1280, height: 720 } }, rules: ['color-contrast'] },
] as const

for (const { screen, rules } of SCREENS)
  test(`axe finds nothing serious in the open pages, ${screen.colorScheme}`, () =>
    onPage(`axe-${screen.colorScheme}`, screen, async (page) => {
      for (const path of ['/', '/docs', '/problemas', '/problemas/sin-autorizacion', '/entrar', '/clave']) {
        await page.goto(path)
        await assertAccessible(page, path, rules && [...rules])
      }
    }))

test('a field without a name is found, so that a page with none is worth something', () =>
  onPage('axe-fault', {}, async (page) => {
    await page.goto('/entrar')
    await page.evaluate('for (const label of document.querySelectorAll("label")) label.remove()')
    await assert.rejects(assertAccessible(page), /label/)
  }))
