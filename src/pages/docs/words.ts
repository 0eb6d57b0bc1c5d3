import { nameOf, type Schema } from '../../http/openapi/document.ts'

/** What a value is, in words around at most one link: `lista de [Color]`, `texto o null`. */
export interface Words {
  before: string
  /** The schema that is meant, by its name. */
  schema?: string
  after: string
}

const TYPES: Record<string, string> = {
  string: 'texto',
  integer: 'entero',
  number: 'número',
  boolean: 'true o false',
  object: 'objeto',
  array: 'lista',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  email: 'correo electrónico',
  uri: 'URI',
  date: 'fecha AAAA-MM-DD',
  'date-time': 'fecha y hora ISO 8601',
  int32: 'entero de 32 bits',
  tel: 'teléfono',
}

export function typeWords(schema: Schema): Words {
  if (schema.$ref) return { before: '', schema: nameOf({ $ref: schema.$ref }), after: '' }
  if (schema.anyOf) return unionWords(schema.anyOf)
  const types = [schema.type ?? []].flat()
  const [type] = types.filter((each) => each !== 'null')
  const orNull = types.includes('null') && type ? ' o null' : ''
  if (type === 'array' && schema.items) return around('lista de ', typeWords(schema.items), orNull)
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return around('objeto de ', typeWords(schema.additionalProperties), orNull)
  const words = FORMATS[schema.format ?? ''] ?? TYPES[type ?? types[0] ?? ''] ?? 'cualquier valor'
  return { before: words + orNull, after: '' }
}

/** A choice: of a value or null, or of values that are each written out. */
function unionWords(choices: Schema[]): Words {
  const real = realChoices({ anyOf: choices })
  const orNull = real.length < choices.length ? ' o null' : ''
  const [only] = real
  if (only && (real.length === 1 || real.every(({ const: value }) => value !== undefined)))
    return around('', typeWords(only), orNull)
  const words = real.map((choice) => {
    const { before, schema = '', after } = typeWords(choice)
    return before + schema + after
  })
  return { before: `${words.join(' o ')}${orNull}`, after: '' }
}

const around = (before: string, inner: Words, after: string): Words => ({
  ...inner,
  before: before + inner.before,
  after: inner.after + after,
})

/** What a value must satisfy beyond its type, a phrase each. */
export function limitWords(schema: Schema): string[] {
  const {
    format,
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    pattern,
    default: otherwise,
  } = unwrap(schema)
  const values = valuesOf(schema)
  const limits = [
    format === 'int32' ? '' : range(minimum, maximum, ''),
    range(minLength, maxLength, 'caracteres'),
    range(minItems, maxItems, 'elementos'),
    values.length > 1 ? `uno de: ${values.join(', ')}` : values.map((value) => `siempre ${value}`).join(),
    pattern ? `con la forma ${pattern}` : '',
    otherwise === undefined ? '' : `si falta: ${otherwise}`,
  ]
  return limits.filter((limit) => limit !== '')
}

const realChoices = ({ anyOf = [] }: Schema): Schema[] => anyOf.filter(({ type }) => type !== 'null')

/** A value that may also be null has the limits of that value. */
function unwrap(schema: Schema): Schema {
  const [only, ...more] = realChoices(schema)
  return only && more.length === 0 ? { ...schema, ...only } : schema
}

/** The values that are written out, as an enumeration or as a choice of constants. */
function valuesOf(schema: Schema): unknown[] {
  const { enum: listed, const: constant } = unwrap(schema)
  const values = listed ?? [constant, ...realChoices(schema).map(({ const: value }) => value)]
  return [...new Set(values.filter((value) => value !== undefined))]
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const counted = unit && ` ${unit}`
  if (least !== undefined && most !== undefined)
    return least === most ? `${least}${counted}` : `${least} a ${most}${counted}`
  if (most !== undefined) return `hasta ${most}${counted}`
  return least === undefined ? '' : `desde ${least}${counted}`
}
