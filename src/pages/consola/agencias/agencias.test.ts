import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, eventsOf, type FORM, makeAgencia, newMail } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { makeShop } from '../../../../tests/support/listing.ts'
import { download, follow, isTitled, press, search, waitForNotice, withPages } from '../../../../tests/support/pages.ts'
import type { TestApp } from '../../../../tests/support/server.ts'
import { type MadeStaff, makeStaff } from '../../../../tests/support/staff.ts'
import { makeAccount, visitor } from '../../../../tests/support/visitor.ts'
import { disableApp } from '../../../apps/store.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { invite } from '../../../resources/agencias/invite.ts'

const PACKAGE = { Nombre: 'Plan 50', Desde: '2020-01-01', Hasta: '2049-12-31', Alta: '1', Media: '0', Baja: '2' }

describe('agencies in the console', () => {
  const { server, onPage } = withPages({ env: { INVITES_PER_DAY: '100' } })
  let staff: MadeStaff
  let app: TestApp
  before(async () => {
    staff = await makeStaff(server)
    app = await server.newApp({ nombre: 'Gestión Sur' })
  })

  const make = (more: Partial<typeof FORM> & { mail?: string } = {}, by = app) =>
    makeAgencia(depsOf(server), by.app, more)
  const at = ({ id }: Pick<Agencia, 'id'>, more = '') => `/consola/agencias/${id}${more}`
  const lastAct = async () =>
    (
      await server.store.query<{ act: string; subject: string }>(
        sql`select act, subject from audit_log where via = 'consola' order by id desc limit 1`,
      )
    )[0]

  it('200: found by words of name, mail, CUIT and city, in any order; by mode, package and app; and as CSV', async () => {
    const { agencia, mail } = await make({ Nombre: 'Ñandú Automóviles', mail: 'nandu@corrales.test' })
    await make({ Nombre: 'Otra casa' })
    await server.store.query(sql`update agencias set id_fiscal = '30-50001091-2' where id = ${agencia.id}`)
    const finds = async (query: string) => (await staff.visitor.get(`/consola/agencias?${query}`)).text.includes(mail)
    for (const q of ['ñandu', 'AUTOMOVILES temperley', 'corrales.test', '30500010912', '30-50001091-2', '5000109'])
      assert.ok(await finds(`q=${encodeURIComponent(q)}`), q)
    assert.ok(await finds(`app=${app.app.appKey}&modo=produccion&paquete=sin-contratar`))
    const other = await server.newApp()
    for (const query of [
      'q=ñandu+inexistente',
      'modo=prueba',
      'paquete=vigente',
      `app=${other.app.appKey}`,
      'app=nada',
    ])
      assert.ok(!(await finds(query)), query)
    assert.ok(!(await finds('q=100%25')), 'signs of patterns are plain text')

    const csv = await staff.visitor.get('/consola/agencias?q=corrales&formato=csv')
    assert.match(
      csv.text,
      /"nandu@corrales\.test";"Ñandú Automóviles";"Temperley, Buenos Aires";"30-50001091-2";"produccion";/,
    )
    assert.deepEqual(await lastAct(), { act: 'agencias.listar', subject: '' }, 'not what was typed')
  })

  it('200: a long list is turned page by page, there and back', async () => {
    const busy = await server.newApp()
    for (let count = 0; count < 27; count++) {
      await server.store.query(sql`
        with made as (
          insert into agencias (modo, admin_mail, nombre) values ('produccion', ${newMail('pila')}, ${`Pila ${count}.`}) returning id)
        insert into asociaciones (app_id, agencia_id) select ${busy.app.id}, id from made`)
    }
    const list = `/consola/agencias?app=${busy.app.appKey}`
    const names = (text: string) => [...text.matchAll(/Pila (\d+)\./g)].map(([, number]) => Number(number))
    const ways = (text: string) =>
      [...text.matchAll(/class="button secondary" href="([^"]+(?:antes|despues)=[^"]+)"/g)].map(([, href = '']) =>
        href.replaceAll('&amp;', '&'),
      )
    const first = (await staff.visitor.get(list)).text
    assert.deepEqual([names(first)[0], names(first).length, ways(first).length], [26, 25, 1])
    const second = (await staff.visitor.get(ways(first)[0] ?? '')).text
    assert.deepEqual(names(second), [1, 0])
    assert.equal(ways(second).length, 1)
    assert.deepEqual(names((await staff.visitor.get(ways(second)[0] ?? '')).text), names(first))
  })

  it('200: one agency shows its data, people, apps, invitations and changes; reading it is in the audit log', async () => {
    const { agencia, mail } = await make({ Nombre: 'La del Puerto' })
    await app.call('PUT', `/v3/agencias/${mail}`, { body: JSON.stringify({ Nombre: 'La del Puerto Nuevo' }) })
    const { status, text } = await staff.visitor.get(at(agencia))
    assert.equal(status, 200)
    for (const shown of [mail, 'Ana Paz', 'Gestión Sur', 'aceptada', '<del>La del Puerto</del>', 'No tiene un paquete'])
      assert.ok(text.includes(shown), shown)
    assert.deepEqual(await lastAct(), { act: 'agencia.leer', subject: mail })
  })

  it('303: what an agency shows follows its package at once, and the app is notified; 400 says what is wrong', async () => {
    const shop = await makeShop(server, app)
    await shop.post({ ExternalId: 'uno' })
    await shop.post({ ExternalId: 'dos' })
    assert.match((await staff.visitor.get(at(shop.agencia, '/paquete'))).text, /Exposición alta/)
    const wrong = await staff.visitor.post(at(shop.agencia, '/paquete'), {
      Nombre: '',
      Desde: '2026-02-30',
      Hasta: 'x',
      Alta: '-1',
      Media: 'dos',
      Baja: '',
    })
    assert.equal(wrong.status, 400)
    for (const fault of [
      'Falta el nombre.',
      'Elija un día.',
      'Exposición alta: Debe ser un número entre 0 y 1.000.000.',
    ])
      assert.ok(wrong.text.includes(fault), fault)
    const inverted = { ...PACKAGE, Desde: '2026-03-02', Hasta: '2026-03-01' }
    assert.match((await staff.visitor.post(at(shop.agencia, '/paquete'), inverted)).text, /Termina antes de empezar\./)

    const contract = (form: Record<string, string>) => staff.visitor.post(at(shop.agencia, '/paquete'), form)
    assert.equal((await contract({ ...PACKAGE, Baja: '0' })).status, 303)
    assert.equal((await shop.get('dos')).json.Estado, 'Suspendida')
    assert.equal((await contract({ ...PACKAGE, ConsultasDeCatalogo: 'si' })).status, 303)
    assert.equal((await shop.get('dos')).json.Estado, 'Activa')
    const productos = await shop.productos()
    assert.deepEqual([productos.Paquete.Nombre, productos.ConsultasDeCatalogo], ['Plan 50', true])
    const events = await eventsOf(server, app.app, shop.agencia.id)
    const topics = events.map(({ Topic }) => Topic).filter((topic) => topic.startsWith('publicacion.'))
    assert.deepEqual(topics, ['publicacion.suspendida', 'publicacion.activada'])
  })

  it('409: a package that a colleague contracted meanwhile is shown beside what was typed, and stays', async () => {
    const { agencia } = await make()
    const path = at(agencia, '/paquete')
    const versionOf = (text: string) => /name="Version" value="([\w-]+)"/.exec(text)?.[1] ?? ''
    const Version = versionOf((await staff.visitor.get(path)).text)
    const answers = await Promise.all(
      ['Plan 10', 'Plan 20'].map((Nombre) => staff.visitor.post(path, { ...PACKAGE, Nombre, Version })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409], 'also at the same moment')
    const late = await staff.visitor.post(path, { ...PACKAGE, Nombre: 'Plan 30', ConsultasDeCatalogo: 'si', Version })
    assert.equal(late.status, 409)
    assert.match(late.text, /Ahora dice: Plan [12]0/)
    assert.match(late.text, /Ahora no está marcado/)
    assert.match(late.text, /value="Plan 30"/)
    const wrong = await staff.visitor.post(path, { ...PACKAGE, Nombre: '', Version })
    assert.equal(versionOf(wrong.text), Version, 'a refused form is as old as before')
    const again = { ...PACKAGE, Nombre: 'Plan 30', Version: versionOf(late.text) }
    assert.equal((await staff.visitor.post(path, again)).status, 303)
    assert.equal((await staff.visitor.post(path, again)).status, 303, 'sent twice')
    assert.match((await staff.visitor.get(path)).text, /value="Plan 30"/)
  })

  it('303: staff associates an app with what it may do, changes that, and ends it; the app is notified', async () => {
    const { agencia } = await make()
    const other = await server.newApp({ nombre: 'La segunda' })
    const form = { App: other.app.appKey, consultasDeCatalogo: 'si' }
    assert.equal((await staff.visitor.post(at(agencia, '/apps'), form)).status, 303)
    assert.equal((await other.get(`/v3/agencias/${agencia.adminMail}`)).status, 200)
    assert.equal((await staff.visitor.post(at(agencia, '/apps'), form)).status, 409, 'it works with it already')

    const path = at(agencia, `/apps/${other.app.appKey}`)
    assert.equal((await staff.visitor.post(path, { editar: 'si' })).status, 303)
    const body = JSON.stringify({ Nombre: 'Editada' })
    assert.equal((await other.call('PUT', `/v3/agencias/${agencia.adminMail}`, { body })).status, 200)

    assert.match((await staff.visitor.get(`${path}/terminar`)).text, /¿Terminar la asociación con La segunda\?/)
    assert.equal((await staff.visitor.post(`${path}/terminar`)).status, 303)
    assert.equal((await other.get(`/v3/agencias/${agencia.adminMail}`)).status, 404)
    const [event] = await eventsOf(server, other.app, agencia.id)
    assert.deepEqual([event.Topic, event.Por], ['agencia.desasociada', 'mercado'])
    const email = (await server.emails(agencia.adminMail))[0]
    assert.match(email?.text ?? '', /El equipo de Rodado terminó la asociación/)
    assert.equal((await staff.visitor.post(`${path}/terminar`)).status, 404)
  })

  it('409: an app of the other mode, or a disabled one, is not associated', async () => {
    const { agencia } = await make()
    const test = await server.newApp({ modo: 'prueba' })
    assert.equal((await staff.visitor.post(at(agencia, '/apps'), { App: test.app.appKey })).status, 409)
    assert.equal((await staff.visitor.post(at(agencia, '/apps'), { App: 'nada' })).status, 409)
    const disabled = await server.newApp()
    await disableApp(server.store, disabled.app.appKey, true)
    const refused = await staff.visitor.post(at(agencia, '/apps'), { App: disabled.app.appKey })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Elija una app habilitada/)
  })

  it('200: an agency without apps can be associated with one, where there is one', async () => {
    const test = await server.newApp({ modo: 'prueba' })
    const { agencia } = await make({}, test)
    await staff.visitor.post(at(agencia, `/apps/${test.app.appKey}/terminar`))
    assert.match((await staff.visitor.get(at(agencia))).text, /Ninguna app trabaja con la agencia\. Si la agencia lo/)
    await server.store.query(sql`update apps set disabled_at = now() where modo = 'prueba'`)
    assert.match((await staff.visitor.get(at(agencia))).text, /Ninguna app trabaja con la agencia\. <\/p>/)
    await server.store.query(sql`update apps set disabled_at = null where modo = 'prueba'`)
  })

  it('303: an invitation is sent again with a new link, and revoked; 409 where the address has had enough', async () => {
    const mail = await invite(depsOf(server), app.app, { AdminMail: newMail('pendiente'), Nombre: 'Por venir' })
    const [row] = await server.store.query<{ id: number }>(sql`select id from invitaciones where admin_mail = ${mail}`)
    const path = `/consola/agencias/invitaciones/${row?.id}`
    const tokens = async () =>
      (await server.emails(mail)).map(({ text }) => /\/registro\/([\w-]{43})/.exec(text)?.[1] ?? '')
    const [old = ''] = await tokens()
    const list = await staff.visitor.get('/consola/agencias/invitaciones?estado=pendiente&mail=PENDIENTE')
    assert.ok(list.text.includes(mail))
    assert.match(list.text, /<option value="pendiente" selected(="")?>Pendiente</)
    assert.deepEqual(await lastAct(), { act: 'invitaciones.listar', subject: '' }, 'not what was typed')

    const again = await staff.visitor.post(`${path}/reenviar`, { Volver: 'https://otro.example' })
    assert.deepEqual([again.status, again.headers.location], [303, '/consola/agencias/invitaciones'])
    const [fresh = ''] = await tokens()
    assert.notEqual(fresh, old)
    assert.equal((await visitor(server).get(`/registro/${old}`)).status, 404)
    assert.equal((await visitor(server).get(`/registro/${fresh}`)).status, 200)

    await staff.visitor.post(`${path}/reenviar`)
    await staff.visitor.post(`${path}/reenviar`)
    const enough = await staff.visitor.post(`${path}/reenviar`)
    assert.equal(enough.status, 409)
    assert.match(enough.text, /ya recibió 3 invitaciones/)

    assert.equal((await staff.visitor.post(`${path}/revocar`)).status, 303)
    assert.equal((await app.get(`/v3/agencias/${mail}`)).json.Invitacion.Estado, 'revocada')
    assert.equal((await staff.visitor.post(`${path}/revocar`)).status, 404)
    assert.equal((await staff.visitor.post(`${path}/reenviar`)).status, 404)
    const csv = await staff.visitor.get(
      `/consola/agencias/invitaciones?app=${app.app.appKey}&estado=revocada&formato=csv`,
    )
    assert.ok(csv.text.includes(`"${mail}";"Gestión Sur";"revocada"`))
  })

  it('303: another person is invited to administer it, and a collaborator is removed', async () => {
    const { agencia, mail } = await make()
    const next = newMail('heredera')
    assert.equal((await staff.visitor.post(at(agencia, '/administrador'), { Email: 'nadie' })).status, 400)
    assert.match((await staff.visitor.post(at(agencia, '/administrador'), { Email: mail })).text, /ya administra/)
    assert.equal((await staff.visitor.post(at(agencia, '/administrador'), { Email: next })).status, 303)
    const [email] = await server.emails(next)
    const link = /\/colaborar\/[\w-]{43}/.exec(email?.text ?? '')?.[0] ?? assert.fail()
    const invited = await server.store.query<{ id: number }>(sql`select id from accounts where email = ${next}`)
    const withdrawal = at(agencia, `/personas/${invited[0]?.id}/retirar`)
    assert.equal((await visitor(server).get(link)).status, 200)
    assert.equal((await staff.visitor.post(withdrawal)).status, 303)
    assert.equal((await staff.visitor.post(withdrawal)).status, 404)
    assert.equal((await visitor(server).get(link)).status, 410)

    const { account } = await make({}, app)
    await server.store.query(sql`
      insert into operadores (agencia_id, account_id, rol) values (${agencia.id}, ${account.id}, 'vendedor')`)
    const path = at(agencia, `/personas/${account.id}/quitar`)
    assert.equal((await staff.visitor.get(path)).status, 200)
    assert.equal((await staff.visitor.post(path)).status, 303)
    assert.equal((await staff.visitor.post(path)).status, 404)
    const [administrator] = agencia.operadores
    assert.equal((await staff.visitor.post(at(agencia, `/personas/${administrator?.accountId}/quitar`))).status, 404)
  })

  it('404: an agency that does not exist; and everything, for people who are not staff', async () => {
    const { agencia, mail } = await make()
    for (const path of ['/consola/agencias/999999', '/consola/agencias/uno', '/consola/agencias/999999/paquete'])
      assert.equal((await staff.visitor.get(path)).status, 404, path)
    const administrator = await visitor(server).enter(mail)
    const developer = await makeDeveloper(server, app, { rol: 'titular' })
    for (const other of [administrator, developer.visitor]) {
      for (const path of ['/consola/agencias', at(agencia), at(agencia, '/paquete'), '/consola/agencias/invitaciones'])
        assert.equal((await other.get(path)).status, 404, path)
      for (const act of ['/paquete', '/apps', '/administrador', `/apps/${app.app.appKey}/terminar`])
        assert.equal((await other.post(at(agencia, act), PACKAGE)).status, 404, act)
    }
  })

  describe('in a browser', () => {
    it('one of the staff finds an agency, gives it a package, associates an app and ends it', async () => {
      await server.newApp({ nombre: 'App a pedido' })
      const { agencia } = await make({ Nombre: 'Del Navegador' })
      await onPage('console agencias', { as: staff.visitor }, async (page) => {
        await page.goto('/consola/agencias')
        await search(page, { Buscar: 'navegador' })
        await assertAccessible(page)
        assert.match((await download(page)).lines[1] ?? '', /"Del Navegador"/)
        await page.getByRole('link', { name: 'Del Navegador' }).click()
        await page.getByRole('heading', { name: 'Del Navegador', level: 1 }).waitFor()
        await assertAccessible(page)

        await page.getByRole('link', { name: 'Contratar un paquete' }).click()
        await assertAccessible(page)
        await page.getByLabel('Nombre').fill('Plan 20')
        await page.getByLabel('Exposición alta').fill('20')
        await page.getByRole('button', { name: 'Guardar el paquete' }).click()
        await page.getByText('Se guardó el paquete').waitFor()
        await page.getByText('Plan 20').waitFor()

        await page.getByText('Asociar una app').click()
        await page.getByLabel('App', { exact: true }).selectOption('App a pedido')
        await page.getByRole('checkbox', { name: 'Ver las consultas de catálogo' }).last().check()
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Asociar', exact: true }).click()
        await page.getByText('Se asoció la app a la agencia').waitFor()
        const card = page.getByRole('listitem').filter({ hasText: 'App a pedido' })
        await card.getByText('Cambiar lo que puede hacer').click()
        await card.getByLabel('Editar los datos de la agencia').check()
        await card.getByRole('button', { name: 'Guardar' }).click()
        await waitForNotice(page, 'Se guardó lo que la app puede hacer')
        await card
          .getByRole('listitem')
          .filter({ hasText: /^Editar los datos de la agencia/ })
          .waitFor()
        await page.getByRole('link', { name: 'Terminar la asociación con App a pedido' }).click()
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Sí, terminar' }).click()
        await page.getByText('Se terminó la asociación').waitFor()
        assert.equal(await card.count(), 0)

        await page.getByText('Cambiar el administrador').click()
        await page.getByLabel('Correo de la persona').fill('nadie')
        await page.getByRole('button', { name: 'Enviar el enlace' }).click()
        await page.getByRole('alert').waitFor()
        await page.getByLabel('Correo de la persona').fill('nueva@navegador.test')
        await page.getByRole('button', { name: 'Enviar el enlace' }).click()
        await page.getByText('Invitado a administrar la agencia').waitFor()
        assert.equal(new URL(page.url()).pathname, `/consola/agencias/${agencia.id}`)
        await follow(page, 'Retirar la invitación a nueva@navegador.test')
        await assertAccessible(page)
        await press(page, 'Sí, retirar')
        await waitForNotice(page, 'Se retiró la invitación')
        assert.equal(await page.getByText('Invitado a administrar la agencia').count(), 0)

        await page.getByRole('link', { name: 'Agencias' }).first().click()
        await page.getByRole('link', { name: 'Invitaciones' }).click()
        await page.getByRole('heading', { name: 'Invitaciones', level: 1 }).waitFor()
        await assertAccessible(page)
      })
    })

    it('one of the staff finds an invitation that lapsed, has it sent again and revokes it; and removes somebody of an agency', async () => {
      const [mail, { agencia }] = [newMail('pendiente'), await make({ Nombre: 'Con Vendedor' })]
      await invite(depsOf(server), app.app, { AdminMail: mail })
      await server.store.query(sql`update invitaciones set vence = now() where admin_mail = ${mail}`)
      const helper = await makeAccount(server, { email: newMail('vende'), nombre: 'Luis', apellido: 'Gil' })
      await server.store.query(sql`insert into operadores values (${agencia.id}, ${helper.id}, 'vendedor')`)
      await onPage('console invitaciones', { as: staff.visitor }, async (page) => {
        await page.goto('/consola/agencias/invitaciones')
        await search(page, { Correo: 'nadie@ninguna.test' })
        await page.getByText('No hay invitaciones con esos filtros').waitFor()
        await search(page, { Correo: mail })
        const { lines } = await download(page)
        assert.ok(lines.length === 2 && lines[1]?.includes(mail))
        const row = page.getByRole('row').filter({ hasText: mail })
        await row.getByText('vencida', { exact: true }).waitFor()
        await press(page, `Reenviar la invitación a ${mail}`)
        await waitForNotice(page, 'Se reenvió la invitación, con un enlace nuevo')
        assert.equal(await page.getByLabel('Correo').inputValue(), mail, 'the filters stay')
        await row.getByText('pendiente', { exact: true }).waitFor()
        await press(page, `Revocar la invitación a ${mail}`)
        await waitForNotice(page, 'Se revocó la invitación')
        await row.getByText('revocada', { exact: true }).waitFor()

        await page.goto(at(agencia))
        await follow(page, 'Quitar a Luis Gil')
        await isTitled(page, /Luis Gil/)
        await assertAccessible(page)
        await press(page, 'Sí, quitar')
        await waitForNotice(page, 'Se quitó a esa persona de la agencia')
        assert.equal(await page.getByText('Luis Gil').count(), 0)
      })
    })
  })
})
