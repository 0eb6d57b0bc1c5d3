import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { invalid, tooLarge, unsupportedType } from './problems.ts'

export const MAX_BODY_BYTES = 1_048_576 // decisions, "Problems": 413 over 1 MiB

const BODY_TYPES = /^(?:application|text)\/json\s*(?:;|$)/i
export const NO_BODY = Buffer.alloc(0)

/** The bytes of a body, read before anything is decided about it, or the fact that there are too many. */
export type Body = Buffer | 'too-large'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came: its digest is checked before it is parsed. */
    bytes: Body
  }
}

export const hasBody = (raw: IncomingMessage): boolean =>
  raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0

/** Reads a body up to the limit; what lies beyond is never held in memory. */
export async function readBody(raw: IncomingMessage): Promise<Body> {
  if (!hasBody(raw)) return NO_BODY
  if (Number(raw.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return 'too-large'
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return 'too-large'
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
    const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers
    if (!BODY_TYPES.test(type) || coding !== 'identity') return done(unsupportedType())
    if (bytes === 'too-large') return done(tooLarge(MAX_BODY_BYTES))
    try {
      done(null, parseJson(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** NUL and halves of surrogate pairs, which no text of ours can hold; JSON.stringify writes both as escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/
const SUSPECT = /\\u(?:0000|d[89a-f])/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON as RFC 8259 has it, in UTF-8, without the NUL that no text of ours can hold. */
function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1]
    throw invalid({ _: [`El cuerpo no es JSON válido${position ? ` (posición ${position})` : ''}.`] })
  }
  if (SUSPECT.test(text) && UNSTORABLE.test(JSON.stringify(value).replaceAll('\\\\', '')))
    throw invalid({ _: ['El cuerpo contiene el carácter NUL o la mitad de un carácter.'] })
  return value
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid({ _: ['El cuerpo no está en UTF-8.'] })
  }
}
