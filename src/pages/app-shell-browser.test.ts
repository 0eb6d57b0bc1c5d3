import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { assertAccessible } from '../../tests/support/axe.ts'
import { insertConsulta } from '../../tests/support/consulta.ts'
import { makeDeveloper } from '../../tests/support/developer.ts'
import { DESKTOP, overflow, TELEPHONE, unfold, withPages } from '../../tests/support/pages.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { visitor } from '../../tests/support/visitor.ts'
import { consoleNav } from './consola/context.tsx'

const TABLET = { viewport: { width: 965, height: 900 } }
/** No space to break at, nothing that is markup, and another direction. */
const UNBROKEN = `<script>${'W'.repeat(60)}مرحبا🚗`
/** What is still read without glasses, in pixels of the screen. */
const SMALLEST_PRINT = 9

const { server, onPage } = withPages()

/** How far the words of the column reach into the page beside it. */
const intrusion = (page: Page) =>
  page.evaluate(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector('.place p') ?? document.body)
    return range.getBoundingClientRect().right - (document.querySelector('.place')?.getBoundingClientRect().right ?? 0)
  })

/** The heading is near the top of the screen. */
async function assertBeginsWithContent(page: Page): Promise<void> {
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
  assert.ok(heading && heading.y < 140, `${page.url()}: the heading begins at ${heading?.y}`)
}

test('a name without a space breaks where its column ends: console, portal and account, whatever the screen', async () => {
  const app = await server.newApp({ nombre: UNBROKEN })
  const { agencia, mail } = await makeAgencia(depsOf(server), app.app, { Nombre: UNBROKEN })
  const [staff, developer] = [await makeStaff(server), await makeDeveloper(server, app)]
  const { appKey } = app.app
  const places = [
    [
      staff.visitor,
      [
        '/consola/apps',
        `/consola/apps/${appKey}`,
        '/consola/agencias',
        `/consola/agencias/${agencia.id}`,
        '/consola/auditoria',
        '/consola/agencias/invitaciones',
      ],
    ],
    [developer.visitor, [`/portal/${appKey}`, `/portal/${appKey}/entregas`, `/portal/${appKey}/eventos`]],
    [
      await visitor(server).enter(mail),
      ['/cuenta', '/cuenta/apps', `/cuenta/apps/${appKey}/terminar`, '/cuenta/datos'],
    ],
  ] as const
  for (const [who, paths] of places)
    await onPage('nombre-largo', { as: who }, async (page) => {
      for (const path of paths) {
        await page.goto(path)
        for (const { viewport } of [TELEPHONE, TABLET, DESKTOP]) {
          await page.setViewportSize(viewport)
          assert.equal(await overflow(page), 0, `${path}, ${viewport.width}`)
          assert.ok(Number(await intrusion(page)) < 1, `${path}, ${viewport.width}: the name leaves its column`)
          if (viewport === TELEPHONE.viewport) await assertBeginsWithContent(page)
        }
      }
    })
})

test('a plot can be read, however wide its card is', async () => {
  const { visitor } = await makeStaff(server)
  const { app } = await server.newApp()
  const { agencia } = await makeAgencia(depsOf(server), app)
  await insertConsulta(server.store, { agencia, fuente: app })
  await server.store.query(sql`
    insert into app_usage (app_id, hora, solicitudes, entregadas) values (${app.id}, date_trunc('hour', now()), 3, 2)`)
  for (const form of [TELEPHONE, TABLET, DESKTOP])
    await onPage('letra-de-grafico', { as: visitor, ...form }, async (page) => {
      await page.goto('/consola')
      const drawings = await page.locator('.plot svg').evaluateAll((all) =>
        all.map((svg) => {
          const words = [...svg.querySelectorAll('.below-bar')].map((text) => text.getBoundingClientRect())
          const shown = words.filter(({ width }) => width > 0)
          return {
            height: svg.getBoundingClientRect().height,
            size: Number.parseFloat(getComputedStyle(svg.querySelector('text') ?? svg).fontSize),
            overlaps: shown.some(({ left }, at) => left < (shown[at - 1]?.right ?? left)),
          }
        }),
      )
      assert.ok(drawings.length >= 3)
      for (const { height, size, overlaps } of drawings) {
        assert.ok(size >= SMALLEST_PRINT && size <= 16, `${size}px at ${form.viewport.width}`)
        assert.ok(height >= 160, `${height}px high at ${form.viewport.width}`)
        assert.equal(overlaps, false, `dates overlap at ${form.viewport.width}`)
      }
      for (const figures of await page.locator('.plot summary').all()) await figures.click()
      assert.equal(await overflow(page), 0, `its figures are wider than ${form.viewport.width}`)
    })
})

test('on a telephone a page begins with its content: the menu and the filters unfold, without scripts', async () => {
  const { visitor } = await makeStaff(server)
  await onPage('consola-telefono', { ...TELEPHONE, javaScriptEnabled: false, as: visitor }, async (page) => {
    for (const path of ['/consola', '/consola/agencias', '/consola/consultas', '/consola/entregas']) {
      await page.goto(path)
      await assertBeginsWithContent(page)
    }
    const menu = page.getByRole('navigation', { name: 'Consola' })
    assert.equal(await menu.count(), 0, 'folded')
    await page.getByRole('button', { name: 'Menú' }).click()
    for (const { label } of consoleNav().items)
      assert.ok(await menu.getByRole('link', { name: label, exact: true }).isVisible())
    await page.getByRole('button', { name: 'Cerrar' }).click()
    assert.equal(await menu.count(), 0)

    await page.goto('/consola/agencias')
    const rows = await page.locator('.empty, .listing').boundingBox()
    assert.ok(rows && rows.y < 330, `the rows begin at ${rows?.y}`)
    await unfold(page, 'Filtrar')
    await page.getByLabel('Buscar', { exact: true }).fill('nadie')
    await page.getByRole('button', { name: 'Buscar' }).click()
    await page.getByRole('button', { name: 'Filtros (1)' }).waitFor()
  })
  await onPage('consola-telefono-axe', { ...TELEPHONE, as: visitor }, async (page) => {
    await page.goto('/consola/agencias')
    for (const part of ['Menú', 'Mi cuenta', 'Filtrar']) {
      await page.getByRole('button', { name: part, exact: true }).click()
      await assertAccessible(page, part)
      await page.keyboard.press('Escape')
    }
  })
})
