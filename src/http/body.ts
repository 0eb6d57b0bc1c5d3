import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { decodeText, parseJson, parseLines, parseList } from './json.ts'
import { tooLarge, unsupportedType } from './problems.ts'

export const MAX_BODY_BYTES = 1_048_576 // decisions, "Problems": 413 over 1 MiB

export const JSON_TYPES = ['application/json', 'text/json'] // spec, "Content negotiation"
/** A value a line. */
export const LINES_TYPE = 'application/x-ndjson'
export const NO_BODY = Buffer.alloc(0)

/** The bytes of a body, read before anything is decided about it, or the fact that there are too many. */
export type Body = Buffer | 'too-large'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came: its digest is checked before it is parsed. */
    bytes: Body
  }
  interface FastifyContextConfig {
    /** Where a route takes larger bodies than others do. */
    maxBodyBytes?: number
    /** Where a route takes many values, as a list or a line each, and answers for each: how many. */
    mostLines?: number
  }
}

export const hasBody = (raw: IncomingMessage): boolean =>
  raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0

const mostBytes = ({ route }: FastifyRequest): number => route.maxBodyBytes ?? MAX_BODY_BYTES

/** Reads a body up to the limit; what lies beyond is never held in memory. */
export async function readBody(request: FastifyRequest): Promise<Body> {
  const { raw } = request
  if (!hasBody(raw)) return NO_BODY
  const most = mostBytes(request)
  if (Number(raw.headers['content-length'] ?? 0) > most) return 'too-large'
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > most) return 'too-large'
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

/** Makes a scope parse the bytes that were read at its door, refusing in the house's order: 415, 413, 400. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, _stream, done) => {
    const { bytes } = request
    if (bytes.length === 0) return done(null, undefined)
    const { 'content-type': header = '', 'content-encoding': coding = 'identity' } = request.headers
    const { mostLines } = request.route
    const taken = mostLines === undefined ? JSON_TYPES : [...JSON_TYPES, LINES_TYPE]
    const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (!taken.includes(type) || coding !== 'identity') return done(unsupportedType(taken))
    if (bytes === 'too-large') return done(tooLarge(mostBytes(request)))
    try {
      const text = decodeText(bytes)
      if (mostLines === undefined) return done(null, parseJson(text))
      done(null, type === LINES_TYPE ? parseLines(text, mostLines) : parseList(text))
    } catch (error) {
      done(error as Error)
    }
  })
}
