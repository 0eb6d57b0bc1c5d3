import { OWN_FORMATS } from '../validate.ts'

type Json = Record<string, unknown>

/** Members whose values are examples, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const'])

/**
 * Rewrites what our schemas leave to inference in the terms that every client generator reads: an enum has its type, a
 * constant is an enum of one, a number is a double, a format of our own is also a pattern, and a text in one of several
 * formats is a text.
 */
export function portable<T>(part: T): T {
  if (Array.isArray(part)) return part.map(portable) as T
  if (typeof part !== 'object' || part === null) return part
  const made: Json = {}
  for (const [name, value] of Object.entries(part)) made[name] = VALUES.has(name) ? value : portable(value)
  if (isText(made.anyOf)) {
    const { anyOf, ...rest } = made
    return { ...rest, type: 'string' } as T
  }
  return (isSchema(made) ? explicit(made) : made) as T
}

/** True for a schema whose meaning depends on inference; a member called `type` or `format` is an object, not a text. */
const isSchema = ({ type, enum: values, const: value }: Json): boolean =>
  typeof type === 'string' || Array.isArray(values) || (value !== undefined && typeof value !== 'object')

const isText = (choices: unknown): boolean =>
  Array.isArray(choices) && choices.every(({ type }: Json) => type === 'string')

function explicit({ const: constant, ...schema }: Json): Json {
  const values = (constant === undefined ? schema.enum : [constant]) as unknown[] | undefined
  const type = values ? typeOf(values[0]) : schema.type
  if (type === 'boolean') return { ...schema, type } // Java cannot have an enum of booleans
  const pattern = OWN_FORMATS[String(schema.format)]?.pattern
  return {
    ...schema,
    type,
    ...(values && { enum: values }),
    ...(type === 'number' && { format: 'double' }),
    ...(pattern !== undefined && { pattern }),
  }
}

const typeOf = (value: unknown): string => (Number.isInteger(value) ? 'integer' : typeof value)
