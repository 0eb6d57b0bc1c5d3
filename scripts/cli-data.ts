import { type Contract, resolve } from './client-types.ts'

/** What the command line knows of the contract; `npm run contract` writes it. */
export const SAMPLES = new URL('../cli/src/samples.ts', import.meta.url)
export const PUBLICACION_SCHEMA = new URL('../cli/src/mcp/publicacion-schema.ts', import.meta.url)

const HEAD = '// Written by `npm run contract` from contract/openapi.json; changes belong there.\n'

interface Webhook {
  post: { requestBody: { content: { 'application/json': { example: unknown } } } }
}

/** The example of every webhook in the contract, by topic. */
export function printSamples(contract: Contract): string {
  const samples = Object.entries(contract.webhooks).map(([topic, item]) => {
    const { post } = resolve<Webhook>(contract, item as object)
    return [topic, post.requestBody.content['application/json'].example]
  })
  return `${HEAD}
/** A sample payload of every topic. */
export const SAMPLES: Record<string, Record<string, unknown>> = ${JSON.stringify(Object.fromEntries(samples), null, 2)}
`
}

/** Keywords that a model cannot use, or that another validator may not know. */
const LEFT_OUT = new Set(['format', 'pattern', 'examples'])

/** The form of a listing without references, for the tools of the MCP server. */
export const printPublicacionSchema = (contract: Contract): string =>
  `${HEAD}
/** A listing as it is published, as JSON Schema. */
export const PUBLICACION_SCHEMA: Record<string, unknown> = ${JSON.stringify(
    inlined(contract, contract.components.schemas?.PublicacionCreate),
    null,
    2,
  )}
`

/** With every reference replaced, and without members that are read only. */
function inlined(contract: Contract, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(contract, each))
  if (typeof value !== 'object' || value === null) return value
  const schema = resolve<Record<string, unknown>>(contract, value)
  const members = Object.entries(schema).filter(
    ([name, each]) => !LEFT_OUT.has(name) && (each as { readOnly?: boolean } | null)?.readOnly !== true,
  )
  return Object.fromEntries(members.map(([name, each]) => [name, inlined(contract, each)]))
}
