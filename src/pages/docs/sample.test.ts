import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '../../http/openapi/document.ts'
import { sampleOf } from './sample.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const schemas: Record<string, Schema> = {
  Color: {
    type: 'object',
    properties: {
      Nombre: { type: 'string', examples: ['Rojo'] },
      HtmlColor: { anyOf: [{ type: 'string', examples: ['#C1121F'] }, { type: 'null' }] },
      _links: ref('Links'),
    },
  },
  Colores: { type: 'object', properties: { _links: ref('Links'), _entries: { type: 'array', items: ref('Color') } } },
  Rama: { type: 'object', properties: { Hijas: { type: 'array', items: ref('Rama') } } },
}

test('a sample has the examples of the schema, and links that lead to what is shown', () => {
  assert.deepEqual(sampleOf(ref('Colores'), schemas, '/v3/colores?q=rojo'), {
    _links: { self: { href: '/v3/colores?q=rojo' } },
    _entries: [{ Nombre: 'Rojo', HtmlColor: '#C1121F', _links: { self: { href: '/v3/colores/1' } } }],
  })
})

test('a sample leaves out what a body ignores, and a reference leads to what it names', () => {
  const edit: Schema = { type: 'object', properties: { Marca: ref('MarcaRef'), AdminMail: { readOnly: true } } }
  assert.deepEqual(sampleOf(edit, {}, '/v3/modelos/1'), { Marca: { href: '/v3/marcas/56', title: 'Fiat' } })
})

test('a schema that holds itself has a sample that ends', () => {
  assert.deepEqual(sampleOf(ref('Rama'), schemas, '/'), { Hijas: [null] })
})

test('without an example a value is plausible for its type and format', () => {
  assert.equal(sampleOf({ type: 'string', format: 'email' }, {}, '/'), 'ventas@agencia.example')
  assert.equal(sampleOf({ type: 'string', enum: ['Alta', 'Baja'] }, {}, '/'), 'Alta')
  assert.equal(sampleOf({ type: 'integer', minimum: 1908 }, {}, '/'), 1908)
  assert.equal(sampleOf({ type: 'boolean', default: false }, {}, '/'), false)
})
