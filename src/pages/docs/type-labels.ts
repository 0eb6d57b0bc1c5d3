import { nameOf, type Schema } from '../../http/openapi/document.ts'
import { OWN_FORMATS } from '../../http/validate.ts'

/** The type of a value as text with at most one link: `lista de [Color]`, `texto o null`. */
interface TypeLabel {
  before: string
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

export function typeLabel(schema: Schema): TypeLabel {
  if (schema.$ref) return { before: '', schema: nameOf({ $ref: schema.$ref }), after: '' }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return unionLabel(choices)
  const types = [schema.type ?? []].flat()
  const [type] = types.filter((each) => each !== 'null')
  const orNull = types.includes('null') && type ? ' o null' : ''
  if (type === 'array' && schema.items) return wrapped('lista de ', typeLabel(schema.items), orNull)
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return wrapped('objeto de ', typeLabel(schema.additionalProperties), orNull)
  const words = FORMATS[schema.format ?? ''] ?? TYPES[type ?? types[0] ?? ''] ?? 'cualquier valor'
  return { before: words + orNull, after: '' }
}

function unionLabel(choices: Schema[]): TypeLabel {
  const real = realChoices({ anyOf: choices })
  const orNull = real.length < choices.length ? ' o null' : ''
  const [single] = real
  if (single && (real.length === 1 || real.every(({ const: value }) => value !== undefined)))
    return wrapped('', typeLabel(single), orNull)
  const words = real.map((choice) => {
    const { before, schema = '', after } = typeLabel(choice)
    return before + schema + after
  })
  return { before: `${words.join(' o ')}${orNull}`, after: '' }
}

const wrapped = (before: string, inner: TypeLabel, after: string): TypeLabel => ({
  ...inner,
  before: before + inner.before,
  after: inner.after + after,
})

export function limitLabels(schema: Schema): string[] {
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
    OWN_FORMATS[format ?? '']?.text ?? (pattern ? `con la forma ${pattern}` : ''),
    otherwise === undefined ? '' : `si falta: ${otherwise}`,
  ]
  return limits.filter((limit) => limit !== '')
}

const realChoices = ({ anyOf = [] }: Schema): Schema[] => anyOf.filter(({ type }) => type !== 'null')

/** The schema without its null alternative. */
function unwrap(schema: Schema): Schema {
  const [single, ...more] = realChoices(schema)
  return single && more.length === 0 ? { ...schema, ...single } : schema
}

/** The allowed values, from an enumeration or a union of constants. */
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
