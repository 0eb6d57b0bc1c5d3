import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { insertEvents } from '../../src/webhooks/events.ts'
import { startServer } from '../secrets/watched.ts'
import { eventOf, LOOPBACK, makeDue } from '../support/deliveries.ts'
import { openReceiver, type Received, type Receiver } from '../support/receiver.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const TOPIC = 'consulta.recibida'
const DESTINOS = `/v3/appnotificaciones/${TOPIC}/destinos`
const [ANA, BEA] = [1, 2]

describe('story: several endpoints of one topic', () => {
  let server: TestServer
  let receiver: Receiver
  let app: TestApp
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ env: LOOPBACK, worker: {} })
  })
  afterEach(() => {
    receiver.release()
    receiver.received.length = 0
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })

  async function endpoint(path: string, more = {}) {
    const { status, json, text } = await app.call('POST', DESTINOS, {
      body: JSON.stringify({ Callback: receiver.url + path, ...more }),
    })
    assert.equal(status, 201, text)
    return json
  }
  /** Each in a transaction of its own: the order of the feed. */
  async function publish(...agencias: number[]): Promise<string[]> {
    const ids: string[] = []
    for (const agenciaId of agencias) {
      const event = eventOf(app.app.id, TOPIC, { agenciaId })
      await server.store.transaction((tx) => insertEvents(tx, [event]))
      ids.push(event.id)
    }
    return ids
  }
  const at = (path: string): Received[] => receiver.received.filter((each) => each.path === path)
  const idsAt = (path: string): string[] => at(path).map(({ id }) => id)
  const settledAt = (destino: number, ids: string[], estado = 'entregada') =>
    until(async () => {
      const [counted] = await server.store.query<{ count: number }>(sql`
        select count(*) from deliveries where estado = ${estado}
          and id = any (${ids.map((id) => (destino === 1 ? id : `${id}-${destino}`))}::text[])`)
      return counted?.count === ids.length
    })
  const salud = async (destino: number) => (await app.get(`${DESTINOS}/${destino}`)).json.Salud

  it('one fails and hangs, the other gets everything at once; each has its secret, health and log', async () => {
    app = await server.newApp()
    const [good, bad] = [await endpoint('/good'), await endpoint('/bad')]
    const failed = new Set<string>()
    receiver.answer(({ path, id }) => {
      if (path !== '/bad') return 200
      if (failed.has(id)) return 'hang'
      failed.add(id)
      return 500
    })
    const ids = await publish(ANA, ANA, BEA)
    await settledAt(1, ids)
    assert.deepEqual(idsAt('/good').toSorted(), ids.toSorted())
    await until(() => new Set(idsAt('/bad')).size === ids.length)
    for (const [path, { Secret }] of [
      ['/good', good],
      ['/bad', bad],
    ] as const) {
      const { body = '', headers = {} } = at(path)[0] ?? {}
      assert.equal(headers['webhook-id'], JSON.parse(body).Id, 'the id is the event’s, for both')
      assert.ok(new Webhook(Secret).verify(body, headers as Record<string, string>))
    }
    await until(async () => (await salud(2)).Estado === 'fallando')
    assert.equal((await salud(1)).Estado, 'bien')
    await makeDue(server)
    await until(() => receiver.hanging() > 0)
    const more = await publish(ANA, BEA)
    await settledAt(1, more)
    const log = async (destino: number, estado: string) =>
      (await app.get(`/v3/appnotificaciones/${TOPIC}/entregas?destino=${destino}&estado=${estado}`)).json._entries
    assert.equal((await log(1, 'entregada')).length, 5)
    assert.equal((await log(2, 'pendiente')).length, 5)
  })

  it('the ordered one gets the events of an agency one at a time, in order, also while one is retried', async () => {
    app = await server.newApp()
    await endpoint('/plain')
    await endpoint('/ordered', { EnOrden: true })
    const [a1, a2, b1, a3, b2] = (await publish(ANA, ANA, BEA, ANA, BEA)) as [string, string, string, string, string]
    await settledAt(2, [a1, a2, b1, a3, b2])
    const first = idsAt('/ordered')
    assert.deepEqual(
      first.filter((id) => [a1, a2, a3].includes(id)),
      [a1, a2, a3],
    )
    assert.deepEqual(
      first.filter((id) => [b1, b2].includes(id)),
      [b1, b2],
    )

    let isDown = true
    let inFlight = 0
    receiver.answer(async ({ path, id }) => {
      if (path !== '/ordered') return 200
      assert.equal(++inFlight, 1, 'one at a time')
      await new Promise((resolve) => setImmediate(resolve))
      inFlight--
      return isDown && id === ids[0] ? 500 : 200
    })
    const ids: string[] = []
    const publishOne = async (agencia: number) => ids.push(...(await publish(agencia)))
    for (const _ of [1, 2, 3]) await publishOne(ANA)
    await settledAt(1, ids)
    await until(() => idsAt('/ordered').includes(ids[0] as string))
    receiver.answer(({ path, id }) => (path === '/ordered' && isDown && id === ids[0] ? 500 : 200))
    const [free] = (await publish(BEA)) as [string]
    await settledAt(2, [free])
    assert.deepEqual(
      idsAt('/ordered').filter((id) => ids.slice(1).includes(id)),
      [],
      'the agency’s later events wait; the other agency’s do not',
    )
    const waiting = (await app.get(`/v3/appnotificaciones/${TOPIC}/entregas/${ids[1]}-2`)).json
    assert.deepEqual([waiting.Estado, waiting.ProximoIntento], ['pendiente', null])
    isDown = false
    await until(async () => {
      await makeDue(server)
      return idsAt('/ordered').includes(ids[2] as string)
    })
    await settledAt(2, ids)
    assert.deepEqual(
      [...new Set(idsAt('/ordered').filter((id) => ids.includes(id)))],
      ids,
      'in the order of the feed, the retried one first',
    )
    assert.deepEqual(await server.store.query(sql`select from ordered_deliveries`), [])
  })

  it('in an ordered one, an event that fails for good or is withdrawn lets the next pass; a resend keeps the order', async () => {
    app = await server.newApp()
    await endpoint('/ordered', { EnOrden: true })
    const ids: string[] = []
    let isDown = true
    receiver.answer(() => (isDown ? 500 : 200))
    ids.push(...(await publish(ANA, ANA, ANA, ANA)))
    await until(() => idsAt('/ordered').includes(ids[0] as string))
    await until(async () => {
      const [row] = await server.store.query<{ lease: string | null }>(
        sql`select lease from deliveries where id = ${ids[0]}`,
      )
      return row?.lease === null
    })
    await server.store.query(sql`update deliveries set attempts = 9 where id = ${ids[0]}`)
    await server.store.query(sql`delete from deliveries where id = ${ids[1]}`)
    await makeDue(server)
    await settledAt(1, [ids[0] as string], 'fallida')
    isDown = false
    await until(async () => {
      await makeDue(server)
      return idsAt('/ordered').includes(ids[3] as string)
    })
    await settledAt(1, [ids[2], ids[3]] as string[])
    const passed = [...new Set(idsAt('/ordered'))]
    assert.deepEqual(passed, [ids[0], ids[2], ids[3]])
    receiver.received.length = 0
    const again = await app.call('POST', `/v3/appnotificaciones/${TOPIC}/entregas/reenviar?todo=true`)
    assert.deepEqual([again.status, again.json.Cantidad], [202, 4])
    await settledAt(1, ids)
    assert.deepEqual(idsAt('/ordered'), ids)
  })
})
