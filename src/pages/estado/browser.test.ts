import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../tests/support/axe.ts'
import {
  DESKTOP,
  download,
  fill,
  follow,
  isTitled,
  overflow,
  press,
  refused,
  TELEPHONE,
  waitForNotice,
  withPages,
} from '../../../tests/support/pages.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { SLOWER_MS } from '../../status/heartbeat.ts'

const { server, onPage } = withPages()

test('the staff publishes an incident, and everybody reads it with the uptime on the status page', async () => {
  await server.store.query(sql`
    insert into heartbeats (part, hora, minutes, first_at)
    select part, hora, (1::bigint << 60) - 1, hora
    from unnest(array['api', 'entregas']) part,
      generate_series(date_trunc('hour', now()) - interval '40 days', date_trunc('hour', now()), interval '1 hour') hora
    where extract(day from hora) <> 3 or extract(hour from hora) > 9`)
  await server.store.query(sql`
    insert into delivery_latency values
      (date_trunc('hour', now()), 500, 60), (date_trunc('hour', now()), 86400000, 36), (date_trunc('hour', now()), ${SLOWER_MS}, 4)`)
  const boss = await makeStaff(server)
  await onPage('incidentes-consola', { as: boss.visitor, ...DESKTOP }, async (page) => {
    await page.goto('/consola')
    await follow(page, 'Incidentes')
    await press(page, 'Publicar')
    await refused(page, 'Escriba un título')
    await fill(page, { Título: 'Demoras en las notificaciones', 'Qué pasa': 'Investigamos demoras desde las 9.' })
    await page.getByLabel('Impacto', { exact: true }).selectOption('menor')
    await page.getByLabel('Estado', { exact: true }).last().selectOption('investigando')
    await assertAccessible(page)
    await press(page, 'Publicar')
    await waitForNotice(page, 'ya se ve en la página de estado')
    await isTitled(page, 'Demoras en las notificaciones')
    await fill(page, { 'Qué pasa': 'Era un disco lleno.' })
    await page.getByLabel('Estado', { exact: true }).selectOption('resuelto')
    await press(page, 'Publicar')
    await waitForNotice(page, 'Se publicó la novedad')
    assert.equal(await page.getByLabel('Estado', { exact: true }).inputValue(), 'resuelto', 'the next one keeps it')
    await assertAccessible(page)

    for (const screen of [DESKTOP, TELEPHONE]) {
      await page.setViewportSize(screen.viewport)
      await page.goto('/estado')
      await isTitled(page, 'Estado del servicio')
      assert.ok(await page.getByText('Era un disco lleno.').isVisible())
      const today = await page.getByRole('row').nth(1).getByRole('cell').allTextContents()
      assert.deepEqual(today.slice(-3), ['menos de 500\u00a0ms', 'menos de 24 horas', 'más de 24 horas'])
      assert.ok(
        await page
          .getByText(/días? con caídas/)
          .first()
          .isVisible(),
      )
      await assertAccessible(page)
      assert.equal(await overflow(page), 0)
    }
    await page.setViewportSize(DESKTOP.viewport)

    await page.goto('/consola/incidentes')
    await page.getByLabel('Estado', { exact: true }).first().selectOption('resueltos')
    await page.waitForURL(/estado=resueltos/)
    assert.equal((await download(page)).lines.length, 2)
    await follow(page, 'Demoras en las notificaciones')
    await follow(page, 'Eliminar')
    await assertAccessible(page)
    await press(page, 'Sí, eliminar')
    await waitForNotice(page, 'ya no está en la página de estado')
    await page.goto('/docs/guia')
    await follow(page, 'Cambios')
    await isTitled(page, 'Cambios de la API')
    await assertAccessible(page)
    await page.goto('/problemas')
    await follow(page, 'muy-corto')
    await isTitled(page, 'muy-corto')
    await assertAccessible(page)
  })
})

test('303: two people publish incidents at the same time: both are published, and one sent twice is published once', async () => {
  const [boss, other] = [await makeStaff(server), await makeStaff(server)]
  const [, ultimo = ''] = /name="ultimo" value="(\d+)"/.exec((await boss.visitor.get('/consola/incidentes')).text) ?? []
  const form = (Texto: string) => ({ ultimo, Titulo: 'Demoras', Impacto: 'menor', Estado: 'investigando', Texto })
  const first = await boss.visitor.post('/consola/incidentes', form('Hay un corte de fibra.'))
  const second = await other.visitor.post('/consola/incidentes', form('El proveedor trabaja en ello.'))
  const pages = [first, second].map(({ headers }) => headers.location ?? '')
  assert.ok((await boss.visitor.get(pages[0] as string)).text.includes('Hay un corte de fibra.'))
  assert.ok((await boss.visitor.get(pages[1] as string)).text.includes('El proveedor trabaja en ello.'))
  const again = await boss.visitor.post('/consola/incidentes', form('Hay un corte de fibra.'))
  assert.equal(again.headers.location, '/consola/incidentes')
  assert.equal((await boss.visitor.get('/consola/incidentes')).text.match(/>Demoras<\/a>/g)?.length, 2)
})

test('the menu follows the reader, samples can be copied, and results come as one types', async () => {
  await onPage('docs-script', { ...DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await page.goto('/docs#operacion-listarConsultas')
    await page.locator('.docs-menu a[aria-current="location"][href="#operacion-listarConsultas"]').waitFor()
    const sample = page.locator('#operacion-listarConsultas figure').first()
    const text = page.locator('#operacion-listarConsultas .operation-facts')
    const boxes = async () => [await text.boundingBox(), await sample.boundingBox()] as const
    for (const [width, isBeside] of [
      [1199, false],
      [1200, true],
      [1280, true],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      const [facts, code] = await boxes()
      assert.ok(facts && code)
      assert.equal(code.x > facts.x + facts.width && code.y < facts.y + facts.height, isBeside, `${width} px`)
    }
    await sample.getByRole('button', { name: 'Copiar' }).click()
    await sample.getByText(/Copiado|Selecciónelo/).waitFor()

    await page.goto('/docs/guia') // the reference has the same box, and takes axe much longer
    const box = page.getByRole('searchbox', { name: 'Buscar en la documentación' })
    await box.fill('suscrivirse')
    const result = page.locator('.docs-found a').first()
    await result.waitFor()
    await assertAccessible(page)
    await box.press('ArrowDown')
    assert.equal(await page.evaluate('document.activeElement.closest(".docs-found") !== null'), true)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs.*#/)
  })
})
