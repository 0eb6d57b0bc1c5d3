import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from './axe.ts'
import { withPages } from './pages.ts'

const { onPage } = withPages()

const PAGES = ['/', '/docs', '/problemas', '/problemas/sin-autorizacion', '/entrar', '/clave']
/** Removes texts that look like another: axe goes through every element, also for the rule of colours alone. */
const KEEP_ONE_OF_EACH_LOOK = `
  for (const element of document.querySelectorAll('main *'))
    if (!element.matches('[data-look]') && !element.querySelector('[data-look]')) element.remove()`
/** The reference has another column on a wide screen. */
const WIDE = { viewport: { width: 1440, height: 900 } }

test('axe finds nothing in the open pages; in the dark, where nothing differs but colours, neither', () =>
  onPage('axe', WIDE, async (page) => {
    for (const path of PAGES) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      await assertAccessible(page, path)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.evaluate(KEEP_ONE_OF_EACH_LOOK)
      await assertAccessible(page, `${path} in the dark`, ['color-contrast'])
    }
  }))

test('a field without a name is found, so that a page with none is worth something', () =>
  onPage('axe-fault', {}, async (page) => {
    await page.goto('/entrar')
    await page.evaluate('for (const label of document.querySelectorAll("label")) label.remove()')
    await assert.rejects(assertAccessible(page), /label/)
  }))

test('words that can hardly be read are found, wherever they stand among others', () =>
  onPage('axe-contrast', WIDE, async (page) => {
    await page.goto('/problemas')
    await page
      .getByRole('main')
      .getByRole('link')
      .last()
      .evaluate((link) => link.classList.add('faint'))
    await assertAccessible(page)
    await page.evaluate(`
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('.faint { color: #eee !important }')
      document.adoptedStyleSheets.push(sheet)`)
    await assert.rejects(assertAccessible(page), /color-contrast/)
  }))
