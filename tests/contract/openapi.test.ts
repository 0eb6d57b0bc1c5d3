import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type Contract, OPERATIONS, printOperations, printSchema, SCHEMA } from '../../scripts/client-types.ts'
import { CONTRACT, makeDocument, printDocument } from '../../scripts/document.ts'
import { readService } from '../../src/http/openapi/complete.ts'
import { type Document, operationsOf } from '../../src/http/openapi/document.ts'

let document: Document
let operations: ReturnType<typeof operationsOf>
before(async () => {
  document = await makeDocument()
  operations = operationsOf(document.paths)
})

test('contract/openapi.json is the document that the routes make', async () => {
  const kept = await readFile(CONTRACT, 'utf8').catch(() => '')
  assert.ok(kept === printDocument(document), 'contract/openapi.json is stale. Write it anew with: npm run contract')
})

test('what the client knows of the contract is what the document says', async () => {
  const contract: Contract = JSON.parse(printDocument(document))
  const kept = await Promise.all([SCHEMA, OPERATIONS].map((file) => readFile(file, 'utf8').catch(() => '')))
  const fresh = kept.join() === [printSchema(contract), printOperations(contract)].join()
  assert.ok(fresh, 'sdk/src/schema.ts or operations.ts is stale. Write them anew with: npm run contract')
})

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document) as object as Record<string, unknown>)
  assert.ok(valid, JSON.stringify(errors, null, 2))
  assert.equal(validator.version, '3.1')
})

test('every operation has a name that serves as a method of an SDK, and no two share one', () => {
  const names = operations.map(({ operation }) => operation.operationId)
  for (const { method, path, operation } of operations)
    assert.match(operation.operationId ?? '', /^[a-z]+([A-Z][a-z]+)*$/, `${method} ${path} needs an operationId`)
  assert.deepEqual(names, [...new Set(names)])
})

test('every operation has a summary and stands in a chapter that the reference knows', () => {
  const chapters = readService().tags.map(({ name }) => name)
  for (const { method, path, operation } of operations) {
    assert.ok(operation.summary, `${method} ${path} needs a summary`)
    assert.ok(
      chapters.includes(operation.tags?.[0] ?? ''),
      `${method} ${path} needs a tag of http/openapi/service.json`,
    )
  }
})

test('every operation under /v3 may answer 401, and tells its limit and its request id', () => {
  const { responses = {} } = document.components
  for (const { path, operation } of operations.filter(({ path }) => path.startsWith('/v3'))) {
    assert.ok('401' in operation.responses, path)
    for (const [status, response] of Object.entries(operation.responses)) {
      const { headers = {} } = '$ref' in response ? (responses[response.$ref.split('/')[3] ?? ''] ?? {}) : response
      for (const name of ['X-Request-Id', 'RateLimit']) assert.ok(name in headers, `${path} ${status} ${name}`)
    }
  }
})

test('every reference leads somewhere, under the name that the schema was given', () => {
  const references = new Set(JSON.stringify(document).match(/#\/components\/\w+\/[^"]+/g))
  for (const reference of references) {
    const [, , kind = '', name = ''] = reference.split('/')
    assert.ok(name in (Reflect.get(document.components, kind) ?? {}), reference)
    assert.doesNotMatch(name, /^(def-|schema)\d+$/, 'give the schema an $id')
  }
})
