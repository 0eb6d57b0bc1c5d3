import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { insertConsulta } from '../../../tests/support/consulta.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { follow, isTitled, withPages } from '../../../tests/support/pages.ts'
import { startServer, type TestApp } from '../../../tests/support/server.ts'
import { type MadeStaff, makeStaff } from '../../../tests/support/staff.ts'
import { visitor } from '../../../tests/support/visitor.ts'
import { dayOf } from '../../http/dates.ts'
import { dailyConsultasByModo } from '../../resources/consultas/counts.ts'
import { pendingDeliveries } from '../../webhooks/status-queries.ts'
import { ago } from './overview.tsx'

describe('/consola', () => {
  const { server, onPage } = withPages({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  let staff: MadeStaff
  let app: TestApp
  before(async () => {
    ;[staff, app] = [await makeStaff(server), await server.newApp({ nombre: 'Gestor Uno' })]
  })

  it('404, 303: it is there for the staff alone', async () => {
    const developer = await makeDeveloper(server, app)
    assert.equal((await developer.visitor.get('/consola')).status, 404)
    assert.equal((await visitor(server).get('/consola')).headers.location, '/entrar?volver=%2Fconsola')
  })

  it('200: shows the figures, and that nothing needs attention', async () => {
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    const prueba = await server.newApp({ modo: 'prueba' })
    await makeAgencia(depsOf(server), prueba.app)
    for (let n = 0; n < 3; n++) await insertConsulta(server.store, { agencia, fuente: app.app })
    const { status, text, headers } = await staff.visitor.get('/consola')
    assert.equal(status, 200)
    assert.match(text, /<strong>1<\/strong><a href="\/consola\/agencias">Agencias/)
    assert.match(text, /Todo en orden: no hay fallas/)
    assert.match(text, /nada en espera/)
    assert.match(headers['content-security-policy'] ?? '', /script-src 'self'/)
    const today = dayOf(new Date(), server.config.timeZone)
    const [day] = await dailyConsultasByModo(server.store, 'produccion', { desde: today, hasta: today })
    assert.deepEqual(day, { dia: today, consultas: 3 })
    assert.match(text, /<strong>3<\/strong><a href="\/consola\/consultas">Consultas hoy/)
  })

  it('200: names the webhooks that fail or were switched off, and emails that did not arrive', async () => {
    await server.store.query(sql`
      insert into webhooks (app_id, topic, callback, failures, failing_since, last_error, disabled_at, disabled_by, activo)
      values (${app.app.id}, 'consulta.recibida', 'https://a.example', 7, now() - interval '3 hours', 'Tardó demasiado', null, null, true),
        (${app.app.id}, 'agencia.modificada', 'https://a.example', 9, now() - interval '6 days', '410', now(), '410', true),
        (${app.app.id}, 'agencia.registrada', 'https://a.example', 9, now() - interval '6 days', 'off', null, null, false)`)
    await server.store.query(sql`
      insert into mails (kind, to_address, sealed, estado, settled_at, last_error)
      values ('clave', 'a@b.test', '\\x00', 'fallida', now(), '550 no such user'),
        ('clave', 'a@b.test', '\\x00', 'fallida', now() - interval '8 days', '550 no such user'),
        ('invitacion', 'a@b.test', '\\x00', 'fallida', now(), 'withdrawn')`)
    const { text } = await staff.visitor.get('/consola')
    assert.ok(text.includes('Tardó demasiado') && text.includes('fallando') && text.includes('deshabilitado'))
    assert.ok(!text.includes('agencia.registrada'))
    assert.match(text, /\/consola\/correos\?estado=fallida">1 correo no llegó/)
    assert.ok(text.includes(`/consola/entregas?app=${app.app.appKey}&amp;topic=consulta.recibida`))
  })

  it('200: names the scheduled tasks that failed', async () => {
    await server.store.query(sql`
      insert into scheduled_tasks (name, every_seconds, last_failure_at, last_error)
      values ('inquiries', 3600, now(), 'permission denied for schema public')`)
    const { text } = await staff.visitor.get('/consola')
    assert.match(text, /Borrar consultas viejas/)
    assert.match(text, /permission denied for schema public/)
    await server.store.query(sql`delete from scheduled_tasks`)
  })

  it('pending deliveries are counted, and the oldest is found at either end of its queue', async () => {
    const [hook] = await server.store.query<{ id: number }>(
      sql`select id from webhooks where topic = 'consulta.recibida'`,
    )
    await server.store.query(sql`
      insert into deliveries (id, app_id, webhook_id, due_at, created_at)
      select 'waiting' || n, ${app.app.id}, ${hook?.id}, now() + make_interval(mins => n), now() - make_interval(mins => n)
      from generate_series(1, 60) n`)
    const { count, oldest } = await pendingDeliveries(server.store)
    assert.equal(count, 60)
    assert.ok(oldest && Math.abs(Date.now() - oldest.getTime() - 60 * 60_000) < 30_000)
    assert.match((await staff.visitor.get('/consola')).text, /la más antigua espera desde hace 1 hora/)
  })

  it('204, 200: the part brings itself up to date, and shows nobody a page in its place', async () => {
    const hrefOf = (text: string) => /hx-get="([^"]+)"/.exec(text)?.[1] ?? ''
    const href = hrefOf((await staff.visitor.get('/consola')).text)
    const part = { 'hx-request': 'true' }
    const same = await staff.visitor.get(href, part) // the same, or a minute has just begun
    assert.ok(same.status === 204 || hrefOf(same.text) !== href)
    assert.ok(!same.text.includes('Consultas por día'), 'past days are not loaded again')
    await server.store.query(sql`delete from deliveries where id like 'waiting%'`)
    const changed = await staff.visitor.get(href, part)
    assert.equal(changed.status, 200)
    assert.ok(changed.text.startsWith('<div id="resumen"') && changed.text.includes('nada en espera'))
    const { headers, text } = await visitor(server).get(href, part)
    assert.deepEqual([headers['hx-refresh'], text], ['true', ''], 'the whole page reloads, and asks to sign in')
  })

  it('says without a mail server that emails are stored', async () => {
    const dry = await startServer()
    try {
      const { visitor: who } = await makeStaff(dry)
      assert.match((await who.get('/consola')).text, /No hay servidor de correo/)
    } finally {
      await dry.stop()
    }
  })

  it('tells how long ago in one unit', () => {
    const now = new Date('2026-03-01T12:00:00Z')
    const before = (seconds: number) => ago(new Date(now.getTime() - seconds * 1000), now)
    assert.deepEqual([0, 59, 60, 7_199, 7_200, 90_000, 200_000].map(before), [
      '1 segundo',
      '59 segundos',
      '1 minuto',
      '1 hora',
      '2 horas',
      '1 día',
      '2 días',
    ])
  })

  it('in a browser: what needs attention has a link to it, and so does each figure', async () => {
    const failing = await server.newApp({ nombre: 'App que falla' })
    await server.store.query(sql`
      insert into webhooks (app_id, topic, callback, failures, failing_since, last_error)
      values (${failing.app.id}, 'consulta.recibida', 'https://a.example', 7, now() - interval '3 hours', 'Tardó demasiado')`)
    await onPage('console resumen', { as: staff.visitor }, async (page) => {
      await page.goto('/consola')
      await assertAccessible(page)
      await follow(page, 'Ver las entregas de consulta.recibida a App que falla')
      await isTitled(page, 'Entregas')
      assert.equal(new URL(page.url()).searchParams.get('app'), failing.app.appKey)
      for (const [tile, title] of [
        ['Agencias', 'Agencias'],
        ['Consultas hoy', 'Consultas'],
        ['Entregas pendientes', 'Entregas'],
      ] as const) {
        await page.goto('/consola')
        await page.getByRole('main').getByRole('link', { name: tile, exact: true }).click()
        await isTitled(page, title)
      }
    })
  })

  it('in a browser: a chart still says what its bars are after it was refreshed', async () => {
    const count = (solicitudes: number) =>
      server.store.query(sql`
        insert into app_usage (app_id, hora, solicitudes) values (${app.app.id}, date_trunc('hour', now()), ${solicitudes})
        on conflict (app_id, hora) do update set solicitudes = ${solicitudes}`)
    await count(31)
    await onPage('console charts', { as: staff.visitor }, async (page) => {
      await page.clock.install()
      await page.goto('/consola')
      const chart = page.locator('#resumen .plot > svg').first()
      const says = async (text: string) => {
        await chart.focus()
        await page.keyboard.press('End')
        await page.locator('.tip:visible', { hasText: text }).waitFor()
      }
      await says('31 respondidas')
      await count(4711)
      await page.clock.fastForward(21_000)
      await page.locator('#resumen').getByText('4.711', { exact: true }).first().waitFor({ state: 'attached' })
      await says('4.711 respondidas')
    })
  })
})
