import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteGenericInterface,
  RouteShorthandOptions,
} from 'fastify'
import { HIDDEN } from './signed-in.ts'

/** A request to a page, with the context that its plugin made in `preHandler`. */
export type PageRequest<
  Context,
  Route extends RouteGenericInterface = RouteGenericInterface,
> = FastifyRequest<Route> & {
  ctx: Context
}

type Handler<Context, Route extends RouteGenericInterface> = (
  request: PageRequest<Context, Route>,
  reply: FastifyReply,
) => unknown

/** A Fastify scope in which every request has a context. */
export interface PageApp<Context> extends Pick<FastifyInstance, 'inject' | 'swagger'> {
  get<Route extends RouteGenericInterface = RouteGenericInterface>(path: string, handler: Handler<Context, Route>): void
  post<Route extends RouteGenericInterface = RouteGenericInterface>(
    path: string,
    options: RouteShorthandOptions,
    handler: Handler<Context, Route>,
  ): void
}

/**
 * Gives every request of a scope its context before the handler runs. `contextOf` returns undefined where it has
 * answered by itself: a person who is not signed in is redirected.
 */
export function withContext<Context>(
  app: FastifyInstance,
  contextOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Context | undefined>,
): PageApp<Context> {
  app.decorateRequest('ctx')
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, ...HIDDEN.schema }
  })
  app.addHook('preHandler', async (request, reply) => {
    if (request.method === 'OPTIONS') return undefined // it tells nothing but the methods
    const ctx = await contextOf(request, reply)
    if (ctx === undefined) return reply
    Object.assign(request, { ctx })
    return undefined
  })
  return app as unknown as PageApp<Context>
}
