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
  const real = choices.filter(({ type }) => type !== 'null')
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
  const only = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (only?.length === 1 && only[0]) return limitWords(only[0])
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema
  const values = schema.enum ?? only?.map(({ const: value }) => value).filter((value) => value !== undefined) ?? []
  const limits = [
    schema.format === 'int32' ? '' : range(minimum, maximum, ''),
    range(minLength, maxLength, 'caracteres'),
    range(minItems, maxItems, 'elementos'),
    values.length > 0 ? `uno de: ${values.map(String).join(', ')}` : '',
    schema.const === undefined ? '' : `siempre ${schema.const}`,
    pattern ? `con la forma ${pattern}` : '',
    schema.default === undefined ? '' : `si falta: ${schema.default}`,
  ]
  return limits.filter((limit) => limit !== '')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const counted = unit && ` ${unit}`
  if (least !== undefined && most !== undefined)
    return least === most ? `${least}${counted}` : `${least} a ${most}${counted}`
  if (most !== undefined) return `hasta ${most}${counted}`
  return least === undefined ? '' : `desde ${least}${counted}`
}
