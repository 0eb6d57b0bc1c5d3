import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { startServer } from '../secrets/watched.ts'
import { deliveriesOf, hook, LOOPBACK, settled, storeEvents } from '../support/deliveries.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { type RodadoProcess, startRodado } from '../support/rodado-process.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

describe('story: a killed worker', () => {
  let server: TestServer
  let receiver: Receiver
  let app: TestApp
  const running: RodadoProcess[] = []
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ env: LOOPBACK })
    app = await server.newApp()
    await hook(server, app, 'consulta.recibida', receiver.url)
  })
  afterEach(async () => {
    for (const each of running.splice(0)) await each.kill()
    receiver.release()
    receiver.received.length = 0
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })

  const worker = async () => {
    const started = await startRodado(server.connection, server.masterKey, { ...LOOPBACK, ROLE: 'worker' })
    running.push(started)
    return started
  }

  it('with kill -9 during a delivery loses nothing: another worker takes over, with the same id', async () => {
    receiver.answer('hang')
    const first = await worker()
    const ids = await storeEvents(server, app, 'consulta.recibida', 40)
    await until(() => receiver.hanging() === 16)
    const underWay = receiver.received.map(({ id }) => id)
    await first.kill()
    const left = await deliveriesOf(server, ids)
    assert.ok(left.every(({ estado }) => estado === 'pendiente'))
    assert.equal(left.filter(({ leased }) => leased).length, underWay.length)

    receiver.release()
    await server.store.query(sql`update deliveries set leased_until = now() where lease is not null`) // 45 s later
    await worker()
    assert.ok((await settled(server, ids)).every(({ estado }) => estado === 'entregada'))
    const came = receiver.received.map(({ id }) => id)
    assert.deepEqual([...new Set(came)].sort(), ids.toSorted())
    const twice = ids.filter((id) => came.filter((each) => each === id).length === 2)
    assert.deepEqual(twice.sort(), underWay.sort(), 'only what was under way came a second time')
  })

  it('with SIGTERM finishes the current deliveries, settles them and releases the rest', async () => {
    receiver.answer('hang')
    const stopping = await worker()
    const ids = await storeEvents(server, app, 'consulta.recibida', 40)
    await until(() => receiver.hanging() === 16)
    const stopped = stopping.stop()
    receiver.release()
    assert.equal(await stopped, 0)
    const rows = await deliveriesOf(server, ids)
    const delivered = rows.filter(({ estado }) => estado === 'entregada')
    assert.ok(delivered.length >= 16 && delivered.length === receiver.received.length)
    assert.ok(rows.every(({ leased }) => !leased))
    assert.ok(rows.every(({ estado, attempts }) => estado === 'entregada' || attempts === 0))
  })
})
