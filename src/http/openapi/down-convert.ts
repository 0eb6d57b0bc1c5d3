import { type Document, operationsOf } from './document.ts'

type Json = Record<string, unknown>

/** Members whose values are examples, not parts of the document. */
const VALUES = new Set(['example', 'default', 'enum'])

/**
 * The document as OpenAPI 3.0.3, for tools that read no 3.1. It converts what our schemas use: null as a type,
 * references with a description, and lists of examples. There are no webhooks in 3.0; what they carry is in `Evento`.
 */
export function downConvert({ webhooks: _, components: { pathItems, ...components }, ...document }: Document): Json {
  const sent = new Set(operationsOf(pathItems ?? {}).flatMap(({ operation }) => operation.tags))
  const tags = document.tags.filter(({ name }) => !sent.has(name))
  return convert({ ...document, openapi: '3.0.3', tags, components }) as Json
}

function convert(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(convert)
  if (typeof part !== 'object' || part === null) return part
  const { examples, anyOf, ...rest } = part as Json
  const [example] = Array.isArray(examples) ? examples : []
  // Tools for 3.0 refuse null as an example, also where it is allowed.
  const made: Json = example === undefined || example === null ? {} : { example }
  for (const [name, value] of Object.entries(rest)) made[name] = VALUES.has(name) ? value : convert(value)
  if (Array.isArray(anyOf)) return union(anyOf, made)
  // OpenAPI 3.0 ignores what is beside a `$ref`.
  if (typeof made.$ref !== 'string' || Object.keys(made).length === 1) return made
  const { $ref, ...beside } = made
  return { allOf: [{ $ref }], ...beside }
}

/** A union; with null it is the rest, nullable. */
function union(given: Json[], beside: Json): Json {
  const choices = given.flatMap((each) => (Array.isArray(each.anyOf) ? (each.anyOf as Json[]) : [each]))
  const real = choices.filter(({ type }) => type !== 'null').map(convert) as Json[]
  const nullable = real.length < choices.length && { nullable: true }
  const [only] = real
  // 3.0.3 has `nullable` only beside a type; what we refer to is an object.
  if (!only || real.length > 1) return { anyOf: real.map((each) => ({ ...each, ...nullable })), ...beside }
  if (typeof only.$ref === 'string') return { type: 'object', allOf: [only], ...beside, ...nullable }
  const values = only.enum as unknown[] | undefined
  return { ...only, ...beside, ...(nullable && values && { enum: [...values, null] }), ...nullable }
}
