import type { WebhookEvent } from './operations.ts'
import { RodadoError } from './problems.ts'
import { verifyWebhook, WebhookError } from './webhook.ts'

/** What to do with an event. It is answered 204 when this ends, and comes again if it throws; the same `Id` may come twice. */
export type EventHandler = (event: WebhookEvent) => unknown

type Secret = string | readonly string[]
type NodeHeaders = Record<string, string | string[] | undefined>

/** Far more than an event has. */
const MAX_BYTES = 1_048_576

/** A receiver for what speaks `Request` and `Response`: Next, Deno, Bun, Workers. */
export const fetchReceiver =
  (secret: Secret, handle: EventHandler) =>
  async (request: Request): Promise<Response> =>
    new Response(null, { status: await receive(request.headers, request.body ?? [], secret, handle) })

/** A receiver for Hono: `app.post('/rodado', honoReceiver(secret, handle))`. */
export function honoReceiver(secret: Secret, handle: EventHandler) {
  const receiver = fetchReceiver(secret, handle)
  return (context: { req: { raw: Request } }): Promise<Response> => receiver(context.req.raw)
}

interface ExpressRequest extends AsyncIterable<Uint8Array> {
  headers: NodeHeaders
  body?: unknown
}

/** A receiver for Express: `app.post('/rodado', expressReceiver(secret, handle))`, before `express.json()`. */
export const expressReceiver =
  (secret: Secret, handle: EventHandler) =>
  async (
    request: ExpressRequest,
    response: { statusCode: number; end(): unknown },
    next: (error?: unknown) => unknown,
  ): Promise<void> => {
    try {
      const { headers, body } = request
      const isParsed = body !== undefined && !(body instanceof Uint8Array)
      if (isParsed) throw new RodadoError('The body was parsed: put the receiver before express.json().')
      response.statusCode = await receive(headers, body === undefined ? request : [body], secret, handle)
      response.end()
    } catch (error) {
      next(error)
    }
  }

interface FastifyLike {
  removeContentTypeParser(type: string): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(
    path: string,
    handler: (
      request: { headers: NodeHeaders; body: unknown },
      reply: { code(status: number): { send(): unknown } },
    ) => Promise<unknown>,
  ): unknown
}

/** A plugin for Fastify: `app.register(fastifyReceiver('/rodado', secret, handle))`. */
export const fastifyReceiver =
  (path: string, secret: Secret, handle: EventHandler) =>
  async (app: FastifyLike): Promise<void> => {
    // Only inside this plugin: the signature is of the bytes as received.
    app.removeContentTypeParser('application/json')
    const options = { parseAs: 'buffer' as const, bodyLimit: MAX_BYTES }
    app.addContentTypeParser('application/json', options, (_, body, done) => done(null, body))
    app.post(path, async ({ headers, body }, reply) =>
      reply.code(await receive(headers, [body as Uint8Array], secret, handle)).send(),
    )
  }

/** The status to answer with. */
async function receive(
  headers: Headers | NodeHeaders,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  secret: Secret,
  handle: EventHandler,
): Promise<number> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > MAX_BYTES) return 413
    parts.push(chunk)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    body.set(part, offset)
    offset += part.length
  }
  let event: WebhookEvent
  try {
    event = await verifyWebhook(headers, body, secret)
  } catch (error) {
    if (error instanceof WebhookError && error.code !== 'no-secret') return 401
    throw error
  }
  await handle(event)
  return 204
}
