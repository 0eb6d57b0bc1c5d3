import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  chooseEncoding,
  type EncodedBody,
  encodedBody,
  encodedEtag,
  isWorthCompressing,
  namesEtag,
} from './encoded-body.ts'
import { vary } from './language.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The Cache-Control of a successful answer. A GET then also has an ETag, and 304 if unchanged. */
    caching?: 'private, no-cache' | 'no-store'
  }
}

/** The Cache-Control of what has an address that changes with its content. */
export const FOREVER = 'public, max-age=31536000, immutable'

type Done = (error: Error | null, payload?: unknown) => void

/** The last step of every response: the negotiated type, ETag and 304, then compression. */
export function finishResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (app.draining) reply.header('connection', 'close')
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    if (reply.statusCode >= 400) return encode(request, reply, encodedBody(payload), done)
    if (request.negotiated) reply.header('content-type', request.negotiated)

    const { caching } = request.route
    if (caching) reply.header('cache-control', caching)
    const body = encodedBody(payload)
    if (!caching || reply.statusCode !== 200 || !isRead(request)) return encode(request, reply, body, done)
    return finishRead(request, reply, body, done)
  })
}

const isRead = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD'

function finishRead(request: FastifyRequest, reply: FastifyReply, body: EncodedBody, done: Done): void {
  reply.header('etag', body.etag)
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch === undefined || !namesEtag(ifNoneMatch, body.etag)) return encode(request, reply, body, done)

  const encoding = encodingFor(request, reply, body)
  if (encoding) reply.header('etag', encodedEtag(body.etag, encoding))
  reply.code(304).removeHeader('content-type')
  done(null, null)
}

function encode(request: FastifyRequest, reply: FastifyReply, body: EncodedBody, done: Done): void {
  const encoding = encodingFor(request, reply, body)
  if (!encoding) return done(null, body.body)

  body.encoded(encoding).then(
    (bytes) => {
      reply.header('content-encoding', encoding)
      if (reply.hasHeader('etag')) reply.header('etag', encodedEtag(body.etag, encoding))
      done(null, bytes)
    },
    (error) => done(error),
  )
}

/** The encoding for this client. If it depends on the client, `Vary` says so. */
function encodingFor(request: FastifyRequest, reply: FastifyReply, body: EncodedBody) {
  if (!isWorthCompressing(body.body)) return undefined
  vary(reply, 'Accept-Encoding')
  return chooseEncoding(request.headers['accept-encoding'])
}
