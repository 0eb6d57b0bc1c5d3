import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, isWorthCompressing } from './compress.ts'
import { type EncodedBody, encodedBody } from './encoded-body.ts'
import { encodedEtag, namesEtag } from './etag.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Set where GET answers one resource or a catalogue list: it then has an ETag, and 304 where nothing changed.
     * Catalogues are checked for change before they are used again; persons' data is never kept.
     */
    caching?: 'private, no-cache' | 'no-store'
  }
}

type Done = (error: Error | null, payload?: unknown) => void

/** The last step of every answer: the type that was negotiated, ETag and 304, then compression. */
export function finishResponses(app: FastifyInstance, isClosing: () => boolean): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isClosing()) reply.header('connection', 'close')
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    if (reply.statusCode >= 400) return encode(request, reply, encodedBody(payload), done)
    if (request.negotiated) reply.header('content-type', request.negotiated)

    const { caching } = request.route
    if (caching) reply.header('cache-control', caching)
    const print = encodedBody(payload)
    if (!caching || reply.statusCode !== 200 || !isRead(request)) return encode(request, reply, print, done)
    return finishRead(request, reply, print, done)
  })
}

const isRead = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD'

function finishRead(request: FastifyRequest, reply: FastifyReply, print: EncodedBody, done: Done): void {
  reply.header('etag', print.etag)
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch === undefined || !namesEtag(ifNoneMatch, print.etag)) return encode(request, reply, print, done)

  const encoding = encodingFor(request, reply, print)
  if (encoding) reply.header('etag', encodedEtag(print.etag, encoding))
  reply.code(304).removeHeader('content-type')
  done(null, null)
}

function encode(request: FastifyRequest, reply: FastifyReply, print: EncodedBody, done: Done): void {
  const encoding = encodingFor(request, reply, print)
  if (!encoding) return done(null, print.bytes)

  print.encoded(encoding).then(
    (bytes) => {
      reply.header('content-encoding', encoding)
      if (reply.hasHeader('etag')) reply.header('etag', encodedEtag(print.etag, encoding))
      done(null, bytes)
    },
    (error) => done(error),
  )
}

/** What this client gets these bytes in; where that depends on the client, the answer says so. */
function encodingFor(request: FastifyRequest, reply: FastifyReply, print: EncodedBody) {
  if (!isWorthCompressing(print.bytes)) return undefined
  const vary = reply.getHeader('vary')
  reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding')
  return chooseEncoding(request.headers['accept-encoding'])
}
