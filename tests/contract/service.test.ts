import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readService } from '../../src/http/openapi/complete.ts'
import { operationsOf } from '../../src/http/openapi/document.ts'
import { send } from '../support/caller.ts'
import { openDatabaseProxy } from '../support/database-proxy.ts'
import { promiseCheck } from '../support/promised.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
let assertPromised: ReturnType<typeof promiseCheck>
before(async () => {
  server = await startServer()
  assertPromised = promiseCheck(server)
})
after(() => server.stop())

const { paths } = readService()

test('200: what the server offers without credentials answers as the document says', async () => {
  for (const { path, method, operation } of operationsOf(paths).filter((each) => each.method === 'get')) {
    const answer = await send(server.url, path, { method: method.toUpperCase() })
    assert.equal(answer.status, 200, path)
    assertPromised(operation, answer)
  }
})

test('200, 400, 401: /oauth/token answers as the document says', async () => {
  const { app, secret } = await server.newApp()
  const ask = (form: Record<string, string>) =>
    send(server.url, '/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
  const credentials = { client_id: app.appKey, client_secret: secret }
  const answers = [
    await ask({ grant_type: 'client_credentials', ...credentials }),
    await ask({ grant_type: 'password', ...credentials }),
    await ask({ grant_type: 'client_credentials', ...credentials, client_secret: 'no' }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 401],
  )
  for (const answer of answers) assertPromised(paths['/oauth/token']?.post, answer)
})

test('503: /oauth/token answers as the document says while the database is away', async () => {
  const proxy = await openDatabaseProxy(server.connection)
  const node = await startServer({ connection: proxy.connection })
  try {
    proxy.cut()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'f'.repeat(32),
      client_secret: 'x',
    })
    const ask = () => send(node.url, '/oauth/token', { method: 'POST', headers, body: String(body) })
    await until(async () => (await ask()).status === 503)
    assertPromised(paths['/oauth/token']?.post, await ask())
  } finally {
    proxy.restore()
    await node.stop()
    await proxy.close()
  }
})
