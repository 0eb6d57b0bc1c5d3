import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { send } from '../../../tests/support/caller.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { LOCALES } from '../../i18n/locale.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const MAX_WIRE_BYTES = 150_000

test('200: /docs with its styles and scripts is under 150 kB on the wire, and no script delays the first paint', async () => {
  for (const locale of LOCALES) await checkSize(`/docs?idioma=${locale}`)
})

async function checkSize(page: string): Promise<void> {
  const { text } = await send(server.url, page)
  const assets = [...text.matchAll(/<(?:script src|link rel="(?:stylesheet|icon|preload)" href)="([^"]+)"/g)]
  assert.ok(assets.length >= 3)
  let sum = 0
  for (const path of [page, ...assets.map(([, href = '']) => href)]) {
    const { status, bytes } = await send(server.url, path, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(status, 200, path)
    sum += bytes.length
  }
  assert.ok(sum < MAX_WIRE_BYTES, `${page}: ${sum} bytes`)
  for (const [script] of text.matchAll(/<script[^>]*>/g)) assert.match(script, / defer>/)
}
