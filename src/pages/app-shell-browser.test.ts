import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { makeDeveloper } from '../../tests/support/developer.ts'
import { DESKTOP, overflow, TELEPHONE, withPages } from '../../tests/support/pages.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { visitor } from '../../tests/support/visitor.ts'
import { NAV } from './consola/context.tsx'

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
        }
      }
    })
})

test('the words of a plot can be read, however wide its card is', async () => {
  const { visitor } = await makeStaff(server)
  for (const form of [TELEPHONE, TABLET, DESKTOP])
    await onPage('letra-de-grafico', { as: visitor, ...form }, async (page) => {
      await page.goto('/consola')
      const sizes = await page.locator('.plot svg').evaluateAll((all) =>
        all.map((svg) => {
          const scale = svg.getBoundingClientRect().width / Number(svg.getAttribute('viewBox')?.split(' ')[2])
          return scale * Number.parseFloat(getComputedStyle(svg.querySelector('text') ?? svg).fontSize)
        }),
      )
      assert.ok(sizes.length >= 3)
      for (const size of sizes) assert.ok(size >= SMALLEST_PRINT && size <= 16, `${size}px at ${form.viewport.width}`)
    })
})

test('on a telephone the strip of pages begins where one is, both neighbours in sight, and scrolls from there', async () => {
  const { visitor } = await makeStaff(server)
  await onPage('tira', { as: visitor, ...TELEPHONE }, async (page) => {
    await page.goto('/consola/correos')
    const settled = () =>
      page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => undefined))
    await settled()
    const strip = page.getByRole('navigation', { name: 'Consola' })
    const spanOf = async (name: string) => {
      const { x = 0, width = 0 } = (await strip.getByRole('link', { name, exact: true }).boundingBox()) ?? {}
      return { from: x, to: x + width }
    }
    const [before, here, after] = [await spanOf('Entregas'), await spanOf('Correos'), await spanOf('Supresiones')]
    assert.ok(before.from >= 0 && before.to <= here.from, 'the one before is whole')
    assert.ok(here.to <= after.from && after.from < TELEPHONE.viewport.width - 40, 'the one after can be touched')

    await strip.getByRole('list').evaluate((list) => list.scrollTo({ left: 0, behavior: 'instant' }))
    assert.equal((await spanOf('Resumen')).from >= 0, true, 'nothing pulls it back')
  })
})

test('on a telephone the strip shows where one is, at whichever end that stands', async () => {
  const { visitor } = await makeStaff(server)
  await onPage('consola-telefono', { ...TELEPHONE, javaScriptEnabled: false, as: visitor }, async (page) => {
    for (const { href, label } of [...NAV.items.slice(0, 1), ...NAV.items.slice(-2)]) {
      await page.goto(href)
      const box = await page.locator('.place a[aria-current]').boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= TELEPHONE.viewport.width, `${label}: ${JSON.stringify(box)}`)
    }
  })
})
