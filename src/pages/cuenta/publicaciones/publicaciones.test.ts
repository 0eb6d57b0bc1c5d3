import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { eventsOf } from '../../../../tests/support/agencia.ts'
import { makeShop, type Shop } from '../../../../tests/support/listing.ts'
import { download, search, waitForNotice, withPages } from '../../../../tests/support/pages.ts'
import type { TestApp } from '../../../../tests/support/server.ts'
import { makeAccount, type Visitor, visitor } from '../../../../tests/support/visitor.ts'

const LIST = '/cuenta/publicaciones'

describe('/cuenta/publicaciones', () => {
  const { server, onPage } = withPages()
  let app: TestApp
  let shop: Shop
  let ana: Visitor
  before(async () => {
    app = await server.newApp({ nombre: 'Gestor Norte' })
    shop = await makeShop(server, app)
    ana = await visitor(server).enter(shop.mail)
  })

  let made = 0
  const publish = async (more: object = {}) => (await shop.post({ ExternalId: `P-${++made}`, ...more })).json
  const toldOf = async (externalId: string) =>
    (await eventsOf(server, app.app, shop.agencia.id))
      .filter(({ ExternalId }) => ExternalId === externalId)
      .map(({ Topic, Por }) => `${Topic} ${Por}`)

  it('200: what apps offer in the agency’s name, and by whom; the account leads here', async () => {
    const { Aviso } = await publish()
    assert.match((await ana.get('/cuenta')).text, /href="\/cuenta\/publicaciones"/)
    const { status, text } = await ana.get(LIST)
    assert.equal(status, 200)
    for (const words of [`href="/aviso/${Aviso}"`, 'Gestor Norte', '18.500.000', 'Se muestra'])
      assert.ok(text.includes(words), words)
  })

  it('200: by words and by whether it is shown, and the same as a file for a spreadsheet', async () => {
    const [shown, hidden] = [
      await publish({ RefStock: 'ZX-900' }),
      await publish({ RefStock: 'ZX-901', Activa: false }),
    ]
    const avisosIn = (text: string) => [...text.matchAll(/publicaciones\/(\d+)\/terminar/g)].map(([, id]) => Number(id))
    const found = async (query: string) => avisosIn((await ana.get(`${LIST}?${query}`)).text)
    assert.deepEqual(await found('q=CRONOS+zx-90'), [hidden.Aviso, shown.Aviso])
    assert.deepEqual(await found('q=zx-90&estado=Suspendida'), [hidden.Aviso])
    assert.deepEqual(await found('q=zx-90&estado=Activa'), [shown.Aviso])
    assert.deepEqual(await found('q=zx-90&estado=nada'), [hidden.Aviso, shown.Aviso])
    assert.match((await ana.get(`${LIST}?q=nobody`)).text, /No hay avisos con esos filtros/)
    const { headers, text } = await ana.get(`${LIST}?q=zx-90&formato=csv`)
    assert.match(headers['content-disposition'] ?? '', /avisos-\d{4}-\d\d-\d\d\.csv/)
    const lines = text.trim().split('\r\n')
    assert.equal(lines.length, 3)
    assert.ok(
      lines[1]?.startsWith(`"${hidden.Aviso}";"Fiat";"Cronos";`) && lines[1].includes('"No";"Lo suspendió la app";'),
    )
    assert.ok(lines[2]?.includes('"ARS";"18500000";"Sí";"";"Alta";"Gestor Norte";'), lines[2])
  })

  it('303: hidden by the agency only the agency shows it again; the app is notified and refused', async () => {
    const { Aviso, ExternalId } = await publish()
    const hidden = await ana.post(`${LIST}/${Aviso}/ocultar`)
    assert.deepEqual([hidden.status, hidden.headers.location], [303, LIST])
    assert.match((await ana.get(LIST)).text, /Lo pausó la agencia/)
    const { json } = await shop.get(ExternalId)
    assert.deepEqual([json.Estado, json.Suspension.Por], ['Suspendida', 'agencia'])
    assert.equal((await shop.put(ExternalId, { Activa: true })).status, 403)
    await ana.post(`${LIST}/${Aviso}/mostrar`)
    assert.equal((await shop.get(ExternalId)).json.Estado, 'Activa')
    assert.deepEqual(await toldOf(ExternalId), ['publicacion.suspendida agencia', 'publicacion.activada agencia'])
  })

  it('303: pausing and resuming keep the filters and the page of the list', async () => {
    const { Aviso } = await publish({ RefStock: 'KEEP-1' })
    for (const [estado, verb] of [
      ['Activa', 'ocultar'],
      ['Suspendida', 'mostrar'],
    ] as const) {
      const list = `${LIST}?q=keep-1&estado=${estado}&pagina=1`
      const { text } = await ana.get(list)
      const [, action = ''] = new RegExp(`action="([^"]+/${Aviso}/${verb}[^"]*)"`).exec(text) ?? []
      assert.equal((await ana.post(action.replaceAll('&amp;', '&'))).headers.location, list)
    }
  })

  it('303: ended after being promises once more; the app is told', async () => {
    const { Aviso, ExternalId } = await publish()
    assert.match((await ana.get(`${LIST}/${Aviso}/terminar`)).text, /¿Finalizar el aviso de Fiat Cronos .*\(\S+\)\?/)
    assert.equal((await shop.get(ExternalId)).json.Estado, 'Activa', 'asking ends nothing')
    assert.equal((await ana.post(`${LIST}/${Aviso}/terminar`)).status, 303)
    assert.equal((await shop.get(ExternalId)).json.Estado, 'Archivada')
    assert.deepEqual(await toldOf(ExternalId), ['publicacion.archivada agencia'])
    assert.equal((await ana.get(`${LIST}/${Aviso}/terminar`)).status, 404)
    assert.equal((await ana.post(`${LIST}/${Aviso}/terminar`)).status, 409)
  })

  it('200: the question before the end promises only what will happen', async () => {
    const leaving = await server.newApp()
    const left = await makeShop(server, leaving)
    const owner = await visitor(server).enter(left.mail)
    const { Aviso } = (await left.post({})).json
    const promises = async () => {
      const { text } = await owner.get(`${LIST}/${Aviso}/terminar`)
      return ['Queda libre su lugar', 'Le avisamos a la app'].filter((promise) => text.includes(promise))
    }
    assert.deepEqual(await promises(), ['Queda libre su lugar', 'Le avisamos a la app'])
    await owner.post(`${LIST}/${Aviso}/ocultar`)
    assert.deepEqual(await promises(), ['Le avisamos a la app'])
    await owner.post(`/cuenta/apps/${leaving.app.appKey}/terminar`)
    assert.deepEqual(await promises(), [])
    assert.equal((await owner.post(`/conectar/${leaving.app.appKey}`)).status, 303)
    assert.deepEqual(await promises(), ['Le avisamos a la app'])
  })

  it('200: after the app was connected again, the reason of its hidden listings is still true', async () => {
    const returning = await server.newApp()
    const back = await makeShop(server, returning)
    const owner = await visitor(server).enter(back.mail)
    await back.post({})
    await owner.post(`/cuenta/apps/${returning.app.appKey}/terminar`)
    assert.equal((await owner.post(`/conectar/${returning.app.appKey}`)).status, 303)
    const { text } = await owner.get(LIST)
    assert.match(
      text,
      /Se suspendió al terminar la asociación con la app: solo la app puede volver a mostrarlo, y para eso debe estar asociada\./,
    )
    assert.doesNotMatch(text, /ya no trabaja/)
  })

  it('404: another agency’s listing, as if it were not there', async () => {
    const other = await makeShop(server, app)
    const { Aviso } = (await other.post({})).json
    for (const verb of ['ocultar', 'mostrar', 'terminar'])
      assert.equal((await ana.post(`${LIST}/${Aviso}/${verb}`)).status, 404)
    assert.equal((await ana.get(`${LIST}/${Aviso}/terminar`)).status, 404)
    assert.equal((await ana.get(`${LIST}?agencia=${other.agencia.id}`)).status, 404)
    assert.equal((await other.get('AB-1023')).json.Estado, 'Activa')
  })

  it('403: who only collaborates sees what they answer for, and decides nothing', async () => {
    const email = 'beto-avisos@agencia.test'
    const { id } = await makeAccount(server, { email })
    await server.store.query(
      sql`insert into operadores (agencia_id, account_id, rol) values (${shop.agencia.id}, ${id}, 'vendedor')`,
    )
    const beto = await visitor(server).enter(email)
    assert.match((await beto.get(LIST)).text, /No hay avisos a su cargo/)
    const mine = await publish({ OperadorResponsable: email })
    const { text } = await beto.get(LIST)
    assert.ok(text.includes(mine.ExternalId) && !text.includes('>P-1<') && !text.includes('ocultar'))
    assert.equal((await beto.post(`${LIST}/${mine.Aviso}/ocultar`)).status, 403)
  })

  it('in a browser: a car is found, hidden, shown again and ended, and the list is downloaded', async () => {
    await publish({ RefStock: 'NAV-1', Marca: 'Renault', Modelo: 'Kangoo', Version: null })
    await onPage('cuenta-avisos', { as: ana }, async (page) => {
      await page.goto(LIST)
      await search(page, { Buscar: 'nada así' })
      await page.getByText('No hay avisos con esos filtros').waitFor()
      await search(page, { Buscar: 'nav-1' })
      assert.equal((await download(page, 'Descargar CSV')).lines.length, 2)

      await page.getByRole('button', { name: 'Pausar Renault Kangoo' }).click()
      await waitForNotice(page, 'Se pausó el aviso')
      await page.getByRole('button', { name: 'Volver a mostrar Renault Kangoo' }).click()
      await waitForNotice(page, 'El aviso vuelve a mostrarse')
      await page.getByRole('button', { name: 'Pausar Renault Kangoo' }).waitFor()
      await page.getByRole('link', { name: 'Finalizar Renault Kangoo' }).click()
      await page.getByRole('link', { name: 'No, volver' }).click()
      await page.waitForURL(/publicaciones\?q=nav-1$/)
      await page.getByRole('link', { name: 'Finalizar Renault Kangoo' }).click()
      await page.getByRole('button', { name: 'Sí, finalizar' }).click()
      await waitForNotice(page, 'Se finalizó el aviso')
      assert.match(page.url(), /publicaciones\?q=nav-1$/)
      assert.equal(await page.getByRole('heading', { name: 'Renault Kangoo' }).count(), 0)
    })
  })
})
