import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { overflow, press, TELEPHONE, withPages } from '../../tests/support/pages.ts'

const PAGES = [
  '/',
  '/docs',
  '/docs/guia',
  '/docs/guia/suscribir',
  '/docs/buscar?q=webhook',
  '/problemas',
  '/problemas/sin-autorizacion',
  '/problemas/solicitud-invalida',
  '/problemas/nada',
]
const DESKTOP = { viewport: { width: 1440, height: 900 } }

const { onPage } = withPages()

/** Opens pages one after the other, and looks at each. */
const ctx = (
  paths: string[],
  options: BrowserContextOptions,
  look: (page: Page, path: string) => Promise<unknown>,
): Promise<void> =>
  onPage('publicas', options, async (page) => {
    for (const path of paths) {
      await page.goto(path)
      await look(page, path)
    }
  })

test('every page fits a telephone and a desk, has its landmarks, and headings that skip no level', async () => {
  await ctx(PAGES, DESKTOP, async (page, path) => {
    for (const { viewport } of [TELEPHONE, DESKTOP]) {
      await page.setViewportSize(viewport)
      assert.equal(await overflow(page), 0, `${path} scrolls sideways`)
    }
    for (const role of ['main', 'banner', 'contentinfo'] as const)
      assert.equal(await page.getByRole(role).count(), 1, `${path} ${role}`)
    assert.equal(await page.getByRole('navigation', { name: 'Principal' }).count(), 1)

    const headings = await page
      .locator('h1, h2, h3, h4')
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])))
    assert.equal(headings.filter((level) => level === 1).length, 1, path)
    for (const [at, level] of headings.entries())
      assert.ok(level <= (headings[at - 1] ?? 0) + 1, `${path}: h${level} after h${headings[at - 1]}`)
  })
})

test('the documentation has a link to sign in above it', async () => {
  await ctx(['/docs/guia'], TELEPHONE, async (page) => {
    await page.getByRole('banner').getByRole('link', { name: 'Rodado' }).waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Entrar' }).click()
    await page.getByRole('heading', { level: 1, name: 'Entrar' }).waitFor()
  })
})

test('a keyboard reaches the text with its first key', async () => {
  await ctx(['/docs/guia'], DESKTOP, async (page) => {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'contenido')
  })
})

test('dark is dark and light is light', async () => {
  await ctx(['/docs/guia'], DESKTOP, async (page) => {
    const paper = async (colorScheme: 'dark' | 'light') => {
      await page.emulateMedia({ colorScheme })
      const colour = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
      return Number(/\d+/.exec(colour)?.[0])
    }
    assert.ok((await paper('dark')) < 40)
    assert.ok((await paper('light')) > 240)
  })
})

test('on a telephone the contents unfold and lead to an operation', async () => {
  await ctx(['/docs'], TELEPHONE, async (page) => {
    const aside = page.locator('aside.aside') // not from the whole page: its roles take seconds to compute
    const contents = aside.getByRole('navigation', { name: 'Contenido de la referencia' })
    assert.ok(((await page.locator('h1').boundingBox())?.y ?? 999) < 160, 'the page begins with its text')
    assert.equal(await contents.count(), 0)
    await aside.getByText('Contenido', { exact: true }).click()
    await contents.getByRole('link', { name: /Puntos de entrada/ }).click()
    const operation = page.locator('#operacion-verPuntosDeEntrada')
    assert.ok(await operation.getByRole('heading', { name: 'Puntos de entrada' }).isVisible())
    assert.match(page.url(), /#operacion-verPuntosDeEntrada$/)
  })
})

test('a link with a language leads to documentation in it, without a cookie and until the reader chooses another', async () => {
  await onPage('enlace', { ...DESKTOP, javaScriptEnabled: false }, async (page) => {
    const isIn = (lang: string) => page.locator(`html[lang=${lang}]`).waitFor()
    await page.goto('/docs/guia?idioma=pt')
    await page.getByRole('link', { name: 'Assinar uma chamada' }).first().click()
    await page.waitForURL('**/docs/guia/firmar?idioma=pt')
    await isIn('pt')
    await page.getByRole('link', { name: 'Python' }).first().click()
    await page.waitForURL(/lenguaje=python&idioma=pt/)
    await isIn('pt')
    await page.getByRole('searchbox').fill('assinatura')
    await page.keyboard.press('Enter')
    await page.waitForURL(/buscar/)
    await isIn('pt')
    await page.locator('.found a').first().click()
    await isIn('pt')
    await press(page, 'Español')
    await isIn('es')
    assert.doesNotMatch(await page.content(), /href="[^"]*idioma=/)
  })
})

test('the switch below every page changes the language, which the next pages keep', async () => {
  await onPage('idioma', TELEPHONE, async (page) => {
    await page.goto('/entrar?salio=si')
    for (const [name, lang] of [
      ['Português', 'pt'],
      ['English', 'en'],
      ['Español', 'es'],
    ] as const) {
      await press(page, name)
      await page.locator(`html[lang=${lang}]`).waitFor()
      assert.equal(new URL(page.url()).pathname, '/entrar')
      assert.equal(await page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed'), 'true')
      assert.equal(await overflow(page), 0)
    }
    await press(page, 'English')
    await page.locator('html[lang=en]').waitFor()
    await page.goto('/cuenta/nada')
    await page.locator('html[lang=en]').waitFor()
  })
})
