import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '../../http/openapi/document.ts'
import { limitLabels, typeLabel } from './type-labels.ts'

const said = (schema: Schema) => {
  const { before, schema: name = '', after } = typeLabel(schema)
  return before + name + after
}

test('a type is said in words, with its nullability', () => {
  assert.equal(said({ type: 'string' }), 'texto')
  assert.equal(said({ type: ['integer', 'null'] }), 'entero o null')
  assert.equal(said({ anyOf: [{ type: 'string', format: 'email' }, { type: 'null' }] }), 'correo electrónico o null')
  assert.equal(said({ type: 'array', items: { $ref: '#/components/schemas/Color' } }), 'lista de Color')
  assert.equal(
    said({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }),
    'objeto con valores de tipo lista de texto',
  )
  assert.equal(said({ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }), 'texto, entero o null')
  assert.equal(said({}), 'cualquier valor')
})

test('limits are said once each, and those of a nullable value are the value’s', () => {
  assert.deepEqual(limitLabels({ type: 'string', minLength: 8, maxLength: 20 }), ['8 a 20 caracteres'])
  assert.deepEqual(limitLabels({ type: 'string', maxLength: 50, default: 'AR' }), [
    'hasta 50 caracteres',
    'si falta: AR',
  ])
  assert.deepEqual(limitLabels({ anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] }), ['desde 0'])
  assert.deepEqual(limitLabels({ type: 'array', maxItems: 20 }), ['hasta 20 elementos'])
  assert.deepEqual(
    limitLabels({ type: 'integer', format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 }),
    [],
  )
})

test('the values of an enumeration are listed, however the schema spells it', () => {
  assert.deepEqual(limitLabels({ type: 'string', enum: ['Alta', 'Baja'] }), ['uno de: Alta, Baja'])
  const union: Schema = {
    anyOf: [{ type: 'string', const: 'Alta' }, { type: 'string', const: 'Baja' }, { type: 'null' }],
  }
  assert.deepEqual(limitLabels(union), ['uno de: Alta, Baja'])
  assert.equal(said(union), 'texto o null')
  assert.deepEqual(limitLabels({ type: 'string', const: 'Bearer' }), ['siempre Bearer'])
})
