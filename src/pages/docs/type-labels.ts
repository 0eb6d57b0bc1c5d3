import { nameOf, type Schema } from '../../http/openapi/document.ts'
import { OWN_FORMATS } from '../../http/validate.ts'
import { formatList } from '../../i18n/format.ts'
import { t, textOrElse } from '../../i18n/messages.tsx'

/** The type of a value as text with at most one link: `lista de [Color]`, `texto o null`. */
interface TypeLabel {
  before: string
  schema?: string
  after: string
}

const nameOfType = (type: string | undefined): string | undefined => textOrElse(`docs.type.${type}`, undefined)

export function typeLabel(schema: Schema): TypeLabel {
  if (schema.$ref) return { before: '', schema: nameOf({ $ref: schema.$ref }), after: '' }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return unionLabel(choices)
  const types = [schema.type ?? []].flat()
  const [type] = types.filter((each) => each !== 'null')
  const orNull = type && types.includes('null') ? ['null'] : []
  if (type === 'array' && schema.items)
    return around(typeLabel(schema.items), (item) => either([t('docs.type.listOf', { type: item }), ...orNull]))
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return around(typeLabel(schema.additionalProperties), (value) =>
      either([t('docs.type.objectOf', { type: value }), ...orNull]),
    )
  const label = nameOfType(schema.format) ?? nameOfType(type ?? types[0]) ?? t('docs.type.any')
  return { before: either([label, ...orNull]), after: '' }
}

function unionLabel(choices: Schema[]): TypeLabel {
  const real = realChoices({ anyOf: choices })
  const orNull = real.length < choices.length ? ['null'] : []
  const [single] = real
  if (single && (real.length === 1 || real.every(({ const: value }) => value !== undefined)))
    return around(typeLabel(single), (type) => either([type, ...orNull]))
  const types = real.map((choice) => {
    const { before, schema = '', after } = typeLabel(choice)
    return before + schema + after
  })
  return { before: either([...types, ...orNull]), after: '' }
}

const either = (types: readonly string[]): string => formatList(types, 'disjunction')

/** A text about a type, which may be a link within it. */
function around({ before, schema, after }: TypeLabel, text: (type: string) => string): TypeLabel {
  if (!schema) return { before: text(before), after: '' }
  const [start = '', end = ''] = text('\0').split('\0')
  return { before: start + before, schema, after: after + end }
}

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
  const own = OWN_FORMATS[format ?? '']
  const limits = [
    format === 'int32' ? '' : rangeLabel('number', minimum, maximum),
    rangeLabel('characters', minLength, maxLength),
    rangeLabel('items', minItems, maxItems),
    values.length > 1
      ? t('docs.limit.oneOf', { values: values.join(', ') })
      : values.map((value) => t('docs.limit.always', { value: String(value) })).join(),
    own ? t(own.text) : pattern ? t('docs.limit.pattern', { pattern }) : '',
    otherwise === undefined ? '' : t('docs.limit.default', { value: String(otherwise) }),
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

function rangeLabel(unit: 'number' | 'characters' | 'items', least: number | undefined, most: number | undefined) {
  const from = String(least) // as they are written in JSON
  const to = String(most)
  if (least !== undefined && most !== undefined)
    return least === most ? t(`docs.limit.${unit}.exact`, { to }) : t(`docs.limit.${unit}.range`, { from, to })
  if (most !== undefined) return t(`docs.limit.${unit}.most`, { to })
  return least === undefined ? '' : t(`docs.limit.${unit}.least`, { from })
}
