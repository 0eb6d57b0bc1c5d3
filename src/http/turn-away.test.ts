import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type Answer, send } from '../../tests/support/caller.ts'
import { unavailable } from './problems.ts'
import { TurnAway } from './turn-away.ts'

describe('who is turned away before Fastify', () => {
  const turnAway = new TurnAway()
  const lines: Record<string, unknown>[] = []
  let [noted, closing] = [0, false]
  const server = createServer((raw, response) => turnAway.take(raw, response) || response.writeHead(204).end())
  let url = ''
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    turnAway.open({
      publicUrl: 'http://rodado.test',
      nowMs: () => 0,
      isClosing: () => closing,
      note: () => noted++,
      log: { warn: (line: object) => void lines.push({ ...line }) },
    })
    turnAway.before('/v3', () => ({ problem: unavailable(), fields: ['modo', 'prueba'], sitio: 7 }))
  })
  after(() => server.close())

  const statusOf = async (path: string, method = 'GET') => (await send(url, path, { method })).status

  it('503 under its prefix, with the fields of the problem and its own; whatever else goes on', async () => {
    const refused: Answer = await send(url, '/v3/colores?q=azul')
    assert.equal(refused.status, 503)
    assert.equal(refused.json.Instance, '/v3/colores')
    const { 'retry-after': wait, modo, 'content-type': type } = refused.headers
    assert.deepEqual([wait, modo, type], ['5', 'prueba', 'application/problem+json'])
    assert.match(refused.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(refused.headers['x-content-type-options'], 'nosniff')
    for (const path of ['/', '/v30', '/v3x/colores', '/docs?x=/v3']) assert.equal(await statusOf(path), 204, path)
  })

  it('those that are alike are one line with their number, also of those just before the end; each is noted', async () => {
    turnAway.tell()
    lines.length = noted = 0
    for (const path of ['/v3', '/v3/colores', '/v3?x=1']) assert.equal(await statusOf(path), 503)
    assert.equal(await statusOf('/v3', 'DELETE'), 503)
    turnAway.tell()
    turnAway.tell()
    assert.deepEqual(
      lines.map(({ method, route, status, sitio, count }) => [method, route, status, sitio, count]),
      [
        ['GET', '/v3/*', 503, 7, 3],
        ['DELETE', '/v3/*', 503, 7, 1],
      ],
    )
    assert.equal(noted, 4)
  })

  it('while the server closes nobody is turned away here: the long way says that it is the last answer', async () => {
    closing = true
    const status = await statusOf('/v3')
    closing = false
    assert.equal(status, 204)
  })
})
