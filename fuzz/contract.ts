import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** The subset of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  readOnly?: boolean
  additionalProperties?: Schema | boolean
}

interface Response {
  $ref?: string
  content?: Record<string, { schema: Schema }>
  headers?: Record<string, unknown>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

export interface Operation {
  operationId: string
  method: string
  /** With its parameters in braces. */
  path: string
  parameters: Parameter[]
  body?: { types: string[]; schema: Schema }
  responses: Record<string, Response>
  /** Matches the decoded path of a request. */
  pattern: RegExp
}

const [partners, site] = ['openapi', 'openapi-interno'].map((name) =>
  JSON.parse(readFileSync(new URL(`../contract/${name}.json`, import.meta.url), 'utf8')),
)
const document: { paths: Record<string, Record<string, Record<string, never>>>; components: object } = {
  paths: { ...partners.paths, ...site.paths },
  components: Object.fromEntries(
    Object.keys(partners.components).map((kind) => [kind, { ...partners.components[kind], ...site.components[kind] }]),
  ),
}
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'contract')

/** Resolves a reference. */
export function deref<T extends { $ref?: string }>(value: T): T {
  if (!value.$ref) return value
  return value.$ref
    .split('/')
    .slice(1)
    .reduce((at: object, name) => Reflect.get(at, name), document) as T
}

/** Every operation of the contract. */
export const OPERATIONS: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => {
    const {
      parameters = [],
      requestBody,
      responses,
      operationId,
    } = described as never as {
      parameters?: (Parameter & { $ref?: string })[]
      requestBody?: { content: Record<string, { schema: Schema }> }
    } & Pick<Operation, 'responses' | 'operationId'>
    const content = requestBody?.content
    return {
      operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(deref),
      ...(content && { body: { types: Object.keys(content), schema: Object.values(content)[0]?.schema ?? {} } }),
      responses,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]*')}$`),
    }
  }),
)

/** The operation for a path. Literal segments win over parameters for every method: bestmatch is no id. */
export function operationAt(method: string, path: string): Operation | undefined {
  const fitting = OPERATIONS.filter((each) => each.pattern.test(path))
  const parameters = (each: Operation) => each.path.split('{').length
  const fewest = Math.min(...fitting.map(parameters))
  return fitting.find((each) => each.method === method && parameters(each) === fewest)
}

const compiled = new Map<string, ValidateFunction>()

function validator(schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema)
  const known = compiled.get(key)
  if (known) return known
  const made = ajv.compile(JSON.parse(key.replaceAll('"#/components', '"contract#/components')))
  compiled.set(key, made)
  return made
}

/** The violation of a schema, if any. */
export function mismatch(schema: Schema, value: unknown): string | undefined {
  const validate = validator(schema)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

export const PROBLEM: Schema = { $ref: '#/components/schemas/ProblemDetails' }
export const VALIDATION_PROBLEM: Schema = { $ref: '#/components/schemas/ValidationProblemDetails' }
