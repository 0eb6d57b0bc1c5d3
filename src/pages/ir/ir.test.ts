import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { insertConsulta } from '../../../tests/support/consulta.ts'
import { eventOf } from '../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { makeShop } from '../../../tests/support/listing.ts'
import { withPages } from '../../../tests/support/pages.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { type Visitor, visitor } from '../../../tests/support/visitor.ts'
import { insertEvents } from '../../webhooks/events.ts'

describe('going anywhere', () => {
  const { server } = withPages()

  const hits = async (who: Visitor, q: string, en = '') => {
    const { headers } = await who.post('/filtrar', { lista: '/ir', q, en })
    const { location = '' } = headers
    assert.ok(!decodeURIComponent(location).includes('@'), location)
    const { status, text } = await who.get(location, { 'hx-request': 'true' })
    assert.equal(status, 200)
    return [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)
  }

  it('200: the staff finds pages, inquiries, listings, agencies, apps, events and deliveries', async () => {
    const { visitor: staff } = await makeStaff(server)
    const app = await server.newApp({ nombre: 'Buscada' })
    const shop = await makeShop(server, app)
    await shop.post({ ExternalId: 'IR-7' })
    const { sid } = await insertConsulta(server.store, { agencia: shop.agencia, fuente: app.app })
    const event = eventOf(app.app.id, 'consulta.recibida')
    await server.store.transaction((tx) => insertEvents(tx, [event]))
    assert.deepEqual(await hits(staff, 'auditor'), ['/consola/auditoria'])
    assert.deepEqual(await hits(staff, sid.toLowerCase()), [`/consola/consultas/${sid}`])
    assert.deepEqual(await hits(staff, event.id), [`/consola/entregas/${event.id}`])
    assert.deepEqual(await hits(staff, `${event.id}-2`), [`/consola/entregas/${event.id}-2`])
    assert.deepEqual(await hits(staff, 'buscad'), [`/consola/apps/${app.app.appKey}`])
    assert.deepEqual(await hits(staff, app.app.appKey), [`/consola/apps/${app.app.appKey}`])
    assert.match((await hits(staff, 'ir-7')).join(), /^\/consola\/publicaciones\/\d+$/)
    assert.deepEqual(await hits(staff, shop.mail), [`/consola/agencias/${shop.agencia.id}`])
    assert.equal((await hits(staff, '', '/consola/apps'))[0], '/consola')
    assert.deepEqual(await hits(staff, 'no hay nada así'), [])
  })

  it('200: a developer finds what is of their app; people of an agency what is of theirs', async () => {
    const app = await server.newApp({ nombre: 'Propia' })
    const { agencia, mail } = await makeAgencia(depsOf(server), app.app, { Nombre: 'Del Monte' })
    const { sid } = await insertConsulta(server.store, { agencia, fuente: app.app })
    const event = eventOf(app.app.id, 'consulta.recibida', { agenciaId: agencia.id, sid })
    await server.store.transaction((tx) => insertEvents(tx, [event]))
    const { visitor: dana } = await makeDeveloper(server, app)
    const { visitor: stranger } = await makeDeveloper(server, await server.newApp())
    const path = `/portal/${app.app.appKey}`
    assert.deepEqual(await hits(dana, event.id), [`${path}/eventos/${event.id}`])
    assert.deepEqual(await hits(dana, sid), [`${path}/entregas?q=${sid}`])
    assert.deepEqual(await hits(dana, 'monte'), [`${path}/entregas?q=Del%20Monte`])
    assert.deepEqual(await hits(dana, 'claves'), [`${path}/claves`])
    for (const q of [event.id, sid, 'monte', mail]) assert.deepEqual(await hits(stranger, q), [], q)

    const ana = await visitor(server).enter(mail)
    assert.deepEqual(await hits(ana, sid), [`/cuenta/consultas/${sid}`])
    assert.deepEqual(await hits(ana, event.id), [])
    assert.deepEqual(await hits(ana, 'sucurs'), ['/cuenta/sucursales'])
  })
})
