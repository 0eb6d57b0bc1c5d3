import { sampleOf } from '../../src/pages/docs/sample.ts'
import { type Contract, resolve } from '../client-types.ts'

/** A request of a collection. */
export interface CollectionRequest {
  id: string
  name: string
  description: string
  method: string
  /** With variables: `/v3/agencias/{{adminMail}}`. */
  path: string
  query: { name: string; value: string; isRequired: boolean; description: string }[]
  headers: { name: string; value: string; description: string }[]
  /** An example: JSON, or the fields of a form. */
  json?: string
  form?: Record<string, string>
  /** Whether AppKey and AppSecret go by HTTP Basic; calls under /v3 are signed by the script. */
  isBasic: boolean
  /** Whether its response has the token for the requests after it. */
  givesToken: boolean
}

interface CollectionFolder {
  tag: string
  name: string
  description: string
  requests: CollectionRequest[]
}

export interface Collection {
  name: string
  description: string
  /** The variables that every request may use, with example values. */
  variables: Record<string, string>
  folders: CollectionFolder[]
}

type Schema = Parameters<typeof sampleOf>[0]

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema: Schema
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: object[]
  requestBody?: object
  security?: Record<string, unknown>[]
}

/** The parts of the document that a collection shows beside those of the client. */
interface Described extends Contract {
  info: { title: string; description: string }
  servers: { url: string }[]
  tags: { name: string; 'x-displayName'?: string; description?: string }[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'options']

/** What a collection of the contract has. */
export function collectionOf(document: object): Collection {
  const contract = document as Described
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined
      return operation ? [{ path, method, operation }] : []
    }),
  )
  const inPaths = operations.flatMap(({ operation }) => parametersOf(contract, operation)).filter(isInPath)
  const folders = contract.tags.map(({ name, 'x-displayName': shown = name, description = '' }) => ({
    tag: name,
    name: shown,
    description,
    requests: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => requestOf(contract, path, method, operation)),
  }))
  return {
    name: contract.info.title,
    description: contract.info.description,
    variables: {
      baseUrl: contract.servers[0]?.url ?? '',
      appKey: '',
      appSecret: '',
      signaturePrefix: 'SVC',
      // `firma` signs every request; `token` sends the one that pedirToken got last.
      auth: 'firma',
      accessToken: '',
      ...Object.fromEntries(inPaths.map((parameter) => [parameter.name, exampleOf(contract, parameter)])),
    },
    folders: folders.filter(({ requests }) => requests.length > 0),
  }
}

function requestOf(contract: Described, path: string, method: string, operation: Operation): CollectionRequest {
  const { operationId, summary, description = '', security = [] } = operation
  const parameters = parametersOf(contract, operation)
  return {
    id: operationId,
    name: summary,
    description,
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, '{{$1}}'),
    query: parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({
        name: parameter.name,
        isRequired: parameter.required === true,
        description: parameter.description ?? '',
        value: parameter.required || parameter.example !== undefined ? exampleOf(contract, parameter) : '',
      })),
    headers: parameters
      .filter((parameter) => parameter.in === 'header')
      .map((parameter) => ({ name: parameter.name, value: '', description: parameter.description ?? '' })),
    ...bodyOf(contract, operation),
    isBasic: security.some((scheme) => 'Basic' in scheme),
    givesToken: operationId === 'pedirToken',
  }
}

const parametersOf = (contract: Described, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((parameter) => resolve<Parameter>(contract, parameter))

const isInPath = (parameter: Parameter): boolean => parameter.in === 'path'

function exampleOf(contract: Described, { example, schema }: Parameter): string {
  return String(example ?? sampleOf(schema, contract.components.schemas as Record<string, Schema>, ''))
}

function bodyOf(contract: Described, { requestBody }: Operation): Pick<CollectionRequest, 'json' | 'form'> {
  if (!requestBody) return {}
  const { content } = resolve<{ content: Record<string, { schema: Schema; example?: unknown }> }>(contract, requestBody)
  const json = content['application/json']
  if (!json) return { form: { grant_type: 'client_credentials' } }
  const sample = json.example ?? sampleOf(json.schema, contract.components.schemas as Record<string, Schema>, '')
  return { json: JSON.stringify(sample, null, 2) }
}
