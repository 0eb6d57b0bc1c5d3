import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RouteOptions } from 'fastify'
import { documentOf } from '../src/http/openapi.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from './support/server.ts'

interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  format?: string
  pattern?: string
  maxLength?: number
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  /** Ignored in a body, whatever it is. */
  readOnly?: boolean
}

const PARTS = ['params', 'querystring', 'headers', 'body'] as const
const [MAX_BYTES, LOTE_BYTES] = [1_048_576, 16 * 1_048_576]
const LOTE = '/v3/publicaciones/:adminMail/lote'
/** Formats whose pattern limits the length. */
const FIXED = ['date', 'hora', 'moneda', 'whatsapp']
/** An anchored pattern without unbounded repetition. */
const BOUNDED_PATTERN = /^\^(?!.*(?:[*+]|\{\d+,\})).*\$$/
/** Callers may send any value: an invalid trace is ignored. */
const NEVER_REFUSED = ['traceparent']
/** A character outside the basic plane, written as two escapes. */
const BYTES_PER_CHARACTER = 12
const BYTES_PER_NUMBER = 32
const FIXED_CHARACTERS = 16

describe('every bound of /v3 and /interno', () => {
  let server: TestServer
  let app: TestApp
  let site: TestSitio
  let routes: RouteOptions[]
  before(async () => {
    server = await startServer()
    app = await server.newApp()
    site = await server.newSitio()
    routes = server.declared.filter(
      ({ url }) => /^\/(?:v3|interno)(?=\/|$)/.test(url) && url !== '/interno/openapi.json',
    )
    assert.ok(routes.length > 50)
  })
  after(() => server.stop())

  function resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1)
    if (name === undefined) return schema
    const found = documentOf(server.app).components.schemas?.[name] as Schema | undefined
    assert.ok(found, name)
    return found
  }

  const nameOf = ({ method, url }: RouteOptions) => `${method} ${url}`
  const resultPage = ({ schema }: RouteOptions, part: (typeof PARTS)[number]) => schema?.[part] as Schema | undefined

  /** Where a schema has a text or a list without a limit. */
  function unboundedIn(given: Schema, path: string): string[] {
    const schema = resolve(given)
    if (schema.enum || schema.const !== undefined || schema.readOnly) return []
    if (schema.anyOf) return schema.anyOf.flatMap((each) => unboundedIn(each, path))
    if (schema.type === 'string') return isBounded(schema) ? [] : [`${path}: maxLength`]
    if (schema.type === 'array')
      return [
        ...(schema.maxItems === undefined ? [`${path}: maxItems`] : []),
        ...unboundedIn(schema.items ?? {}, `${path}[]`),
      ]
    if (schema.type === 'object')
      return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
        NEVER_REFUSED.includes(name) ? [] : unboundedIn(each, `${path}.${name}`),
      )
    return ['integer', 'number', 'boolean', 'null'].includes(schema.type ?? '') ? [] : [`${path}: type`]
  }

  const isBounded = ({ maxLength, format = '', pattern = '' }: Schema) =>
    maxLength !== undefined || FIXED.includes(format) || BOUNDED_PATTERN.test(pattern)

  /** The bytes of the longest valid value, with every character of it and of the names as an escape. */
  function longest(given: Schema): number {
    const schema = resolve(given)
    if (schema.enum) return Math.max(...schema.enum.map((value) => BYTES_PER_CHARACTER * String(value).length))
    if (schema.anyOf) return Math.max(...schema.anyOf.map(longest))
    if (schema.type === 'string') return BYTES_PER_CHARACTER * (schema.maxLength ?? FIXED_CHARACTERS) + 2
    if (schema.type === 'array') return (schema.maxItems ?? 0) * (longest(schema.items ?? {}) + 1) + 2
    if (schema.type !== 'object') return BYTES_PER_NUMBER
    const members = Object.entries(schema.properties ?? {})
    return members.reduce((sum, [name, each]) => sum + 6 * name.length + 4 + longest(each), 2)
  }

  it('every text has a maxLength and every list a maxItems, in path, query, headers and body', () => {
    const found = routes.flatMap((route) =>
      PARTS.flatMap((part) => {
        const schema = resultPage(route, part)
        return schema ? unboundedIn(schema, `${nameOf(route)} ${part}`) : []
      }),
    )
    assert.deepEqual([...new Set(found)], [])
  })

  it('every route limits its body: the longest valid one fits, and at most 1 MiB', () => {
    for (const route of routes) {
      const { bodyLimit = 0, url } = route
      const body = resultPage(route, 'body')
      assert.ok(bodyLimit > 0, nameOf(route))
      if (url === LOTE && body) assert.equal(bodyLimit, LOTE_BYTES)
      else if (url.endsWith('/bestmatch') && body) assert.equal(bodyLimit, MAX_BYTES)
      else if (body) {
        assert.ok(bodyLimit <= MAX_BYTES, `${nameOf(route)}: ${bodyLimit}`)
        assert.ok(bodyLimit >= longest(body), `${nameOf(route)}: ${bodyLimit}, and up to ${longest(body)} are valid`)
      } else assert.ok(bodyLimit <= 4_096, `${nameOf(route)} takes no body`)
    }
  })

  it('413: one byte over the limit, which the answer names', async () => {
    for (const route of routes) {
      const { bodyLimit = 0, url } = route
      if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(route.method))) continue
      const path = url.replace(':adminMail', 'a@b.example').replace(/:\w+/g, '1')
      const sent = { body: ' '.repeat(bodyLimit + 1), headers: { 'content-length': String(bodyLimit + 1) } }
      const { status, json } = await (url.startsWith('/v3') ? app : site).call(String(route.method), path, sent)
      assert.equal(status, 413, nameOf(route))
      assert.deepEqual(json.Extensions, { Codigo: 'demasiado-grande', MaxBytes: bodyLimit }, nameOf(route))
      assert.ok(json.Detail.includes(String(bodyLimit)), json.Detail)
    }
  })
})
