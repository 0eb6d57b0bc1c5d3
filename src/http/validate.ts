import { _, Ajv, type AnySchemaObject, type CodeKeywordDefinition, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { formatList } from '../i18n/format.ts'
import { labels, type MessageKey, t } from '../i18n/messages.tsx'
import { getOrInsert } from '../memoize.ts'
import type { FaultCode } from './codes.ts'
import { type Fault, type FaultMap, fault, invalid, MAX_FAULTS, MORE_FAULTS, Problem, shortName } from './problems.ts'

interface JsonSchema {
  properties?: Record<string, { type?: string | string[] }>
}

type Shared = Record<string, AnySchemaObject>

const built = new Map<string, FastifySchemaCompiler<unknown>>()
const builtFor = new WeakMap<object, FastifySchemaCompiler<unknown>>()
const numbers = new Map<string, number>()
const numbered = new WeakMap<AnySchemaObject, number>()

/**
 * Validates requests against the route's schema and reports every fault at once by property: in Spanish, and in a page's form
 * in the language of its reader. Fastify calls this for each route with its shared schemas, mostly the same ones, so the
 * validator is built once for each set.
 */
export function buildValidator(shared: unknown): FastifySchemaCompiler<unknown> {
  return getOrInsert(builtFor, shared as Shared, () => {
    const key = Object.values(shared as Shared)
      .map(numberOf)
      .join()
    return getOrInsert(built, key, () => build(shared as Shared))
  })
}

/** A number for each schema; schemas with the same contents share one. */
function numberOf(schema: AnySchemaObject): number {
  return getOrInsert(numbered, schema, () => getOrInsert(numbers, JSON.stringify(schema), () => numbers.size))
}

function build(shared: Shared): FastifySchemaCompiler<unknown> {
  // Tests check our schemas, so that the server need not compile the schema of schemas at every start.
  const own = { meta: false, validateSchema: false, strict: false }
  const ajv = new Ajv({ allErrors: true, coerceTypes: false, useDefaults: true, ...own })
  onlyWithin(ajv, 'items', ({ maxItems }) => maxItems)
  // A character is at most two units of UTF-16.
  for (const keyword of ['pattern', 'format']) onlyWithin(ajv, keyword, ({ maxLength }) => maxLength && 2 * maxLength)
  boundUnknownMembers(ajv)
  addFormats.default(ajv, ['date', 'date-time', 'email', 'uri', 'int32'])
  for (const [name, { pattern, check }] of Object.entries(OWN_FORMATS))
    ajv.addFormat(name, check ?? new RegExp(pattern, 'u'))

  for (const schema of Object.values(shared)) ajv.addSchema(schema)

  return ({ schema, httpPart }) => {
    // Compiled at first use, to keep the start fast.
    let validate: ValidateFunction | undefined
    const convert = httpPart === 'body' ? undefined : converter(schema as JsonSchema)
    return (data: unknown) => {
      convert?.(data as Record<string, unknown>)
      validate ??= ajv.compile(schema as AnySchemaObject)
      if (validate(data)) return { value: data }
      const errors = faults(validate.errors ?? [])
      return { error: invalid(httpPart === 'headers' ? byHeaderName(errors) : errors) }
    }
  }
}

/** Makes a keyword check only values within their limit: with `allErrors` Ajv would check longer ones too. */
function onlyWithin(ajv: Ajv, keyword: string, limitIn: (schema: AnySchemaObject) => number | undefined): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
  ajv.removeKeyword(keyword)
  ajv.addKeyword({
    ...definition,
    code(context, ruleType) {
      const limit = limitIn(context.parentSchema)
      const check = () => definition.code(context, ruleType)
      if (limit === undefined || !context.allErrors) return check()
      context.gen.if(_`${context.data}.length <= ${limit}`, check)
    },
  })
}

/** Ajv's own `additionalProperties: false` reports every unknown member; ours stops after as many as are reported. */
function boundUnknownMembers(ajv: Ajv): void {
  const definition = ajv.getKeyword('additionalProperties') as CodeKeywordDefinition
  ajv.removeKeyword('additionalProperties')
  ajv.addKeyword({
    ...definition,
    code(context, ruleType) {
      const { gen, data, schema, parentSchema } = context
      if (schema !== false || !context.allErrors) return definition.code(context, ruleType)
      const find = gen.scopeValue('func', { ref: unknownMembers(parentSchema) })
      gen.forOf('name', _`${find}(${data})`, (name) => {
        context.setParams({ additionalProperty: name })
        context.error()
      })
    },
  })
}

/** Finds the members of an object that its schema does not have, up to one more than are reported. */
function unknownMembers({ properties = {} }: AnySchemaObject): (data: object) => string[] {
  const known = new Set(Object.keys(properties))
  return (data) => {
    const unknown: string[] = []
    for (const name in data) {
      if (known.has(name)) continue
      unknown.push(name)
      if (unknown.length > MAX_FAULTS) break
    }
    return unknown
  }
}

/** A segment of a path that needs no escapes (RFC 3986, 3.3). */
const ID = '[!$&-.0-;=@-Z_a-z~]'

/** Characters of an address that need no escapes in HTML or a header, beside what the host ends at. */
const URL_CHARACTERS = '\\x00-\\x20"<>\\\\^`{|}\\x7f-\\xa0'

interface OwnFormat {
  /** For ECMAScript, RE2, PCRE, Java, .NET and Python alike: no flags, look-around or Unicode classes. */
  pattern: string
  /** How it is described to people. */
  text: MessageKey
  /** What the pattern cannot express. */
  check?: (text: string) => boolean
}

/** Our own formats. The OpenAPI document has their patterns, for tools that do not know them. */
export const OWN_FORMATS: Record<string, OwnFormat> = {
  tel: { pattern: '^\\+?[0-9\\s().-]+$', text: 'problema.format.tel' },
  // E.164
  whatsapp: { pattern: '^\\+[0-9]{8,15}$', text: 'problema.format.whatsapp' },
  moneda: { pattern: '^[A-Z]{3}$', text: 'problema.format.moneda' }, // ISO 4217
  // A token of RFC 9110, 5.6.2.
  'header-name': { pattern: "^[!#$%&'*+.^`|~0-9A-Za-z_-]+$", text: 'problema.format.header-name' },
  'header-value': {
    pattern: '^[!-~](?:[\\t -~]*[!-~])?$',
    text: 'problema.format.header-value',
  },
  hora: { pattern: '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', text: 'problema.format.hora' },
  // Excludes `..`, which clients resolve, and `lote`, a path of ours. Spelled out because RE2 has no look-ahead.
  'external-id': {
    pattern:
      `^(?:${ID}|[!$&-,0-;=@-Z_a-z~-]${ID}|\\.[!$&-,0-;=@-Z_a-z~-]|${ID}{3}|[!$&-.0-;=@-KM-Z_a-km-z~]${ID}{3}|` +
      `[lL][!$&-.0-;=@-NP-Z_a-np-z~]${ID}{2}|[lL][oO][!$&-.0-;=@-SU-Z_a-su-z~]${ID}|` +
      `[lL][oO][tT][!$&-.0-;=@-DF-Z_a-df-z~]|${ID}{5,})$`,
    text: 'problema.format.external-id',
  },
  https: {
    pattern: `^[hH][tT][tT][pP][sS]://[^${URL_CHARACTERS}/?#@]+(?:[/?#][^${URL_CHARACTERS}]*)?$`,
    text: 'problema.format.https',
    check: isHttps,
  },
  // Or masked, as we show it.
  secret: {
    pattern: '^(?:[\\s\\S]{16,}|\\*{8}[\\s\\S]{4})$',
    text: 'problema.format.secret',
  },
}

/** Without user and password before the host. */
const HTTPS = /^https:\/\/([^\p{C}\s\\"<>^`{|}/?#@]+)(?:[/?#][^\p{C}\s\\"<>^`{|}]*)?$/iu

/** After the pattern only the host can still be invalid. */
function isHttps(text: string): boolean {
  const host = HTTPS.exec(text)?.[1]
  return host !== undefined && URL.canParse(`https://${host}`)
}

const BOOLEAN = /^(true|false)$/i // .NET writes True and False

/** Query and path values are text: converts plain integers and booleans where the schema has that type. */
function converter(schema: JsonSchema): (data: Record<string, unknown>) => void {
  const typed = Object.entries(schema.properties ?? {}).filter(
    ([, { type }]) => type === 'integer' || type === 'boolean',
  )
  return (data) => {
    for (const [name, { type }] of typed) {
      const value = data[name]
      if (typeof value !== 'string') continue
      if (type === 'integer' && /^-?\d{1,15}$/.test(value)) data[name] = Number(value)
      if (type === 'boolean' && BOOLEAN.test(value)) data[name] = value.toLowerCase() === 'true'
    }
  }
}

/** Fastify validates headers under lower-case names; faults use the usual spelling: `Idempotency-Key`. */
const byHeaderName = (errors: FaultMap): FaultMap =>
  Object.fromEntries(
    Object.entries(errors).map(([name, reasons]) => [name.replace(/\b[a-z]/g, (char) => char.toUpperCase()), reasons]),
  )

const bodyValidators = new WeakMap<TSchema, ReturnType<FastifySchemaCompiler<unknown>>>()

/** The faults of a value that is not a route's body (a form, a row of an upload), by the same rules and texts. */
export function bodyFaults(schema: TSchema, body: unknown): FaultMap {
  const compile = () => buildValidator({})({ schema, httpPart: 'body', method: 'POST', url: '' })
  const { error } = getOrInsert(bodyValidators, schema, compile)(body) as { error?: unknown }
  return error instanceof Problem ? (error.faults ?? {}) : {}
}

/** Ajv's errors by property, at most `MAX_FAULTS`; a last one says if there are more. */
export function faults(errors: readonly ErrorObject[]): FaultMap {
  const isNoise = noiseIn(errors)
  const found = new Map<string, Map<string, Fault>>() // Maps: a member may be called __proto__
  const add = (key: string, reason: Fault) => found.set(key, (found.get(key) ?? new Map()).set(reason.text, reason))
  let named = 0
  for (const error of errors) {
    if (isNoise(error)) continue
    const key = keyOf(error)
    const reason = faultOf(error)
    if (found.get(key)?.has(reason.text)) continue
    if (named === MAX_FAULTS) {
      add('_', MORE_FAULTS)
      break
    }
    add(key, reason)
    named++
  }
  return Object.fromEntries([...found].map(([key, reasons]) => [key, [...reasons.values()]]))
}

/** For a wrong value of a nullable member Ajv also reports "not null" and "no match in the union": both are noise. */
function noiseIn(errors: readonly ErrorObject[]): (error: ErrorObject) => boolean {
  /** Errors at a path and below it, without those of unions. */
  const counts = new Map<string, number>()
  for (const { keyword, instancePath } of errors) {
    if (keyword === 'anyOf') continue
    for (let end = instancePath.length; end >= 0; end = end === 0 ? -1 : instancePath.lastIndexOf('/', end - 1)) {
      const path = instancePath.slice(0, end)
      counts.set(path, (counts.get(path) ?? 0) + 1)
    }
  }
  return ({ keyword, params, instancePath }) => {
    const count = counts.get(instancePath) ?? 0
    return keyword === 'anyOf' ? count > 0 : keyword === 'type' && params.type === 'null' && count > 1
  }
}

/** `/Precio/Importe` becomes `Precio.Importe`, `/Fotos/3` becomes `Fotos[3]`, and the whole body is `_`. */
function keyOf({ instancePath, params, keyword }: ErrorObject): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required') steps.push(params.missingProperty)
  if (keyword === 'additionalProperties') steps.push(shortName(params.additionalProperty))
  return (
    steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '') || '_'
  )
}

const FORMATS: Record<string, string> = labels({
  email: 'problema.format.email',
  date: 'problema.format.date',
  'date-time': 'problema.format.date-time',
  uri: 'problema.format.uri',
  int32: 'problema.format.int32',
})

const TYPES: Record<string, string> = labels({
  string: 'problema.type.string',
  integer: 'problema.type.integer',
  number: 'problema.type.number',
  boolean: 'problema.type.boolean',
  object: 'problema.type.object',
  array: 'problema.type.array',
  null: 'problema.type.null',
})

function formatLabel(format: string): string {
  const own = OWN_FORMATS[format]
  return own ? t(own.text) : (FORMATS[format] ?? format)
}

const mustBe = (what: string): string => t('problema.fault.mustBe', { what })

/** The limit as it is written in JSON. */
const limited =
  (key: MessageKey) =>
  ({ limit }: ErrorObject['params']): string =>
    t(key, { limit: String(limit) })

/** What is wrong, by keyword; `limit` is that of the schema. */
const REASONS: Record<string, { code: FaultCode; text: (params: ErrorObject['params']) => string }> = {
  required: { code: 'requerido', text: () => t('comun.field.missing') },
  additionalProperties: { code: 'desconocido', text: () => t('problema.fault.unknown') },
  type: {
    code: 'tipo',
    text: ({ type }) =>
      mustBe(
        formatList(
          ([type].flat() as string[]).map((each) => TYPES[each] ?? each),
          'disjunction',
        ),
      ),
  },
  format: {
    code: 'formato',
    text: ({ format }) => mustBe(formatLabel(format)),
  },
  enum: {
    code: 'opcion',
    text: ({ allowedValues }) => t('problema.fault.oneOf', { values: allowedValues.join(', ') }),
  },
  const: { code: 'opcion', text: ({ allowedValue }) => mustBe(String(allowedValue)) },
  minLength: { code: 'muy-corto', text: limited('problema.fault.minLength') },
  maxLength: { code: 'muy-largo', text: limited('problema.fault.maxLength') },
  minimum: { code: 'muy-chico', text: limited('problema.fault.minimum') },
  maximum: { code: 'muy-grande', text: limited('problema.fault.maximum') },
  minItems: { code: 'pocos-elementos', text: limited('problema.fault.minItems') },
  maxItems: { code: 'demasiados-elementos', text: limited('problema.fault.maxItems') },
}

function faultOf({ keyword, params }: ErrorObject): Fault {
  if (keyword === 'minLength' && params.limit === 1) return fault('vacio', t('comun.fault.empty'))
  const reason = REASONS[keyword]
  return reason ? fault(reason.code, reason.text(params)) : fault('formato', t('problema.fault.form'))
}
