import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderToString } from 'preact-render-to-string'
import type { Document } from '../../http/openapi/document.ts'
import { docsPage } from './page.tsx'

const document: Document = {
  openapi: '3.1.0',
  info: { title: 'API', version: 'v3', description: 'Una API.' },
  servers: [{ url: 'http://rodado.test' }],
  tags: [],
  paths: {},
  webhooks: {
    'consulta.recibida': {
      post: {
        operationId: 'recibirConsulta',
        tags: ['Consultas'],
        summary: 'Una consulta nueva',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Evento' } } } },
        responses: { 200: { description: 'Recibido' } },
      },
    },
  },
  components: {
    schemas: { Evento: { type: 'object', properties: { Topic: { type: 'string', examples: ['consulta.recibida'] } } } },
  },
}
const names = { publicUrl: 'http://rodado.test', signaturePrefix: 'SVC' }

test('what we send is shown by topic, with its body and a sample of it', () => {
  const html = renderToString(docsPage(document, names))
  assert.match(html, /<a href="#webhook-consulta\.recibida">/)
  assert.match(html, /<article class="operation" id="webhook-consulta\.recibida">/)
  assert.match(html, /<a href="#esquema-Evento">Evento<\/a>/)
  assert.match(html, /&quot;Topic&quot;: <span class="text">&quot;consulta\.recibida&quot;/)
})

test('where nothing is sent, nothing is said of it', () => {
  const { webhooks: _, ...silent } = document
  assert.doesNotMatch(renderToString(docsPage(silent, names)), /webhooks/)
})
