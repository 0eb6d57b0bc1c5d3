import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { overflow, TELEPHONE, withPages } from '../../../../tests/support/pages.ts'
import { SLUGS } from './chapters.ts'

const DESKTOP = { viewport: { width: 1440, height: 900 } }
const PAGES = ['/docs/guia', ...SLUGS.map((slug) => `/docs/guia/${slug}`), '/docs/buscar?q=firma']

const { onPage } = withPages()

/** Between them they have every kind of thing that a page of the guide is made of. */
const SOME = ['/docs/guia', '/docs/guia/suscribir', '/docs/buscar?q=firma']

test('no page of the guide scrolls sideways, and axe finds nothing; on a telephone in dark neither', () =>
  onPage('guide axe', DESKTOP, async (page) => {
    for (const path of PAGES) {
      await page.goto(path)
      assert.equal(await overflow(page), 0, `${path} scrolls sideways`)
      if (!SOME.includes(path)) continue
      await assertAccessible(page, path)
      await page.setViewportSize(TELEPHONE.viewport)
      await page.emulateMedia({ colorScheme: 'dark' })
      await assertAccessible(page, `${path} on a telephone in the dark`)
      assert.equal(await overflow(page), 0, `${path} scrolls sideways on a telephone`)
      await page.setViewportSize(DESKTOP.viewport)
      await page.emulateMedia({ colorScheme: 'light' })
    }
  }))

test('a language that is chosen once is that of every page, with cookies and without', async () => {
  await onPage('guide language', TELEPHONE, async (page) => {
    await page.goto('/docs/guia/firmar')
    const client = page.locator('#ejemplo-rodado')
    assert.match(await client.innerText(), /rodado\.sh/)
    await client.getByRole('link', { name: 'Python' }).click()
    assert.match(page.url(), /#ejemplo-rodado$/)
    assert.match(await client.innerText(), /rodado\.py/)
    assert.equal(await client.getByRole('link', { name: 'Python' }).getAttribute('aria-current'), 'true')

    await page.getByRole('navigation', { name: 'Páginas de la guía' }).getByRole('link').click()
    assert.ok(await page.getByText('ensayar.py', { exact: true }).isVisible())
    await page.context().clearCookies()
    await page.getByRole('link', { name: /Siguiente/ }).click()
    assert.ok(await page.getByText('invitar.py', { exact: true }).isVisible(), 'the address carries it')

    await page.getByRole('link', { name: 'PHP' }).first().click()
    await page.goto('/docs/guia/verificar')
    assert.ok(await page.getByText('verificar.php', { exact: true }).isVisible(), 'the browser remembers it')
  })
})

test('a keyboard chooses a language, reads a program and takes it along', async () => {
  await onPage('guide keyboard', DESKTOP, async (page) => {
    await page.goto('/docs/guia/invitar')
    const example = page.getByRole('figure').filter({ hasText: 'invitar.' })
    await example.getByRole('link', { name: 'C#' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/lenguaje=csharp/)
    await example.getByRole('link', { name: 'Descargar Invitar.cs' }).focus()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'Copiar', 'the program can be copied')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'PRE', 'the program can be scrolled')
    const download = page.waitForEvent('download')
    await example.getByRole('link', { name: 'Descargar Invitar.cs' }).click()
    assert.equal((await download).suggestedFilename(), 'Invitar.cs')
  })
})

test('the menu shows the page that is open, also far down', async () => {
  await onPage('guide menu', DESKTOP, async (page) => {
    await page.goto('/problemas/codigos/sin-agencias')
    const link = page.locator('.docs-menu [aria-current=true]')
    const [item, menu] = await Promise.all([link.boundingBox(), page.locator('.docs-menu').boundingBox()])
    assert.ok(item && menu && item.y >= menu.y && item.y + item.height <= DESKTOP.viewport.height)
    assert.equal(await page.evaluate('scrollY'), 0)
  })
})

test('from the first page to a word of the reference: a search leads there', async () => {
  await onPage('guide search', DESKTOP, async (page) => {
    await page.goto('/')
    await page.getByRole('link', { name: /^Guía/ }).first().click()
    await page.getByRole('searchbox', { name: 'Buscar en la documentación' }).fill('resendwebhook')
    await page.keyboard.press('Enter')
    await page
      .getByRole('main')
      .getByRole('link', { name: /Reenviar la notificación/ })
      .first()
      .click()
    assert.match(page.url(), /\/docs(\/guia\/\w+)?(\?[^#]*)?#/)
  })
})
