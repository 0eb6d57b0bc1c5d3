import { type Contract, resolve } from './client-types.ts'

/** The sample payloads of the command line; `npm run contract` writes them. */
export const SAMPLES = new URL('../cli/src/samples.ts', import.meta.url)

interface Webhook {
  post: { requestBody: { content: { 'application/json': { example: unknown } } } }
}

/** The example of every webhook in the contract, by topic. */
export function printSamples(contract: Contract): string {
  const samples = Object.entries(contract.webhooks).map(([topic, item]) => {
    const { post } = resolve<Webhook>(contract, item as object)
    return [topic, post.requestBody.content['application/json'].example]
  })
  return `// Written by \`npm run contract\` from contract/openapi.json; changes belong there.

/** A sample payload of every topic. */
export const SAMPLES: Record<string, Record<string, unknown>> = ${JSON.stringify(Object.fromEntries(samples), null, 2)}
`
}
