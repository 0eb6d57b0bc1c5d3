import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { PUBLICACION_SCHEMA, printPublicacionSchema, printSamples, SAMPLES } from '../../scripts/cli-data.ts'
import { type Contract, OPERATIONS, printOperations, printSchema, SCHEMA } from '../../scripts/client-types.ts'
import { CODES, printCodes } from '../../scripts/codes.ts'
import { CONTRACTS, makeDocument, printDocument } from '../../scripts/document.ts'
import { type ApiAudience, documentFor } from '../../src/http/openapi/audience.ts'
import { readService } from '../../src/http/openapi/complete.ts'
import { type Document, operationsOf, type Schema } from '../../src/http/openapi/document.ts'
import { downConvert } from '../../src/http/openapi/down-convert.ts'
import { OWN_FORMATS } from '../../src/http/validate.ts'

const AUDIENCES = ['partners', 'site'] as const

/** For all audiences, and for each. */
let document: Document
let documents: Record<ApiAudience, Document>
let operations: ReturnType<typeof operationsOf>
before(async () => {
  document = await makeDocument()
  documents = { partners: documentFor('partners', document), site: documentFor('site', document) }
  operations = operationsOf(document.paths)
})

/** Every schema in a part of the document, with where it is. */
function* schemasIn(part: unknown, at = ''): Generator<[where: string, schema: Schema]> {
  if (typeof part !== 'object' || part === null) return
  if ('type' in part || 'enum' in part || 'anyOf' in part || '$ref' in part) yield [at, part as Schema]
  for (const [name, inner] of Object.entries(part))
    if (!/^examples?$/.test(name)) yield* schemasIn(inner, `${at}/${name}`)
}

test('the contract has the documents that the routes make', async () => {
  for (const audience of AUDIENCES) {
    const committed = await readFile(CONTRACTS[audience], 'utf8').catch(() => '')
    const fresh = committed === printDocument(documents[audience])
    assert.ok(fresh, `${CONTRACTS[audience].pathname} is stale. Write it anew with: npm run contract`)
  }
})

test('what the client knows of the contract is what the document says', async () => {
  const contract: Contract = JSON.parse(printDocument(document))
  const committed = await Promise.all([SCHEMA, OPERATIONS].map((file) => readFile(file, 'utf8').catch(() => '')))
  const fresh = committed.join() === [printSchema(contract), printOperations(contract)].join()
  assert.ok(fresh, 'clients/typescript/src/schema.ts or operations.ts is stale. Write them anew with: npm run contract')
})

test('what the command line knows of the contract is what the document says', async () => {
  const contract: Contract = JSON.parse(printDocument(document))
  const kept = await Promise.all([SAMPLES, PUBLICACION_SCHEMA].map((file) => readFile(file, 'utf8').catch(() => '')))
  const fresh = kept.join() === [printSamples(contract), printPublicacionSchema(contract)].join()
  assert.ok(fresh, 'cli/src/samples.ts or mcp/publicacion-schema.ts is stale. Write them anew with: npm run contract')
})

test('the contract has the list of codes', async () => {
  assert.ok((await readFile(CODES, 'utf8')) === printCodes(), 'contract/codes.tsv is stale: npm run contract')
})

test('the documents are valid OpenAPI 3.1, and 3.0 as converted', async () => {
  const cases = [
    ...AUDIENCES.map((audience) => [documents[audience], '3.1'] as const),
    [downConvert(documents.partners), '3.0'] as const,
  ]
  for (const [made, version] of cases) {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(made) as object as Record<string, unknown>)
    assert.ok(valid, JSON.stringify(errors, null, 2))
    assert.equal(validator.version, version)
  }
})

test('the 3.0 document loses no operation, and says null as 3.0 does', () => {
  const converted = downConvert(documents.partners) as object as Document
  assert.deepEqual(Object.keys(converted.paths), Object.keys(documents.partners.paths))
  const text = JSON.stringify(converted)
  for (const word of [/"type":"null"/, /"examples":/, /"const":/, /"webhooks"/, /"pathItems"/])
    assert.doesNotMatch(text, word)
  const { Version = {}, Agencia = {} } = converted.components.schemas
  assert.deepEqual(Version.properties?.Transmision, {
    description: 'CVT, doble embrague y robotizadas son automáticas',
    enum: ['manual', 'automatica', null],
    type: 'string',
    example: 'manual',
    nullable: true,
  })
  assert.deepEqual(Agencia.properties?.Invitacion, {
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/AgenciaInvitacion' }],
    nullable: true,
  })
  for (const [where, schema] of schemasIn(converted))
    if ('nullable' in schema) assert.ok(schema.type, `${where} is nullable without a type`)
  for (const [where, { anyOf = [] }] of schemasIn(document))
    for (const { $ref } of anyOf) {
      const { type } = document.components.schemas[$ref?.split('/').at(-1) ?? ''] ?? {}
      if ($ref) assert.equal(type, 'object', where)
    }
})

test('partners and the site have a document each, without what the other calls', () => {
  const paths = Object.keys(document.paths)
  assert.deepEqual(
    Object.keys(documents.site.paths),
    paths.filter((path) => path.startsWith('/interno')),
  )
  assert.deepEqual(
    Object.keys(documents.partners.paths),
    paths.filter((path) => !path.startsWith('/interno')),
  )
  assert.ok(
    'AvisoSitio' in documents.site.components.schemas && !('AvisoSitio' in documents.partners.components.schemas),
  )
  assert.deepEqual(Object.keys(documents.site.components.securitySchemes ?? {}), ['SitioKey'])
})

test('what generators infer wrongly is written out: types of enums, doubles, patterns, no constants', () => {
  for (const [where, schema] of schemasIn(document)) {
    if (schema.enum) assert.ok(schema.type, `${where} is an enum without a type`)
    if (schema.type === 'number') assert.equal(schema.format, 'double', where)
    if (schema.format !== undefined && schema.format in OWN_FORMATS) assert.ok(schema.pattern, where)
    assert.ok(!('const' in schema), where)
  }
  const { EventoWebhookPrueba = {}, Money = {} } = document.components.schemas
  assert.deepEqual(EventoWebhookPrueba.properties?.Version, { type: 'integer', enum: [1] })
  assert.equal(Money.properties?.Importe?.format, 'double')
})

test('no schema has the name that generators give to an inline member of another', () => {
  const { schemas } = document.components
  for (const [name, { properties = {} }] of Object.entries(schemas))
    for (const [member, schema] of Object.entries(properties)) {
      const inline = [...schemasIn(schema)].some(([, inner]) => inner.enum || inner.properties)
      if (inline) assert.ok(!(`${name}${member}` in schemas), `${name}.${member} makes another ${name}${member}`)
    }
})

test('Ref forms have the names of the specification', () => {
  const { schemas } = document.components
  for (const name of ['AgenciaRef', 'ConsultaRef', 'CiudadRef', 'ColorRef', 'MarcaRef'])
    assert.deepEqual(Object.keys(schemas[name]?.properties ?? {}), ['href', 'title'], name)
  assert.equal(schemas.MarcasRef?.properties?._entries?.items?.$ref, '#/components/schemas/MarcaRef')
})

test('events are told apart by their Topic', () => {
  const { Evento = {}, Eventos } = document.components.schemas
  assert.equal(Eventos?.properties?._entries?.items?.$ref, '#/components/schemas/Evento')
  assert.deepEqual(Object.keys(Evento.discriminator?.mapping ?? {}), Object.keys(document.webhooks ?? {}))
  assert.deepEqual(
    Object.values(Evento.discriminator?.mapping ?? {}),
    Evento.oneOf?.map(({ $ref }) => $ref),
  )
})

test('webhooks have a tag of their own, and are references that generators leave out', () => {
  const { webhooks = {}, components, paths } = documents.partners
  for (const [topic, item] of Object.entries(webhooks)) {
    const sent = components.pathItems?.[item.$ref?.split('/').at(-1) ?? '']?.post
    assert.deepEqual(sent?.tags, ['Webhooks'], topic)
  }
  for (const { operation } of operationsOf(paths)) assert.ok(!operation.tags.includes('Webhooks'))
})

test('tags are ASCII with a name for people, and in order', () => {
  for (const audience of AUDIENCES) {
    const names = documents[audience].tags.map(({ name }) => name)
    assert.deepEqual(names, [...names].sort())
  }
  for (const tag of document.tags) {
    assert.match(tag.name, /^[A-Za-z]+$/)
    assert.ok(tag['x-displayName'])
  }
})

test('bodies refuse members that they do not list; those that are ignored are readOnly', () => {
  const { schemas } = document.components
  for (const { operation } of operations) {
    const name = operation.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1)
    if (name && schemas[name]?.type === 'object') assert.equal(schemas[name]?.additionalProperties, false, name)
  }
  for (const [name, member] of [
    ['AgenciaEdit', 'Operadores'],
    ['AppWebhookUpsert', 'Salud'],
    ['EstadoDeConsulta', 'Momento'],
    ['PublicacionEdit', 'Marca'],
    ['PublicacionFila', 'Aviso'],
    ['SucursalUpsert', '_links'],
  ] as const)
    assert.equal(schemas[name]?.properties?.[member]?.readOnly, true, `${name}.${member}`)
  assert.doesNotMatch(JSON.stringify(document), /patternProperties/)
})

test('the header Match is promised where bestmatch is read, not where a body has the matches', () => {
  for (const { method, path, operation } of operations.filter((each) => each.path.endsWith('/bestmatch'))) {
    const response = operation.responses['200']
    const headers = response && 'headers' in response ? Object.keys(response.headers ?? {}) : []
    assert.equal(headers.includes('Match'), method === 'get', `${method} ${path}`)
  }
})

test('an ETag is promised by the writes that answer with one, and by no other', () => {
  const writes = operations.flatMap(({ method, operation: { operationId, responses } }) => {
    const { headers = {} } = (responses['200'] ?? responses['201'] ?? {}) as { headers?: object }
    return method !== 'get' && 'ETag' in headers ? operationId : []
  })
  assert.deepEqual(writes, ['configurarWebhook', 'editarWebhook', 'agregarDestino', 'editarDestino', 'publicar'])
})

test('every operation and parameter has a description, and every parameter and header a type', () => {
  const { parameters = {}, headers = {} } = document.components
  const all = [...operations, ...operationsOf(document.webhooks ?? {})]
  for (const { method, path, operation } of all) {
    assert.ok(operation.description, `${method} ${path} needs a description`)
    for (const parameter of operation.parameters ?? []) {
      if ('$ref' in parameter) continue
      assert.ok(parameter.description, `${method} ${path} ${parameter.name} needs a description`)
      assert.ok(parameter.schema.type ?? parameter.schema.anyOf, `${method} ${path} ${parameter.name} needs a type`)
    }
  }
  for (const [name, { description, schema }] of Object.entries({ ...parameters, ...headers }))
    assert.ok(description && schema.type, name)
})

test('contact and licence are there', () => {
  const { info } = document as { info: object }
  assert.deepEqual(Object.keys((info as { contact: object }).contact), ['name', 'url', 'email'])
  assert.match((info as { license: { url: string } }).license.url, /^https:/)
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
