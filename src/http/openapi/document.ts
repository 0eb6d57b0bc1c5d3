/** The part of OpenAPI 3.1 that we write and show. */
export interface Document {
  openapi: string
  info: { title: string; version: string; description: string; termsOfService?: string; contact?: object }
  security?: Record<string, string[]>[]
  servers: { url: string }[]
  tags: Tag[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components: Components
}

export interface Components {
  schemas: Record<string, Schema>
  responses?: Record<string, Response>
  parameters?: Record<string, Parameter>
  headers?: Record<string, Header>
  securitySchemes?: Record<string, object>
  pathItems?: Record<string, PathItem>
}

export interface Tag {
  /** In ASCII, for generators that name classes after it. */
  name: string
  /** For people. */
  'x-displayName': string
  description: string
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const
export type Method = (typeof METHODS)[number]
/** With `$ref` only where it stands for one in `components`. */
export type PathItem = Partial<Record<Method, Operation>> & Partial<Reference>

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { description?: string; required?: boolean; content: Content }
  responses: Record<string, Response | Reference>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export interface Response {
  description: string
  headers?: Record<string, Header | Reference>
  content?: Content
}

interface Header {
  description: string
  schema: Schema
}

export type Content = Record<string, { schema: Schema; example?: unknown }>

/** Stands where an object of `components` is meant: `#/components/{kind}/{name}`. */
export interface Reference {
  $ref: string
}

/** JSON Schema 2020-12, as far as our schemas go. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  readOnly?: boolean
  examples?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}

/** The last part of a reference: the name that the component has. */
export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1)

/** Every operation with its address, path by path in the order of the document. */
export function operationsOf(
  paths: Record<string, PathItem>,
): { path: string; method: Method; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method, operation }] : []
    }),
  )
}
