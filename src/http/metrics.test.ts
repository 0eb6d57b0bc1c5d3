import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import { serveMetrics } from './metrics.ts'

const TOKEN = 'una-palabra-larga-y-secreta'

describe('/metrics', () => {
  let open: { port: number; close(): Promise<void> }
  let guarded: typeof open
  before(async () => {
    open = await serveMetrics(new Registry(), { host: '127.0.0.1', port: 0, token: undefined })
    guarded = await serveMetrics(new Registry(), { host: '127.0.0.1', port: 0, token: TOKEN })
  })
  after(() => Promise.all([open.close(), guarded.close()]))
  const status = async ({ port }: typeof open, init: RequestInit = {}) =>
    (await fetch(`http://127.0.0.1:${port}/metrics`, init)).status

  it('200: without METRICS_TOKEN for every client, with it for those that send it', async () => {
    assert.equal(await status(open), 200)
    assert.equal(await status(guarded, { headers: { authorization: `Bearer ${TOKEN}` } }), 200)
  })

  it('401: without the token, or with another', async () => {
    assert.equal(await status(guarded), 401)
    for (const authorization of ['Bearer x', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN, 'Bearer'])
      assert.equal(await status(guarded, { headers: { authorization } }), 401, authorization)
  })

  it('405: to anything but a read, so that no webhook brings them home', async () => {
    assert.equal(await status(open, { method: 'POST', body: '{}' }), 405)
  })
})
