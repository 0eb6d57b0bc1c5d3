import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import fastify from 'fastify'
import {
  expressReceiver,
  fastifyReceiver,
  fetchReceiver,
  honoReceiver,
  signWebhook,
  type WebhookEvent,
} from './rodado.ts'

const SECRET = '96d0300081d644d3bdceae8fbfc77955'
const EVENT = JSON.stringify({ Id: '01JNG3Y4Z5A6B7C8D9E0F1G2H3', Topic: 'webhook.prueba', Nombre: 'Ñandú' })

/** A delivery as the server sends it; another body keeps the signature of the first. */
async function delivery(body = EVENT): Promise<RequestInit> {
  const { Id: id, Topic: topic } = JSON.parse(EVENT) as WebhookEvent
  const signed = await signWebhook(SECRET, { id, topic, timestamp: Math.floor(Date.now() / 1000), body: EVENT })
  return { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body }
}

describe('receivers', () => {
  const received: WebhookEvent[] = []
  const handle = (event: WebhookEvent) => void received.push(event)
  const express = createServer((request, response) => {
    void expressReceiver(SECRET, handle)(request, response, (error) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  const app = fastify()
  app.post('/other', (request) => request.body)
  app.register(fastifyReceiver('/rodado', SECRET, handle))
  let urls: Record<string, string>

  before(async () => {
    await new Promise<void>((resolve) => express.listen(0, '127.0.0.1', resolve))
    urls = {
      express: `http://127.0.0.1:${(express.address() as AddressInfo).port}/`,
      fastify: `${await app.listen({ host: '127.0.0.1', port: 0 })}/rodado`,
    }
  })
  after(async () => {
    express.close()
    express.closeAllConnections()
    await app.close()
  })

  const send = {
    express: (sent: RequestInit) => fetch(urls.express ?? '', sent),
    fastify: (sent: RequestInit) => fetch(urls.fastify ?? '', sent),
    fetch: (sent: RequestInit) => fetchReceiver(SECRET, handle)(new Request('http://here/', sent)),
    hono: (sent: RequestInit) => honoReceiver(SECRET, handle)({ req: { raw: new Request('http://here/', sent) } }),
  }
  for (const [name, deliver] of Object.entries(send)) {
    it(`204: ${name} gives a signed event to its handler`, async () => {
      received.length = 0
      assert.equal((await deliver(await delivery())).status, 204)
      assert.deepEqual(received, [JSON.parse(EVENT)])
    })

    it(`401: ${name} refuses another body`, async () => {
      received.length = 0
      assert.equal((await deliver(await delivery(`${EVENT} `))).status, 401)
      assert.deepEqual(received, [])
    })

    it(`413: ${name} reads no more than an event can have`, async () => {
      assert.equal((await deliver(await delivery(' '.repeat(1_048_577)))).status, 413)
    })
  }

  it('500: an event whose handler fails comes again', async () => {
    const failing = createServer((request, response) => {
      const receiver = expressReceiver(SECRET, () => Promise.reject(new Error('no database')))
      void receiver(request, response, (error) => {
        response.statusCode = 500
        response.end(String(error))
      })
    })
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
    const { port } = failing.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}`, await delivery())
    assert.deepEqual([answer.status, await answer.text()], [500, 'Error: no database'])
    failing.close()
    failing.closeAllConnections()
  })

  it('says that express.json() has read the body', async () => {
    let error: unknown
    const request = Object.assign(new Response('').body ?? [], { headers: {}, body: {} })
    const response = { statusCode: 0, end: () => undefined }
    await expressReceiver(SECRET, handle)(request as never, response, (given) => {
      error = given
    })
    assert.match(String(error), /before express.json/)
  })

  it('other routes of a Fastify app still parse JSON', async () => {
    const { body } = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
    assert.equal(body, '{"a":1}')
  })
})
