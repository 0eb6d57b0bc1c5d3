import { nameOf, type Schema } from '../../http/openapi/document.ts'
import REFERENCES from './references.json' with { type: 'json' }

type Schemas = Record<string, Schema>

const BY_FORMAT: Record<string, string> = {
  email: 'ventas@agencia.example',
  uri: 'https://app.example/notificaciones',
  date: '2025-03-04',
  'date-time': '2025-03-04T12:00:00-03:00',
  tel: '+54 11 5555-0100',
}

/** The value of a text that has no example. */
const TEXT = 'texto'

/** The schema's own example, or a plausible value. `self` is the address of the resource, for its links. */
export function sampleOf(schema: Schema, schemas: Schemas, self: string, inside: readonly string[] = []): unknown {
  if (schema.$ref) return sampleOfNamed(nameOf({ $ref: schema.$ref }), schemas, self, inside)
  const [given = schema.default ?? schema.const ?? schema.enum?.[0]] = schema.examples ?? []
  if (given !== undefined) return given
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (choice) return sampleOf(choice, schemas, self, inside)

  switch ([schema.type].flat()[0]) {
    case 'object':
      return sampleOfMembers(schema, schemas, self, inside)
    case 'array':
      return schema.items ? [sampleOf(schema.items, schemas, `${self.split('?', 1)[0]}/1`, inside)] : []
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? TEXT
    default:
      return null
  }
}

/** Links (spec, "Link object") and references get real addresses. */
function sampleOfNamed(name: string, schemas: Schemas, self: string, inside: readonly string[]): unknown {
  if (name === 'Links') return { self: { href: self } }
  if (name in REFERENCES) return REFERENCES[name as keyof typeof REFERENCES]
  const schema = schemas[name]
  return schema && !inside.includes(name) ? sampleOf(schema, schemas, self, [...inside, name]) : null
}

function sampleOfMembers(
  { properties = {}, additionalProperties }: Schema,
  schemas: Schemas,
  self: string,
  inside: readonly string[],
) {
  const given = Object.entries(properties).filter(([, { readOnly }]) => !readOnly)
  const members = given.map(([name, member]) => [name, sampleOf(member, schemas, self, inside)])
  if (typeof additionalProperties === 'object')
    members.push(['nombre', sampleOf(additionalProperties, schemas, self, inside)])
  return Object.fromEntries(members)
}
