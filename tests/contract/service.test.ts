import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readService } from '../../src/http/openapi/complete.ts'
import { type Operation, operationsOf } from '../../src/http/openapi/document.ts'
import { documentOf } from '../../src/http/openapi.ts'
import { type Answer, send } from '../support/caller.ts'
import { openDatabaseProxy } from '../support/database-proxy.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const { paths } = readService()
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Whether an answer is one of those that the document promises for its operation. */
function assertPromised(operation: Operation | undefined, answer: Answer): void {
  const response = operation?.responses[answer.status]
  assert.ok(response && !('$ref' in response), `${answer.status} is not promised`)
  const type = answer.headers['content-type']?.split(';', 1)[0] ?? ''
  const media = response.content?.[type]
  assert.ok(media, `${type} is not promised`)
  const validate = ajv.compile({ ...media.schema, components: documentOf(server.app).components })
  assert.ok(validate(answer.json), ajv.errorsText(validate.errors))
  for (const name of Object.keys(response.headers ?? {})) assert.ok(name.toLowerCase() in answer.headers, name)
}

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
