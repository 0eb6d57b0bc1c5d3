import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { CONTRACTS } from '../document.ts'
import { clientDocument } from './document.ts'

type Json = Record<string, unknown>

const document = clientDocument(JSON.parse(readFileSync(CONTRACTS.partners, 'utf8')))
const text = JSON.stringify(document)
const { schemas } = document.components as { schemas: Record<string, { properties: Record<string, Json> }> }

describe('the document of the clients', () => {
  it('has every operation under /v3, with its success only', () => {
    const contract = JSON.parse(readFileSync(CONTRACTS.partners, 'utf8')) as { paths: Record<string, Json> }
    const ids = (paths: Record<string, Json>) =>
      Object.entries(paths)
        .filter(([path]) => path.startsWith('/v3'))
        .flatMap(([, item]) => Object.values(item).map((each) => (each as Json).operationId))
    assert.deepEqual(ids(document.paths as Record<string, Json>), ids(contract.paths))
    assert.doesNotMatch(text, /"(?:4\d\d|304)":/)
    assert.doesNotMatch(text, /text\/json|\.ref\+json/)
  })

  it('checks nothing that a later server may change', () => {
    assert.doesNotMatch(text, /"(?:pattern|enum|maxLength|minimum)":/)
    assert.deepEqual(schemas.Evento?.properties, undefined)
    assert.match(String(schemas.Consulta?.properties.OrigenLead?.description), /\(form, whatsapp/)
  })

  it('gives equal objects one type, and leaves out what is ignored or unused', () => {
    const price = { anyOf: [{ $ref: '#/components/schemas/Money' }, { type: 'null' }] }
    assert.deepEqual(schemas.PublicacionCreate?.properties.Precio, price)
    assert.deepEqual(schemas.Publicacion?.properties.Precio, price)
    assert.equal(schemas.AppWebhookUpsert?.properties.Salud, undefined)
    assert.equal(schemas.ProblemDetails, undefined)
    assert.ok(schemas.CandidatosItem, 'its name in the Go client: a schema that is left out takes none')
    for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) assert(schemas[name], name)
  })

  it('an optional boolean may be absent in every language, and a date in a query is a text', () => {
    assert.deepEqual(schemas.PublicacionCreate?.properties.Activa?.anyOf, [{ type: 'boolean' }, { type: 'null' }])
    assert.doesNotMatch(JSON.stringify(document.paths), /"format":"date"/)
  })
})
