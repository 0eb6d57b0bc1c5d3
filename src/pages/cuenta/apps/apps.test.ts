import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, newMail } from '../../../../tests/support/agencia.ts'
import { makeShop } from '../../../../tests/support/listing.ts'
import { isTitled, press, waitForNotice, withPages } from '../../../../tests/support/pages.ts'
import type { TestApp } from '../../../../tests/support/server.ts'
import { until } from '../../../../tests/support/until.ts'
import { makeAccount, visitor } from '../../../../tests/support/visitor.ts'
import { changePermisos, connect } from '../../../resources/agencias/associations.ts'
import { MAX_NOTIFIED } from '../../../resources/agencias/figures.ts'
import { ulid } from '../../../ulid.ts'

describe('/cuenta/apps', () => {
  const { server, onPage } = withPages()
  let reader: TestApp
  let silent: TestApp
  before(async () => {
    ;[reader, silent] = [await server.newApp({ nombre: 'Lectora' }), await server.newApp({ nombre: 'Callada' })]
  })

  /** What the page says of one app. */
  const cardOf = (text: string, nombre: string) =>
    text.split('<li class="card">').find((card) => card.includes(`<h2>${nombre}</h2>`)) ?? ''

  it('200: what each app has really read of the agency and was told of, and what it has not', async () => {
    const shop = await makeShop(server, reader)
    const nothing = { editar: false, consultasDeCatalogo: false, consultasDeOtros: false }
    await connect(depsOf(server), silent.app, shop.agencia, nothing)
    const sitio = await server.newSitio()
    const { json: listing } = await shop.post({})
    for (const Nombre of ['Ana', 'Eva'])
      await sitio.call('POST', '/interno/v1/consultas', {
        body: JSON.stringify({
          Aviso: listing.Aviso,
          OrigenLead: 'form',
          Interesado: { Nombre, Email: `${Nombre}@correo.test` },
        }),
      })
    for (let i = 0; i < 3; i++) assert.equal((await reader.get(`/v3/agencias/${shop.mail}`)).status, 200)
    assert.equal((await reader.get(`/v3/consultas/${shop.mail}`)).json.Total, 2)

    const administrator = await visitor(server).enter(shop.mail)
    const counted = ['Leyó los datos de la agencia 3 veces.', 'Leyó consultas una vez.', 'la última lectura, hoy']
    const text = await until(async () => {
      await server.usage.flush() // what counts an answer comes after the answer
      const { text: shown } = await administrator.get('/cuenta/apps')
      return counted.every((words) => cardOf(shown, 'Lectora').includes(words)) && shown
    })
    assert.match(cardOf(text, 'Lectora'), /La app puede leer 2 consultas; no le llegaron notificaciones/)
    const unread = cardOf(text, 'Callada')
    assert.match(unread, /No leyó nada en los últimos 30 días/)
    assert.match(unread, /No permitido: <\/span>Ver las consultas de catálogo/)
  })

  it('200: an inquiry that arrived at another webhook of the topic than the first has arrived', async () => {
    const several = await server.newApp({ nombre: 'Varios destinos' })
    const shop = await makeShop(server, several)
    const [elsewhere, both, nowhere] = [ulid(Date.now()), ulid(Date.now()), ulid(Date.now())]
    await server.store.query(sql`
      insert into events (id, app_id, agencia_id, topic, payload)
      select id, ${several.app.id}::int, ${shop.agencia.id}::int, 'consulta.recibida', '{}'
      from unnest(${[elsewhere, both, nowhere]}::text[]) id`)
    await server.store.query(sql`
      insert into deliveries (id, app_id, estado)
      select id, ${several.app.id}::int, estado
      from unnest(${[`${elsewhere}-2`, both, `${both}-2`, nowhere]}::text[],
                  ${['entregada', 'entregada', 'entregada', 'descartada']}::text[]) as delivery (id, estado)`)
    const { text } = await (await visitor(server).enter(shop.mail)).get('/cuenta/apps')
    assert.match(cardOf(text, 'Varios destinos'), /A la app le avisamos de 3 consultas; le llegaron 2\./)
  })

  it('200: of an app that is told all day the last thousand are counted, and it is said that there were more', async () => {
    const busy = await server.newApp({ nombre: 'Ocupada' })
    const shop = await makeShop(server, busy)
    const ids = Array.from({ length: MAX_NOTIFIED + 5 }, () => ulid(Date.now()))
    await server.store.query(sql`
      insert into events (id, app_id, agencia_id, topic, payload)
      select id, ${busy.app.id}::int, ${shop.agencia.id}::int, 'consulta.recibida', '{}' from unnest(${ids}::text[]) id`)
    const { text } = await (await visitor(server).enter(shop.mail)).get('/cuenta/apps')
    assert.match(cardOf(text, 'Ocupada'), /La app puede leer más de 1\.000 consultas; de las últimas/)
  })

  it('404: permissions of an association that ended meanwhile are not changed, and none begins anew', async () => {
    const watcher = await server.newApp({ nombre: 'Mirona' })
    const shop = await makeShop(server, watcher)
    await server.store.query(sql`update asociaciones set ended_at = now() where app_id = ${watcher.app.id}`)
    const everything = { editar: false, consultasDeCatalogo: true, consultasDeOtros: true }
    await assert.rejects(changePermisos(server.store, watcher.app, shop.agencia, everything), { status: 404 })
  })

  it('in a browser: an association is ended after a question, and the app sees nothing any more', async () => {
    const shop = await makeShop(server, reader)
    await onPage('cuenta-apps', { as: await visitor(server).enter(shop.mail) }, async (page) => {
      await page.goto('/cuenta/apps')
      await page.getByRole('link', { name: 'Terminar la asociación con Lectora' }).click()
      await isTitled(page, /Lectora/)
      await press(page, 'Sí, terminar')
      await waitForNotice(page, 'Se terminó la asociación')
      await page.getByText('Ninguna app trabaja hoy con la agencia').waitFor()
    })
    assert.equal((await reader.get(`/v3/agencias/${shop.mail}`)).status, 404)
    const seller = await makeAccount(server, { email: newMail('vende') })
    await server.store.query(sql`insert into operadores values (${shop.agencia.id}, ${seller.id}, 'vendedor')`)
    const { text } = await (await visitor(server).enter(seller.email)).get('/cuenta/apps')
    assert.match(text, /Solo quien administra la agencia puede asociar una/)
    assert.doesNotMatch(text, /use el enlace/)
  })
})
