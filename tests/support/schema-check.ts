import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { getOrInsert } from '../../src/memoize.ts'
import { send } from './caller.ts'
import type { TestServer } from './server.ts'

/** Formats that only our server knows: ajv refuses unknown ones. */
const OWN_FORMATS = { 'header-name': true, 'header-value': true, secret: true, tel: true, whatsapp: true } as const

/** Checks values against the schemas of the server's OpenAPI documents: `check('Publicacion', json)`. */
export async function schemaCheck({ url }: Pick<TestServer, 'url'>): Promise<(name: string, value: unknown) => void> {
  const partners = (await send(url, '/openapi.json')).json
  const site = (await send(url, '/interno/openapi.json')).json
  const schemas = { ...partners.components.schemas, ...site.components.schemas }
  // The document itself is checked in tests/contract.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, formats: OWN_FORMATS })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: { schemas } })
  const validators = new Map<string, ValidateFunction>()
  return (name, value) => {
    const validate = getOrInsert(validators, name, () => ajv.compile({ $ref: `document#/components/schemas/${name}` }))
    assert.ok(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`)
  }
}
