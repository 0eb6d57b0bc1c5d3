import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import { until } from '../../tests/support/until.ts'
import { closeGracefully, openServer } from './server.ts'

test('a stop closes connections that never sent anything, and still answers a request that has begun', async () => {
  const metrics = new Registry()
  const app = openServer({ log: pino({ enabled: false }), metrics, publicUrl: 'http://rodado.test', trustProxy: [] })
  closeGracefully(app)
  app.get('/', async () => 'done')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const accepted: Socket[] = []
  app.server.on('connection', (socket) => accepted.push(socket))
  const [silent, begun] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  begun.write('GET / HTTP/1.1\r\nHost: x\r\n')
  await until(() => accepted.length === 2 && accepted.some(({ bytesRead }) => bytesRead > 0))
  const closed = app.close()
  await once(silent.resume(), 'close')
  begun.write('\r\n')
  assert.match(await text(begun), /^HTTP\/1.1 200 [\s\S]*done$/)
  await closed
})
