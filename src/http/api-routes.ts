import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { NO_BODY_BYTES } from './body.ts'
import { type ApiResponse, type Media, type RefusalStatus, responsesOf, statusOf } from './responses.ts'

type Requested<Params extends TSchema, Query extends TSchema, Body extends TSchema> = FastifyRequest<{
  Params: Static<Params>
  Querystring: Static<Query>
  Body: Static<Body>
}>

interface ApiRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  operationId: string
  summary: string
  description?: string
  params?: Params
  query?: Query
  headers?: TSchema
  body?: Body
  /** Media types of the body, if it takes others than JSON. */
  consumes?: string[]
  bodyLimit?: number
  response: ApiResponse
  /** Statuses besides those that any route may answer (responses.ts). */
  refuses?: readonly RefusalStatus[]
  caching?: 'private, no-cache'
  takesRows?: boolean
  preValidation?: preValidationHookHandler
  validatorCompiler?: RouteOptions['validatorCompiler']
  /** Returns the representation as an object or, if it is serialised already, as text or bytes. */
  handle(request: Requested<Params, Query, Body>, reply: FastifyReply): unknown
}

/** Declares the routes of one group of tags: schema, responses and caching follow from a short description. */
export function apiRoutes(
  app: FastifyInstance,
  media: Media,
  tagGroup: { tags: string[]; security?: { [scheme: string]: string[] }[] },
  schemas: readonly TSchema[] = [],
) {
  for (const schema of schemas) app.addSchema(schema)
  return <Params extends TSchema = TSchema, Query extends TSchema = TSchema, Body extends TSchema = TSchema>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
    url: string,
    route: ApiRoute<Params, Query, Body>,
  ): void => {
    const { query, body, response, refuses = [], caching = 'no-store', takesRows, handle, ...others } = route
    const { bodyLimit, preValidation, validatorCompiler, ...described } = others
    const status = statusOf(response)
    const isEmpty = response.entry === undefined
    app.route({
      method,
      url,
      schema: {
        ...tagGroup,
        ...described,
        ...(query && { querystring: query }),
        ...(body && { body: named(body) }),
        response: responsesOf(media, method, response, { statuses: refuses, bodyLimit: bodyLimit ?? NO_BODY_BYTES }),
      },
      config: { ...(!isEmpty && { caching }), ...(takesRows && { takesRows }) },
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(preValidation && { preValidation }),
      ...(validatorCompiler && { validatorCompiler }),
      handler(request, reply) {
        reply.code(status)
        const result = handle(request as Requested<Params, Query, Body>, reply)
        if (isEmpty) return Promise.resolve(result).then(() => reply.send())
        return result instanceof Promise ? result.then(serialize) : serialize(result)
      },
    })
  }
}

const serialize = (result: unknown): string | Buffer =>
  typeof result === 'string' || Buffer.isBuffer(result) ? result : JSON.stringify(result)

export const nameOf = (schema: TSchema): string => String((schema as { $id?: string }).$id)

const named = (schema: TSchema): TSchema => ('$id' in schema ? Type.Ref(nameOf(schema)) : schema)
