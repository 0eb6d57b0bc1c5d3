import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { Registry } from 'prom-client'
import { until } from '../../tests/support/until.ts'
import { Limiter } from '../http/limits.ts'
import { openServer } from '../http/server.ts'
import { openS3 } from '../photos/s3.ts'
import { photoRoutes } from './fotos.ts'

const LIMITS = { most: 8, sharesFrom: 4, share: 2 }
const PATH = `/fotos/${'ab'.repeat(32)}/1920.jpg`

describe('photos in progress', () => {
  let bucket: Awaited<ReturnType<typeof openBucket>>
  let server: FastifyInstance
  let url: string
  before(async () => {
    bucket = await openBucket()
    server = openServer({
      log: pino({ enabled: false }),
      metrics: new Registry(),
      publicUrl: 'http://rodado.test',
      trustProxy: ['127.0.0.1'],
    })
    const limiter = new Limiter({ perSecond: 1000, burst: 1000 }, () => 0)
    await server.register(async (scope) => photoRoutes(scope, openS3(bucket.url), limiter, LIMITS))
    url = await server.listen({ host: '127.0.0.1', port: 0 })
  })
  after(async () => {
    bucket.letGo()
    await server.close()
    bucket.close()
  })

  const request = (address: string): ClientRequest =>
    get(`${url}${PATH}`, { headers: { 'x-forwarded-for': address } }).on('error', () => undefined)

  async function fetchFrom(address: string) {
    const [response] = (await once(request(address), 'response')) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }

  /** Requests whose copies the bucket holds back. */
  async function open(address: string, count: number): Promise<ClientRequest[]> {
    const held = bucket.held() + count
    const requests = Array.from({ length: count }, () => request(address))
    await until(() => bucket.held() === held)
    return requests
  }

  it('503: over the share of an address, and over all that are sent at once; 200 when others have ended', async () => {
    bucket.hold()
    const first = await open('192.0.2.1', LIMITS.sharesFrom)
    const overShare = await fetchFrom('192.0.2.1')
    assert.deepEqual([overShare.status, overShare.headers['retry-after']], [503, '5'])
    assert.match(overShare.body, /sobrecargado/)

    for (let nth = 1; nth <= (LIMITS.most - LIMITS.sharesFrom) / LIMITS.share; nth++)
      await open(`198.51.100.${nth}`, LIMITS.share)
    assert.match((await fetchFrom('203.0.113.1')).body, /sobrecargado/)

    bucket.holdNoMore()
    for (const each of first) each.destroy()
    const served = await until(async () => {
      const response = await fetchFrom('203.0.113.1')
      return response.status === 200 && response
    })
    assert.deepEqual([served.headers['content-length'], served.body], ['4', 'copy'])
  })
})

/** A bucket with one copy, which it can hold back. */
async function openBucket() {
  const waiting: ServerResponse[] = []
  let isHolding = false
  const server = createServer((_, response) => {
    if (isHolding) waiting.push(response)
    else response.end('copy')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `s3://key:secret@127.0.0.1:${(server.address() as AddressInfo).port}/photos?tls=no`,
    held: () => waiting.length,
    hold() {
      isHolding = true
    },
    holdNoMore() {
      isHolding = false
    },
    letGo() {
      for (const response of waiting.splice(0)) response.end('copy')
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
