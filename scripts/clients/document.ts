type Json = Record<string, unknown>

/** What only the server checks. A client that checked it too would refuse what a later server accepts or sends. */
const CHECKS = new Set(
  ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems'].concat([
    ...['multipleOf', 'additionalProperties', 'discriminator', 'examples', 'example', 'default'],
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
  const { webhooks: _, servers: __, components, paths, ...rest } = structuredClone(contract)
  const { schemas, parameters } = components as Record<string, Record<string, Json>>
  const document: Json = { ...rest, paths: pathsOf(paths as Json) }
  const used = new Map<string, Json>()
  const all: Json = {
    ...schemas,
    Evento: { type: 'object', description: 'Según su Topic', additionalProperties: true },
  }
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(visit)
    if (typeof part !== 'object' || part === null) return
    const { $ref } = part as { $ref?: unknown }
    const name = typeof $ref === 'string' && /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1]
    if (name && !used.has(name)) {
      const schema = name === 'Evento' ? (all.Evento as Json) : (simplify(all[name]) as Json)
      used.set(name, schema)
      visit(schema)
    }
    Object.values(part).forEach(visit)
  }
  const simpleParameters = simplify(parameters)
  visit([document, simpleParameters])
  return {
    ...document,
    tags: (document.tags as Json[]).filter(({ name }) => JSON.stringify(document.paths).includes(`"${name}"`)),
    components: {
      parameters: simpleParameters,
      schemas: Object.fromEntries([...used].sort(([a], [b]) => a.localeCompare(b))),
      securitySchemes: { Firma: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    },
    security: [{ Firma: [] }],
  }
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
    parameters: parameters.filter(({ $ref }) => $ref !== '#/components/parameters/IfNoneMatch').map(simplify),
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

const onlyJson = (content: unknown): Json => {
  const { schema } = (content as Record<string, Json>)[JSON_TYPE] as Json
  return { [JSON_TYPE]: { schema: simplify(schema) } }
}

/** A schema without checks, and without members that the server ignores when it receives them. */
function simplify(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(simplify)
  if (typeof part !== 'object' || part === null) return part
  const { properties, enum: values, description, format, ...rest } = part as Json
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
        .map(([name, schema]) => [name, simplify(schema)]),
    )
  return made
}
