import type { Schema } from '../../http/openapi/document.ts'
import { t } from '../../i18n/messages.tsx'
import { schemaAnchor } from './anchors.ts'
import { limitLabels, typeLabel } from './type-labels.ts'

export interface SchemaField {
  name: string
  schema: Schema
  required: boolean
  description?: string | undefined
}

export function SchemaFields({ of }: { of: SchemaField[] }) {
  return (
    <dl class="fields">
      {of.map(({ name, schema, required, description = schema.description }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            <span class="type">
              <TypeOf schema={schema} />
            </span>
            {!required && <span class="type">{t('docs.optional')}</span>}
          </dt>
          {description && <dd>{withCode(description)}</dd>}
          {limitLabels(schema).map((limit) => (
            <dd key={limit} class="limit">
              {limit}
            </dd>
          ))}
          <Nested schema={schema} />
        </div>
      ))}
    </dl>
  )
}

/** The members of an anonymous object, below the field that holds it. */
function Nested({ schema }: { schema: Schema }) {
  const inner = schema.anyOf?.find(({ properties }) => properties) ?? schema.items ?? schema
  const members = fieldsOf(inner)
  if (members.length === 0) return null
  return (
    <dd>
      <SchemaFields of={members} />
    </dd>
  )
}

export function TypeOf({ schema }: { schema: Schema }) {
  const { before, schema: name, after } = typeLabel(schema)
  return (
    <>
      {before}
      {name && <a href={`#${schemaAnchor(name)}`}>{name}</a>}
      {after}
    </>
  )
}

export const fieldsOf = ({ properties = {}, required = [] }: Schema): SchemaField[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }))

/** A description of the contract; its Markdown is only code. */
export const withCode = (text: string) =>
  text.split('`').map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))
