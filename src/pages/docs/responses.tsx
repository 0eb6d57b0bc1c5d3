import type { Content, Document, Operation, Response } from '../../http/openapi/document.ts'
import { PROBLEM_TYPE, PROBLEMS } from '../../http/problems.ts'
import { Status } from '../parts.tsx'
import { headerAnchor } from './anchors.ts'
import { resolve } from './call.ts'
import { TypeOf } from './fields.tsx'

/** The responses of an operation: successes with type and headers, errors on one line each. */
export function Responses({ operation, document }: { operation: Operation; document: Document }) {
  const answers = Object.entries(operation.responses).map(([status, response]) => ({
    status,
    ...resolve(response, document),
  }))
  const isRefusal = ({ content = {} }: Response) => PROBLEM_TYPE in content
  return (
    <ul class="responses">
      {answers.map((answer) => (
        <li key={answer.status}>
          <Status code={answer.status} />
          {isRefusal(answer) ? <Refusal {...answer} /> : <Success {...answer} />}
        </li>
      ))}
    </ul>
  )
}

function Success({ description, content = {}, headers = {} }: Response) {
  return (
    <div>
      <p>{description}</p>
      {bySchema(content).map(({ key, schema, types }) => (
        <p key={key} class="media">
          <TypeOf schema={schema} />
          {types.map((type) => (
            <code key={type}>{type}</code>
          ))}
        </p>
      ))}
      {Object.keys(headers).length > 0 && (
        <p class="headers">
          {Object.keys(headers).map((name) => (
            <a key={name} href={`#${headerAnchor(name)}`}>
              {name}
            </a>
          ))}
        </p>
      )}
    </div>
  )
}

function Refusal({ status, description, content = {} }: Response & { status: string }) {
  const [name] = Object.entries(PROBLEMS).find(([, problem]) => problem.status === Number(status)) ?? []
  const schema = content[PROBLEM_TYPE]?.schema
  return (
    <p>
      {name ? <a href={`/problemas/${name}`}>{description}</a> : description}
      {schema && (
        <span class="type">
          <TypeOf schema={schema} />
        </span>
      )}
    </p>
  )
}

/** Groups media types with the same schema. */
function bySchema(content: Content) {
  const groups = new Map<string, { key: string; schema: Content[string]['schema']; types: string[] }>()
  for (const [type, { schema }] of Object.entries(content)) {
    const key = JSON.stringify(schema)
    const group = groups.get(key) ?? { key, schema, types: [] }
    group.types.push(type)
    groups.set(key, group)
  }
  return [...groups.values()]
}
