import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type Client, type Request, startClient } from './client.ts'

describe('the load client', () => {
  let server: Server
  let client: Client
  let received = 0
  const order = { connections: 4, durationMs: 60_000, once: true, port: 0 }
  const get = (path: string, expected: number[]): Request => ({ method: 'GET', path, headers: {}, expected })
  before(async () => {
    server = createServer((request, response) => {
      received++
      response.writeHead(request.url === '/wrong' ? 500 : 200).end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    order.port = (server.address() as AddressInfo).port
    client = await startClient('any')
  })
  after(async () => {
    await client.stop()
    server.close()
  })

  it('sends each request once, and counts every answer', async () => {
    const requests = Array.from({ length: 100 }, (_, at) => get(`/${at}`, [200]))
    assert.equal((await client.load({ ...order, requests })).answered, 100)
    assert.equal(received, 100)
  })

  it('fails on an answer with another status', async () => {
    await assert.rejects(client.load({ ...order, requests: [get('/wrong', [200, 304])] }), /\/wrong answered 500/)
  })
})
