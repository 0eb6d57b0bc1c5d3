import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { KIB, MIB } from '../../src/http/body.ts'
import { type Method, type Operation, operationsOf } from '../../src/http/openapi/document.ts'
import { documentOf } from '../../src/http/openapi.ts'
import { resolve } from '../../src/pages/docs/call.ts'
import type { Answer, Sent } from '../support/caller.ts'
import { promiseCheck } from '../support/promised.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe('what any operation may refuse', () => {
  let server: TestServer
  let operations: { path: string; method: Method; operation: Operation }[]
  let assertPromised: ReturnType<typeof promiseCheck>
  let call: (method: Method, path: string, sent?: Pick<Sent, 'headers' | 'body'>) => Promise<Answer>
  before(async () => {
    server = await startServer()
    assertPromised = promiseCheck(server)
    const { paths } = documentOf(server.app)
    operations = operationsOf(paths).filter(({ path }) => /^\/(?:v3|interno)\b/.test(path))
    const [app, sitio] = [await server.newApp(), await server.newSitio()]
    call = (method, path, { headers, body = '' } = {}) =>
      (path.startsWith('/v3') ? app : sitio).call(method.toUpperCase(), path.replace(/\{\w+\}/g, '1'), {
        // Node itself frames no body of DELETE and OPTIONS.
        headers: { 'content-length': String(body.length), ...headers },
        body,
      })
  })
  after(() => server.stop())

  /** The limit of a body, as the document says it. */
  function limitOf({ responses }: Operation): number {
    const { description = '' } = responses[413] ? resolve(responses[413], documentOf(server.app)) : {}
    const [, count, unit] = /^El cuerpo supera (\d+) ([KM])iB$/.exec(description) ?? []
    return Number(count) * (unit === 'M' ? MIB : KIB)
  }

  it('400 ilegible: a query that cannot be decoded', async () => {
    for (const { method, path, operation } of operations) {
      const answer = await call(method, `${path}?%E0%A4%A`)
      assert.deepEqual(
        [answer.status, answer.json.Extensions.Codigos],
        [400, { _: ['ilegible'] }],
        operation.operationId,
      )
      assertPromised(operation, answer)
    }
  })

  it('406: a type that the operation does not offer, with those that it does', async () => {
    for (const { method, path, operation } of operations) {
      const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
      const { content } = response ? resolve(response, documentOf(server.app)) : {}
      if (!content) continue
      const answer = await call(method, path, { headers: { accept: 'image/png' } })
      assert.deepEqual(
        [answer.status, answer.json.Extensions.Tipos],
        [406, Object.keys(content)],
        operation.operationId,
      )
      assertPromised(operation, answer)
    }
  })

  it('415: a body that is not JSON, also where none is needed', async () => {
    for (const { method, path, operation } of operations.filter((each) => each.method !== 'get')) {
      const answer = await call(method, path, { headers: { 'content-type': 'text/plain' }, body: 'x' })
      assert.equal(answer.status, 415, operation.operationId)
      assertPromised(operation, answer)
    }
  })

  it('413: a body over the limit that the document states, also where none is needed', async () => {
    for (const { method, path, operation } of operations.filter((each) => each.method !== 'get')) {
      const limit = limitOf(operation)
      const answer = await call(method, path, { body: ' '.repeat(limit + 1) })
      assert.deepEqual(
        [answer.status, answer.json.Extensions.MaxBytes],
        [413, limit],
        `${operation.operationId}: ${limit}`,
      )
      assertPromised(operation, answer)
    }
  })
})
