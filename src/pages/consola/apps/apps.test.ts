import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { callerFor } from '../../../../tests/support/caller.ts'
import { hook, LOOPBACK } from '../../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import {
  download,
  fill,
  follow,
  isTitled,
  press,
  refused,
  search,
  waitForNotice,
  withPages,
} from '../../../../tests/support/pages.ts'
import type { TestApp } from '../../../../tests/support/server.ts'
import { type MadeStaff, makeStaff } from '../../../../tests/support/staff.ts'
import { until } from '../../../../tests/support/until.ts'
import { makeAccount, visitor } from '../../../../tests/support/visitor.ts'
import { newLink, readLink } from '../../../accounts/links.ts'

describe('apps in the console', () => {
  const { server, onPage } = withPages({ env: { ...LOOPBACK, RATE_PER_SECOND: '50', RATE_BURST: '5000' } })
  let staff: MadeStaff
  let app: TestApp
  let path: string
  before(async () => {
    staff = await makeStaff(server)
    app = await server.newApp({ nombre: 'Gestión Sur' })
    path = `/consola/apps/${app.app.appKey}`
  })

  const lastAct = async () =>
    (await server.store.query<{ act: string }>(sql`select act from audit_log order by id desc limit 1`))[0]?.act

  it('200: the list has every app, found by name, AppKey, mode and state; and as CSV', async () => {
    const test = await server.newApp({ nombre: 'Ensayos', modo: 'prueba' })
    const seen = async (query: string) => {
      const { text } = await staff.visitor.get(`/consola/apps${query}`)
      return ['Gestión Sur', 'Ensayos'].filter((name) => text.includes(name))
    }
    assert.deepEqual(await seen(''), ['Gestión Sur', 'Ensayos'])
    assert.deepEqual(await seen('?q=SUR'), ['Gestión Sur'])
    assert.deepEqual(await seen(`?q=${test.app.appKey}`), ['Ensayos'])
    assert.deepEqual(await seen('?modo=prueba'), ['Ensayos'])
    assert.deepEqual(await seen('?estado=deshabilitadas'), [])
    assert.deepEqual(
      await seen('?modo=otro&estado=raro'),
      ['Gestión Sur', 'Ensayos'],
      'a filter that makes no sense is ignored',
    )
    const csv = await staff.visitor.get('/consola/apps?modo=prueba&formato=csv')
    assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
    assert.match(
      csv.text,
      new RegExp(`^\\uFEFF"AppKey";"App";.*\\r\\n"${test.app.appKey}";"Ensayos";"prueba";"habilitada";"0";`),
    )
  })

  it('200: in Portuguese the filters of apps and of invitations say “todos”', async () => {
    for (const path of ['/consola/apps', '/consola/agencias/invitaciones']) {
      const { text } = await staff.visitor.get(`${path}?idioma=pt&q=nada&mail=nada@example.com`)
      assert.deepEqual([...new Set(text.match(/\btod[ao]s\b/gi))], ['Todos', 'todos'], path)
    }
  })

  it('200: a long list is read page by page, newest first, and back', async () => {
    await server.store.query(sql`
      insert into apps (app_key, nombre, modo)
      select md5('lista' || n), 'Lista ' || n, 'prueba' from generate_series(1, 30) n`)
    const list = async (path: string) => {
      const { text } = await staff.visitor.get(path)
      const way = (label: string) => new RegExp(`href="([^"]+)">\\s*${label}`).exec(text)?.[1]?.replaceAll('&amp;', '&')
      return {
        names: [...text.matchAll(/<strong>(Lista \d+)</g)].map(([, name]) => name),
        on: way('Página siguiente'),
        back: way('← Página anterior'),
      }
    }
    const first = await list('/consola/apps?q=lista&modo=prueba')
    assert.deepEqual([first.names.length, first.names[0], first.back], [25, 'Lista 30', undefined])
    const second = await list(first.on ?? '')
    assert.deepEqual(second.names, ['Lista 5', 'Lista 4', 'Lista 3', 'Lista 2', 'Lista 1'])
    assert.equal(second.on, undefined)
    assert.deepEqual((await list(second.back ?? '')).names, first.names)
    const csv = await staff.visitor.get('/consola/apps?q=lista&formato=csv')
    assert.equal(csv.text.trim().split('\r\n').length, 31, 'a file has them all')
  })

  it('201: an app is made, calls at once, and its secret is shown once', async () => {
    const empty = await staff.visitor.get('/consola/apps/nueva')
    const AppKey = /name="AppKey" value="([0-9a-f]{32})"/.exec(empty.text)?.[1] ?? ''
    const form = { AppKey, Nombre: 'Nueva', Contacto: 'dev@nueva.test', Modo: 'prueba' }
    const made = await staff.visitor.post('/consola/apps', form)
    assert.equal(made.status, 201)
    const again = await staff.visitor.post('/consola/apps', form)
    assert.deepEqual(
      [again.status, again.headers.location],
      [303, `/consola/apps/${AppKey}`],
      'sent twice, it makes one',
    )
    const [, appKey = '', secret = ''] = /curl -u ([0-9a-f]{32}):([\w-]{43})/.exec(made.text) ?? []
    const caller = callerFor(server.url, appKey, secret)
    await until(async () => (await caller.get('/v3')).status === 200)
    const one = await staff.visitor.get(`/consola/apps/${appKey}`)
    assert.equal(one.status, 200)
    assert.ok(one.text.includes('dev@nueva.test'))
    assert.ok(!one.text.includes(secret))
  })

  it('400: an app without a name, with a contact that is no mail, or a mode that there is not', async () => {
    const { status, text } = await staff.visitor.post('/consola/apps', { Nombre: '', Contacto: 'nadie', Modo: '' })
    assert.equal(status, 400)
    for (const fault of ['Falta el nombre.', 'No es una dirección de correo.', 'Elija producción o prueba.'])
      assert.ok(text.includes(fault), fault)
  })

  it('200: one app shows its agencies, its requests, its webhooks and its team', async () => {
    const busy = await server.newApp({ nombre: 'Con vida' })
    await makeAgencia(depsOf(server), busy.app)
    await hook(server, busy, 'consulta.recibida', 'https://receptor.example/avisos?clave=oculta')
    const body = JSON.stringify({ Callback: 'https://otro.example/avisos', Description: 'Planilla' })
    await busy.call('POST', '/v3/appnotificaciones/consulta.recibida/destinos', { body })
    await server.usage.flush() // so that earlier requests are not added later
    await server.store.query(sql`
      insert into app_usage (app_id, hora, solicitudes, errores, entregadas)
      values (${busy.app.id}, date_trunc('hour', now()), 4321, 21, 17)
      on conflict (app_id, hora) do update set solicitudes = 4321, errores = 21, entregadas = 17`)
    await makeDeveloper(server, busy, { email: 'dev@convida.test', rol: 'titular' })
    const { text } = await staff.visitor.get(`/consola/apps/${busy.app.appKey}`)
    assert.match(text, /<strong>1<\/strong><a href="\/consola\/agencias\?app=/)
    assert.match(text, /<strong>4\.321<\/strong>Llamadas/)
    assert.ok(text.includes('https://receptor.example/avisos'))
    assert.match(text, /topic=consulta\.recibida&amp;destino=2">consulta\.recibida<\/a> · Planilla</)
    assert.ok(!text.includes('oculta'), 'what may be a password of theirs is not shown')
    assert.ok(text.includes('dev@convida.test'))
    assert.equal(await lastAct(), 'app.leer')
  })

  it('200: the list says how many webhooks of an app fail, and how many are disabled', async () => {
    const app = await server.newApp({ nombre: 'Con fallas' })
    for (const topic of ['consulta.recibida', 'consulta.modificada', 'agencia.registrada'] as const)
      await hook(server, app, topic, 'https://receptor.example/avisos')
    await server.store.query(sql`
      update webhooks set failing_since = now(), disabled_at = case when topic = 'consulta.recibida' then now() end
      where app_id = ${app.app.id} and topic like 'consulta.%'`)
    const { text } = await staff.visitor.get(`/consola/apps?q=${app.app.appKey}`)
    assert.match(text, /class="badge error"[^>]*>1 webhook deshabilitado</)
    assert.match(text, /class="badge attention"[^>]*>1 webhook falla</)
  })

  it('201: a secret more, and the former one still works; revoked, it does not; the last one stays', async () => {
    const vigente = /name="vigente" value="(\d+)"/.exec((await staff.visitor.get(path)).text)?.[1] ?? ''
    const rotated = await staff.visitor.post(`${path}/claves`, { vigente })
    assert.equal(rotated.status, 201)
    assert.match(rotated.text, /El anterior sigue sirviendo/)
    const secret = /curl -u [0-9a-f]{32}:([\w-]{43})/.exec(rotated.text)?.[1] ?? ''
    const twice = await staff.visitor.post(`${path}/claves`, { vigente })
    assert.deepEqual([twice.status, twice.text.includes(secret)], [201, true], 'the browser shows the second answer')
    for (const other of [{ vigente, Nombre: 'Otra' }, { vigente, revocar: 'si' }, {}])
      assert.equal((await staff.visitor.post(`${path}/claves`, other as Record<string, string>)).status, 409)
    const renewed = callerFor(server.url, app.app.appKey, secret)
    await until(async () => (await renewed.get('/v3')).status === 200)
    assert.equal((await app.get('/v3')).status, 200)

    const ids = await server.store.query<{ id: number }>(sql`
      select id from app_secrets where app_id = ${app.app.id} and revoked_at is null order by id`)
    const [former, latest] = ids.map(({ id }) => `${path}/claves/${id}/revocar`) as [string, string]
    assert.equal((await staff.visitor.get(former)).status, 200)
    assert.equal((await staff.visitor.post(former)).status, 303)
    assert.equal(await lastAct(), 'app.clave-revocada')
    await until(async () => (await app.get('/v3')).status === 401)
    const refused = await staff.visitor.post(latest)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Es la única clave de API de la app/)
    assert.equal((await staff.visitor.post(former)).status, 404)
    assert.equal((await renewed.get('/v3')).status, 200)
    const [only, again] = [
      await staff.visitor.post(`${path}/claves`, { vigente: String(ids[1]?.id), revocar: 'si' }),
      await staff.visitor.post(`${path}/claves`, { vigente: String(ids[1]?.id), revocar: 'si' }),
    ]
    const secretIn = (text: string) => /curl -u [0-9a-f]{32}:([\w-]{43})/.exec(text)?.[1]
    assert.deepEqual([only.status, again.status, secretIn(again.text)], [201, 201, secretIn(only.text)])
    assert.doesNotMatch(only.text + again.text, /El anterior sigue sirviendo/)
    await server.store.query(sql`
      update app_secrets set created_at = now() - interval '1 minute' where app_id = ${app.app.id}`)
    const late = await staff.visitor.post(`${path}/claves`, { vigente: String(ids[1]?.id), revocar: 'si' })
    assert.equal(late.status, 409)
  })

  it('303: limits, topics and data are set; 400 says what a limit may be', async () => {
    const other = await server.newApp({ nombre: 'Con límites' })
    const at = `/consola/apps/${other.app.appKey}`
    assert.equal((await staff.visitor.post(`${at}/limites`, { PorSegundo: '7', Rafaga: '1.400' })).status, 303)
    await until(async () => (await other.get('/v3')).headers['ratelimit-policy'] === '"app";q=1400;w=200')
    const wrong = await staff.visitor.post(`${at}/limites`, { PorSegundo: '0', Rafaga: 'mucha', Invitaciones: '5' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /Escriba un número entre 1 y 100\.000/)
    assert.match(wrong.text, /value="mucha"/)

    assert.equal((await staff.visitor.post(`${at}/temas`, { 'consulta.recibida': 'si' })).status, 303)
    await until(async () => (await other.get('/v3/appnotificaciones')).json._entries.length === 1)
    assert.match((await staff.visitor.get(at)).text, /Puede usar 1 de 10\. De los demás no recibe nada/)
    assert.equal((await staff.visitor.post(`${at}/temas`, {})).status, 303)
    assert.match((await staff.visitor.get(at)).text, /No puede usar ninguno/)
    assert.equal((await staff.visitor.post(`${at}/temas`, { todos: 'si', 'webhook.prueba': 'si' })).status, 303)
    await until(async () => (await other.get('/v3/appnotificaciones')).json._entries.length === 10)

    assert.equal((await staff.visitor.post(`${at}/datos`, { Nombre: 'Otro nombre', Contacto: '' })).status, 303)
    assert.match((await staff.visitor.get(at)).text, /<h1>Otro nombre<\/h1>/)
    assert.equal((await staff.visitor.post(`${at}/datos`, { Nombre: '', Contacto: '' })).status, 400)
  })

  it('409: data, topics and limits that a colleague changed meanwhile are shown beside what was typed, and stay', async () => {
    const other = await server.newApp({ nombre: 'De dos' })
    const at = `/consola/apps/${other.app.appKey}`
    const colleague = await makeStaff(server)
    const versionOf = (text: string, form: string) =>
      new RegExp(`action="${at}/${form}"[^>]*>(?:(?!</form>)[\\s\\S])*?name="Version" value="([\\w-]+)"`).exec(
        text,
      )?.[1] ?? ''
    const sent = {
      datos: [
        { Nombre: 'De Ana', Contacto: '' },
        { Nombre: 'De dos', Contacto: 'beto@app.test' },
      ],
      temas: [{ 'consulta.recibida': 'si' }, { todos: 'si', 'webhook.prueba': 'si' }],
      limites: [{ PorSegundo: '7' }, { Rafaga: '1.400' }],
    } as const
    const stored = async () => {
      const [row] = await server.store.query<object>(sql`
        select nombre, contacto, topics, rate_per_second, rate_burst from apps where app_key = ${other.app.appKey}`)
      return row
    }
    const { text: early } = await staff.visitor.get(at)
    for (const [form, [hers, his]] of Object.entries(sent)) {
      const Version = versionOf(early, form)
      assert.notEqual(Version, '', form)
      for (const time of ['first', 'sent twice'])
        assert.equal(
          (await colleague.visitor.post(`${at}/${form}`, { ...hers, Version })).status,
          303,
          `${form} ${time}`,
        )
      const before = await stored()
      const late = await staff.visitor.post(`${at}/${form}`, { ...his, Version })
      assert.equal(late.status, 409, form)
      assert.match(
        late.text,
        /role="alert" tabindex="-1" autofocus[^>]*><p>Alguien cambió los datos mientras usted escribía/,
      )
      assert.deepEqual(await stored(), before, form)
      const shown = {
        datos: [/Ahora dice: De Ana/, /value="beto@app\.test"/],
        temas: [/Ahora no está marcado/, /name="todos"[^>]* checked/],
        limites: [/Ahora dice: 7/, /Ahora dice: \(vacío\)/, /value="1400"/],
      }[form as keyof typeof sent]
      for (const pattern of shown) assert.match(late.text, pattern, form)
      assert.equal(
        (await staff.visitor.post(`${at}/${form}`, { ...his, Version: versionOf(late.text, form) })).status,
        303,
      )
    }
    const limits = { rate_per_second: null, rate_burst: 1400 }
    assert.deepEqual(await stored(), { nombre: 'De dos', contacto: 'beto@app.test', topics: null, ...limits })
    const acts = await server.store.query<{ act: string }>(sql`
      select act from audit_log where subject = ${other.app.appKey} and account_id = ${staff.account.id} and act <> 'app.leer'`)
    assert.deepEqual(acts.map(({ act }) => act).sort(), ['app.datos', 'app.limites', 'app.temas'])
  })

  it('303: a person is invited to its team by email; a removed member no longer sees it', async () => {
    const other = await server.newApp({ nombre: 'Con equipo' })
    const at = `/consola/apps/${other.app.appKey}`
    const invite = (Email: string, Rol = 'titular') => staff.visitor.post(`${at}/equipo`, { Email, Rol })
    assert.equal((await invite('nadie')).status, 400)
    assert.match((await invite('alguien@equipo.test', 'jefe')).text, /Elija un rol\./)
    assert.match((await staff.visitor.get(at)).text, /name="Email"[^>]* maxlength="254"/)
    assert.equal((await invite('alguien@equipo.test')).status, 303)
    const [email] = await server.emails('alguien@equipo.test')
    assert.match(email?.text ?? '', /Con equipo/)
    assert.match(email?.text ?? '', /\/equipo\/[\w-]{43}/)

    const member = await makeDeveloper(server, other)
    assert.equal((await invite(member.email)).status, 400, 'a member is not invited again')
    const id = member.account.id
    const removal = `${at}/equipo/${id}/quitar`
    assert.equal((await staff.visitor.post(removal)).status, 409, 'an app is not left without a titular')
    await makeDeveloper(server, other)
    const invitation = { purpose: 'equipo', accountId: id, appId: other.app.id, rol: 'titular', hours: 1 } as const
    const early = await newLink(server.store, invitation)
    assert.match((await staff.visitor.get(removal)).text, /¿Quitar a Dana Soto del equipo\?/)
    assert.equal((await staff.visitor.post(removal)).status, 303)
    assert.equal((await readLink(server.store, early, 'equipo'))?.state, 'used', 'no earlier link leads back in')
    assert.equal((await member.visitor.get(`/portal/${other.app.appKey}`)).status, 404)
    for (const none of [removal, `${at}/equipo/nadie/quitar`])
      assert.deepEqual([(await staff.visitor.get(none)).status, (await staff.visitor.post(none)).status], [404, 404])
  })

  it('303: a pending invitation is shown, and can be withdrawn', async () => {
    const other = await server.newApp({ nombre: 'Con invitadas' })
    const at = `/consola/apps/${other.app.appKey}`
    await staff.visitor.post(`${at}/equipo`, { Email: 'espera@equipo.test', Rol: 'desarrollador' })
    const link = /\/equipo\/[\w-]{43}/.exec((await server.emails('espera@equipo.test'))[0]?.text ?? '')?.[0] ?? ''
    assert.equal((await visitor(server).get(link)).status, 200)
    const { text } = await staff.visitor.get(at)
    assert.match(text, /Invitaciones sin aceptar[\s\S]*espera@equipo\.test/)
    const withdraw = `${at}/equipo/${/equipo\/(\d+)\/retirar/.exec(text)?.[1]}/retirar`
    assert.equal((await staff.visitor.post(withdraw)).status, 303)
    assert.equal(await lastAct(), 'app.equipo-retirar')
    assert.equal((await visitor(server).get(link)).status, 410)
    assert.equal((await staff.visitor.post(withdraw)).status, 404)
  })

  it('303: disabled, it is refused like an unknown one; enabled, it is let in again', async () => {
    const other = await server.newApp({ nombre: 'Apagada' })
    const at = `/consola/apps/${other.app.appKey}`
    assert.match((await staff.visitor.get(`${at}/deshabilitar`)).text, /¿Deshabilitar Apagada\?/)
    assert.equal((await staff.visitor.post(`${at}/deshabilitar`, { Motivo: 'Vende <datos>.' })).status, 303)
    assert.match(
      (await staff.visitor.get(at)).text,
      /Desde: <time[^>]*><span[^>]*>hoy, \d\d:\d\d<\/span><\/time>. Motivo: Vende &lt;datos>\./,
    )
    const { visitor: dana } = await makeDeveloper(server, other)
    assert.match((await dana.get(`/portal/${other.app.appKey}`)).text, /Desde: <time.*Motivo: Vende &lt;datos>\./)
    await until(async () => (await other.get('/v3')).status === 401)
    assert.match((await staff.visitor.get('/consola/apps?estado=deshabilitadas')).text, /Apagada/)
    assert.equal((await staff.visitor.post(`${at}/habilitar`)).status, 303)
    await until(async () => (await other.get('/v3')).status === 200)
    assert.equal(await lastAct(), 'app.habilitar')
    assert.doesNotMatch((await staff.visitor.get(at)).text, /Vende/)
  })

  it('404: an app that does not exist; and everything, for people who are not staff', async () => {
    const missing = await staff.visitor.get(`/consola/apps/${'0'.repeat(32)}`)
    assert.equal(missing.status, 404)
    assert.match(missing.text, /No existe una app con ese AppKey\./)
    const [, home = ''] = /class="button" href="([^"]+)">\s*Ir a mi cuenta/.exec(missing.text) ?? []
    assert.equal((await staff.visitor.get(home)).headers.location, '/consola')
    assert.equal((await staff.visitor.post(`/consola/apps/${'0'.repeat(32)}/habilitar`)).status, 404)
    await makeAccount(server, { email: 'otra@apps.test' })
    const developer = await makeDeveloper(server, app, { rol: 'titular' })
    for (const other of [await visitor(server).enter('otra@apps.test'), developer.visitor]) {
      for (const page of ['/consola/apps', '/consola/apps/nueva', path, `${path}/deshabilitar`])
        assert.equal((await other.get(page)).status, 404, page)
      for (const act of ['claves', 'limites', 'temas', 'datos', 'habilitar', 'deshabilitar'])
        assert.equal((await other.post(`${path}/${act}`)).status, 404, act)
    }
    assert.equal((await visitor(server).post(`${path}/deshabilitar`)).status, 303)
    assert.match((await staff.visitor.get(path)).text, /habilitada/)
  })

  describe('in a browser', () => {
    it('one of the staff makes an app, slows it down, gives it a new key and disables it', () =>
      onPage('console apps', { as: staff.visitor }, async (page) => {
        await page.goto('/consola/apps')
        await assertAccessible(page)
        await page.getByRole('link', { name: 'Crear una app' }).click()
        await assertAccessible(page)
        await page.getByLabel('Nombre').fill('App del navegador')
        await page.getByLabel('Correo de contacto').fill('dev@navegador.test')
        await page.getByRole('button', { name: 'Crear y ver la clave de API' }).click()
        await page.getByText('no se vuelve a mostrar').waitFor()
        await page.getByText('puede invitar al portal').waitFor()
        await assertAccessible(page)
        await page.getByRole('link', { name: 'Ya lo guardé' }).click()
        await page.getByRole('heading', { name: 'App del navegador', level: 1 }).waitFor()
        await assertAccessible(page)

        await page.getByLabel('Llamadas por segundo').fill('3')
        await page.getByRole('button', { name: 'Guardar los límites' }).click()
        await page.getByText('Se guardaron los límites').waitFor()
        assert.equal(await page.getByLabel('Llamadas por segundo').inputValue(), '3')

        await page.getByText('Cambiar los topics').click()
        await page.getByLabel('Todos').uncheck()
        await page.getByLabel('webhook.prueba').check()
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Guardar los topics' }).click()
        await page.getByText('Puede usar 1 de 10.').waitFor()

        await page.getByText('Crear una clave de API').click()
        await page.getByRole('button', { name: 'Crear y ver la clave de API' }).click()
        await page.getByRole('link', { name: 'Ya lo guardé' }).click()
        await page
          .getByRole('link', { name: /^Revocar la clave/ })
          .last()
          .click()
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Sí, revocar' }).click()
        await page.getByText('Se revocó la clave de API').waitFor()
        await page.getByRole('table', { name: 'Claves de API de la app' }).getByText('revocada').waitFor()

        await page.getByRole('link', { name: 'Deshabilitar' }).click()
        await page.getByRole('button', { name: 'Sí, deshabilitar' }).click()
        await page.getByRole('button', { name: 'Habilitar' }).click()
        await waitForNotice(page, 'Se habilitó la app')
        await page.getByRole('link', { name: 'Deshabilitar' }).waitFor()
      }))

    it('one of the staff finds an app, corrects its data, and decides who is of its team', async () => {
      const made = await server.newApp({ nombre: 'Agenda Litoral' })
      await makeDeveloper(server, made)
      await makeDeveloper(server, made, { nombre: 'Luis', apellido: 'Gil', rol: 'desarrollador' })
      await onPage('console apps equipo', { as: staff.visitor }, async (page) => {
        await page.goto('/consola/apps')
        await search(page, { 'Nombre o AppKey': 'litoral' })
        const { lines } = await download(page)
        assert.match(lines.slice(1).join('\n'), new RegExp(`^"${made.app.appKey}";.*$`))
        await follow(page, 'Agenda Litoral')

        const data = page.locator('#datos')
        await data.getByLabel('Nombre').fill('')
        await press(page, 'Guardar los datos')
        await refused(page, 'Falta el nombre')
        await data.getByLabel('Nombre').fill('Agenda del Litoral')
        await press(page, 'Guardar los datos')
        await waitForNotice(page, 'Se guardaron los datos de la app')
        await isTitled(page, 'Agenda del Litoral')

        await page.getByText('Invitar a alguien').click()
        await fill(page, { Correo: 'nadie' })
        await page.getByLabel('Rol').selectOption('Titular')
        await press(page, 'Enviar la invitación')
        await page.getByRole('alert').waitFor()
        await assertAccessible(page)
        await fill(page, { Correo: 'eva@equipo.test' })
        await press(page, 'Enviar la invitación')
        await waitForNotice(page, 'Le enviamos un correo')
        await press(page, 'Retirar la invitación a eva@equipo.test')
        await waitForNotice(page, 'Se retiró la invitación')
        assert.equal(await page.getByText('eva@equipo.test').count(), 0)
        await follow(page, 'Quitar a Luis Gil')
        await isTitled(page, '¿Quitar a Luis Gil del equipo?')
        await press(page, 'Sí, quitar')
        await waitForNotice(page, 'Se quitó a esa persona: ya no ve la app')
        assert.equal(await page.getByText('Luis Gil').count(), 0)
      })
    })
  })
})
