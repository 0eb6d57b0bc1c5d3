import { PROBLEMS } from '../src/http/problems.ts'

/** The generated files of the client; `npm run contract` writes both. */
export const SCHEMA = new URL('../clients/typescript/src/schema.ts', import.meta.url)
export const OPERATIONS = new URL('../clients/typescript/src/operations.ts', import.meta.url)

/** The subset of JSON Schema that the contract uses. */
interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: Schema
  description?: string
}

interface Operation {
  operationId: string
  summary?: string
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
}

interface Body {
  $ref?: string
  content?: Record<string, { schema?: Schema }>
}

/** The parts of the OpenAPI document that the client needs. */
export interface Contract {
  components: Record<string, Record<string, unknown>>
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
}

const HEAD = '// Written by `npm run contract` from contract/openapi.json; changes belong there.\n'
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const ADF_TYPE = /^application\/x-adf\+xml$/
const REF_TYPE = /^application\/vnd\..+\.ref\+json$/

/** The types of all schemas, by their names in the contract. */
export function printSchema({ components }: Contract): string {
  const types = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) => `${comment((schema as Schema).description)}export type ${name} = ${typeOf(schema as Schema)}\n`,
  )
  return `${HEAD}\n${types.join('\n')}`
}

/** The operations: one line each for the program, and their types. */
export function printOperations(contract: Contract): string {
  const all = Object.entries(contract.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method]
      return operation ? [{ path, method: method.toUpperCase(), operation }] : []
    }),
  )
  const partners = all.filter(({ path }) => path.startsWith('/v3'))
  const site = all.filter(({ path }) => path.startsWith('/interno'))
  const topics = Object.entries(contract.webhooks)
  const events = topics.map(([, { post }]) => typeOf(schemaIn(contract, post.requestBody) ?? {}))

  const table = [...partners, ...site].map(({ path, method, operation }) => {
    const takes = `${paramsOf(contract, operation).length > 0 ? 'p' : ''}${operation.requestBody ? 'b' : ''}`
    return `  ${operation.operationId}: ['${method}', '${path}', '${takes}'],`
  })
  return `${HEAD}
import type * as S from './schema.ts'

/** Method and path of each operation, and whether it takes parameters (p) and a body (b). */
export const OPERATIONS: Record<keyof Operations | keyof SiteOperations, readonly [string, string, string]> = {
${table.join('\n')}
}

/** The addresses where an Idempotency-Key is honoured. */
export const IDEMPOTENT: ReadonlySet<string> = new Set([${all
    .filter(({ operation }) => isIdempotent(contract, operation))
    .map(({ path }) => `'${path}'`)
    .join(', ')}])

/** What partners call. */
export interface Operations {
${partners.map((each) => printOperation(contract, each.operation)).join('\n')}
}

/** What the marketplace's own site calls. */
export interface SiteOperations {
${site.map((each) => printOperation(contract, each.operation)).join('\n')}
}

/** The topics that an app is notified of. */
export type Topic = ${topics.map(([topic]) => `'${topic}'`).join(' | ')}

/** A delivery, distinguished by its \`Topic\`. */
export type WebhookEvent = ${events.map((name) => `S.${name}`).join(' | ')}

/** The kinds of refusal. */
export type ProblemName = ${Object.keys(PROBLEMS)
    .map((name) => `'${name}'`)
    .join(' | ')}
`
}

function printOperation(contract: Contract, operation: Operation): string {
  const params = paramsOf(contract, operation).map(
    ({ name, required, schema }) =>
      `${quoted(name)}${required ? '' : '?'}: ${named(schema)}${required ? '' : ' | undefined'}`,
  )
  const body = schemaIn(contract, operation.requestBody)
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  const entry = schemaIn(contract, success)
  const ref = schemaIn(contract, success, REF_TYPE)
  const parts = [
    params.length > 0 && `params: { ${params.join('; ')} }`,
    body && `body: ${named(body)}`,
    `entry: ${entry ? named(entry) : 'undefined'}`,
    ref && `ref: ${named(ref)}`,
    schemaIn(contract, success, ADF_TYPE) && 'adf: string',
    isIdempotent(contract, operation) && 'idempotent: true',
  ].filter(Boolean)
  return `${comment(operation.summary, '  ')}  ${operation.operationId}: { ${parts.join('; ')} }`
}

/** True if the operation honours an Idempotency-Key. */
const isIdempotent = (contract: Contract, { parameters = [] }: Operation): boolean =>
  parameters.some((each) => resolve<Parameter>(contract, each).name === 'Idempotency-Key')

const paramsOf = (contract: Contract, { parameters = [] }: Operation): Parameter[] =>
  parameters
    .map((each) => resolve<Parameter>(contract, each))
    .filter((each) => each.in === 'path' || each.in === 'query')
    .sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false))

function schemaIn(contract: Contract, body: Body | undefined, type = /^application\/json$/): Schema | undefined {
  const content = body && resolve<Body>(contract, body).content
  return Object.entries(content ?? {}).find(([name]) => type.test(name))?.[1].schema
}

export function resolve<T>(contract: Contract, part: { $ref?: string }): T {
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref ?? '') ?? []
  return (kind && name ? contract.components[kind]?.[name] : part) as T
}

/** A type as operations.ts writes it, with schemas in a namespace. */
const named = (schema: Schema): string => typeOf(schema, 'S.')

function typeOf(schema: Schema, space = ''): string {
  const { $ref, anyOf, oneOf, allOf, items, properties, additionalProperties } = schema
  const inner = (each: Schema) => typeOf(each, space)
  if ($ref) return space + $ref.slice($ref.lastIndexOf('/') + 1)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const choices = anyOf ?? oneOf
  if (choices) return [...new Set(choices.map(inner))].join(' | ')
  if (allOf) return allOf.map(inner).join(' & ')
  if (schema.type === 'array') return `(${items ? inner(items) : 'unknown'})[]`
  if (properties && Object.keys(properties).length > 0) return objectOf(schema, space)
  if (schema.type === 'object')
    return `Record<string, ${typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0 ? inner(additionalProperties) : 'unknown'}>`
  return SIMPLE[schema.type ?? ''] ?? 'unknown'
}

const SIMPLE: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function objectOf({ properties = {}, required = [] }: Schema, space: string): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const needed = required.includes(name)
    const type = typeOf(schema, space)
    return `${comment(schema.description ?? schema.anyOf?.[0]?.description, '  ')}  ${quoted(name)}${needed ? '' : '?'}: ${type}${needed ? '' : ' | undefined'}`
  })
  return `{\n${members.join('\n')}\n}`
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

const quoted = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)

const comment = (text: string | undefined, indent = ''): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : ''
