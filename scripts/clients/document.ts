type Json = Record<string, unknown>

/** What only the server checks. A client that checked it too would refuse what a later server accepts or sends. */
const CHECKS = new Set(
  ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems'].concat([
    'multipleOf',
    'additionalProperties',
    'discriminator',
    'examples',
    'example',
    'default',
  ]),
)
/** Formats that change the type in a generated client. Others are checks. */
const TYPE_FORMATS = new Set(['date', 'date-time', 'double', 'int32', 'int64'])
const JSON_TYPE = 'application/json'

/**
 * The contract as the clients are generated from it. Problems, 304 and retries are handled for all calls in one place of each
 * client, so operations have only their success; each answer only its JSON. An enumeration is a text and an event any object,
 * because later versions may add values and topics.
 */
export function clientDocument(contract: Json): Json {
  const { webhooks: _, security: __, components, paths, ...rest } = contract
  const { schemas: given = {}, parameters } = components as Record<string, Record<string, Json>>
  const all: Record<string, Json> = {}
  for (const [name, schema] of Object.entries(given)) all[name] = simplify(schema) as Json
  all.Evento = { type: 'object', description: 'Según su Topic', additionalProperties: true }
  const document = { ...rest, paths: pathsOf(paths as Json) }
  // Before inline objects get their names, so that a schema that is left out takes none.
  const used = referred([document.paths, parameters?.IfMatch], all)
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)))
  nameInlineObjects(schemas)
  const isUsed = ({ name }: Json) => JSON.stringify(document.paths).includes(`"${name}"`)
  return {
    ...document,
    tags: (rest.tags as Json[]).filter(isUsed),
    components: {
      parameters: { IfMatch: simplify(parameters?.IfMatch) },
      schemas,
    },
  }
}

/** The schemas that are reached from there. */
function referred(from: unknown, schemas: Record<string, Json>): Set<string> {
  const found = new Set<string>()
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(schemas[name])
    }
  }
  visit(from)
  return found
}

/** Names for which a property's own is too little. */
const NAMES: Record<string, string> = { LunesItem: 'Turno', DatosTecnicosCustomItem: 'DatoTecnico' }

/** Gives inline objects a name, and equal ones the same: otherwise the price has another type in each place. */
function nameInlineObjects(schemas: Record<string, Json>): void {
  const isText = (key: string, value: unknown) => key === 'description' && typeof value === 'string'
  const shape = (schema: Json) => JSON.stringify(schema, (key, value) => (isText(key, value) ? undefined : value))
  const byShape = new Map(Object.entries(schemas).map(([name, schema]) => [shape(schema), name]))

  function visit(part: unknown, parent: string, name: string): unknown {
    if (Array.isArray(part)) return part.map((each) => visit(each, parent, name))
    if (typeof part !== 'object' || part === null) return part
    const made: Json = { ...part }
    for (const key of ['anyOf', 'oneOf', 'allOf']) if (made[key]) made[key] = visit(made[key], parent, name)
    if (made.items) made.items = visit(made.items, parent, `${name}Item`)
    if (made.properties)
      made.properties = Object.fromEntries(
        Object.entries(made.properties).map(([key, value]) => [key, visit(value, parent, key)]),
      )
    if (!made.properties || name === '') return made
    let known = byShape.get(shape(made))
    if (!known) {
      const plain = NAMES[name] ?? name
      known = schemas[plain] ? `${parent}${plain}` : plain
      byShape.set(shape(made), known)
      schemas[known] = made
    }
    return { $ref: `#/components/schemas/${known}` }
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = visit(schema, name, '') as Json
}

/** Operations under /v3, with their JSON forms only; tokens are requested by the client itself. */
function pathsOf(paths: Json): Json {
  const made: Json = {}
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith('/v3')) continue
    const operations = Object.entries(item as Record<string, Json>).map(([method, operation]) => [
      method,
      operationOf(operation),
    ])
    made[path] = Object.fromEntries(operations)
  }
  return made
}

function operationOf({ security: _, ...operation }: Json): Json {
  const {
    parameters = [],
    requestBody,
    responses,
    ...rest
  } = operation as {
    parameters?: Json[]
    requestBody?: Json
    responses: Record<string, Json>
  }
  return {
    ...rest,
    parameters: parameters.filter(({ $ref }) => $ref !== '#/components/parameters/IfNoneMatch').map(parameterOf),
    ...(requestBody && { requestBody: { ...requestBody, content: onlyJson(requestBody.content) } }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { description, content }]) => [
          status,
          { description, ...(content !== undefined && { content: onlyJson(content) }) },
        ]),
    ),
  }
}

/** A date is a text: the generators for PHP and C# would send the time too. */
function parameterOf(parameter: Json): Json {
  const { schema, description, ...rest } = simplify(parameter) as Json
  const { format, ...plain } = (schema ?? {}) as Json
  if (format !== 'date') return simplify(parameter) as Json
  return { ...rest, schema: plain, description: `${description} (AAAA-MM-DD)` }
}

const onlyJson = (content: unknown): Json => {
  const { schema } = (content as Record<string, Json>)[JSON_TYPE] as Json
  return { [JSON_TYPE]: { schema: simplify(schema) } }
}

/** A schema without checks, and without members that the server ignores when it receives them. */
function simplify(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(simplify)
  if (typeof part !== 'object' || part === null) return part
  const { properties, enum: values, description, format, ...rest } = part as Json
  if (isScalarUnion(rest.anyOf)) return typeof description === 'string' ? { description } : {}
  const made: Json = {}
  for (const [name, value] of Object.entries(rest)) if (!CHECKS.has(name)) made[name] = simplify(value)
  const { additionalProperties } = rest
  if (typeof additionalProperties === 'object' || (additionalProperties === true && !properties))
    made.additionalProperties = simplify(additionalProperties)
  if (TYPE_FORMATS.has(format as string)) made.format = format
  const says = [description, Array.isArray(values) && `(${values.join(', ')})`].filter(Boolean).join(' ')
  if (says) made.description = says
  if (properties)
    made.properties = Object.fromEntries(
      Object.entries(properties as Record<string, Json>)
        .filter(([, { readOnly }]) => !readOnly)
        .map(([name, schema]) => [name, { ...withoutZero(name, simplify(schema) as Json, rest), ...goName(name) }]),
    )
  return made
}

/** True if it is a text or a number: not every language has such a type. */
function isScalarUnion(anyOf: unknown): boolean {
  const types = (choices: unknown): unknown[] =>
    Array.isArray(choices) ? choices.flatMap((each: Json) => (each.anyOf ? types(each.anyOf) : [each.type])) : []
  const real = types(anyOf).filter((type) => type !== 'null')
  return real.length > 1 && real.every((type) => type !== undefined && type !== 'object' && type !== 'array')
}

/** An optional number or boolean may be null: otherwise C# sends 0 and false for what nobody set. */
function withoutZero(name: string, schema: Json, { required }: Json): Json {
  const isOptional = !(Array.isArray(required) && required.includes(name))
  if (!isOptional || !['boolean', 'integer', 'number'].includes(schema.type as string)) return schema
  const { description, ...type } = schema
  return { anyOf: [type, { type: 'null' }], ...(description !== undefined && { description }) }
}

/** Go has no names that begin with _; its generator would write UnderscoreLinks. */
const goName = (name: string): Json =>
  name.startsWith('_') ? { 'x-go-name': `${name.charAt(1).toUpperCase()}${name.slice(2)}` } : {}
