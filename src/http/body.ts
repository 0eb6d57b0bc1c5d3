import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { getOrInsert } from '../memoize.ts'
import { decodeText, parseJson } from './json.ts'
import { tooLarge, unsupportedType } from './problems.ts'

export const KIB = 1_024
export const MIB = 1_024 * KIB
export const MAX_BODY_BYTES = MIB // docs/decisions/api.md: a route that accepts more declares it
/** The limit of a route without a body: some clients send an empty object. */
export const NO_BODY_BYTES = 4 * KIB

export const JSON_TYPES = ['application/json', 'text/json'] // spec, "Content negotiation"
/** One JSON value per line. */
export const LINES_TYPE = 'application/x-ndjson'
const NO_BODY = Buffer.alloc(0)

/** The bytes of a body, or why they were not read to the end. */
export type Body = Buffer | 'too-large' | 'too-many' | 'overloaded' | 'unread'

/** The unparsed body of a route that takes many rows, each validated and answered by itself. */
export interface Rows {
  bytes: Buffer
  /** One JSON value per line; otherwise a JSON list. */
  isLines: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as received: its digest is checked before it is parsed. */
    rawBody: Body
  }
  interface FastifyContextConfig {
    /** The route takes many rows, as a list or one per line: its handler gets `Rows` and parses them itself. */
    takesRows?: boolean
  }
}

const hasBody = (raw: IncomingMessage): boolean =>
  raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0

const bodyLimit = ({ is404, routeOptions }: FastifyRequest): number =>
  is404 ? NO_BODY_BYTES : (routeOptions.bodyLimit ?? MAX_BODY_BYTES)

/** The rest beyond the limit is never held in memory. A sender may have only so many bytes in progress. */
export async function readBody(request: FastifyRequest, sender: string, isWanted: boolean): Promise<Body> {
  const { raw } = request
  if (!hasBody(raw)) return NO_BODY
  if (!isWanted) return 'unread'
  const limit = bodyLimit(request)
  const declared = Number(raw.headers['content-length'] ?? 0)
  if (declared > limit) return 'too-large'
  if (declared > MAX_BODY_BYTES && !countLarge(request, sender)) return 'too-many'
  return collect(raw, (size) => {
    if (size > limit) return 'too-large'
    if (size > MAX_BODY_BYTES && !countLarge(request, sender)) return 'too-many'
    return hold(request, sender, size)
  })
}

/** The whole body of a page's form. */
export async function readForm(request: FastifyRequest): Promise<Buffer> {
  const { raw } = request
  const limit = bodyLimit(request)
  const isTooLarge = (size: number) => (size > limit ? 'too-large' : undefined)
  const declared = Number(raw.headers['content-length'] ?? 0)
  const body = isTooLarge(declared) ?? (hasBody(raw) ? await collect(raw, isTooLarge) : NO_BODY)
  if (typeof body === 'string') throw tooLarge(limit)
  return body
}

/** Chunks that are joined into one: a body may come in chunks of one byte, and a Buffer takes a hundred. */
const MAX_CHUNKS = 1_024

/** Reads to the end, or until `refuse` says why not. By events: an async iterator takes twice the time for small chunks. */
function collect(raw: IncomingMessage, refuse: (size: number) => Body | undefined): Promise<Body> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let chunks: Buffer[] = []
    let size = 0
    const join = () => {
      if (chunks.length > 0) parts.push(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
      chunks = []
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      const refused = refuse(size)
      if (refused !== undefined) {
        stop()
        raw.off('data', take).pause()
        resolve(refused)
      } else if (chunks.push(chunk) === MAX_CHUNKS) join()
    }
    const stop = finished(raw, { writable: false }, (error) => {
      if (error) return reject(error)
      join()
      resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts))
    })
    raw.on('data', take)
  })
}

/** Bodies over 1 MiB that one sender may have in progress. */
const MAX_LARGE_AT_ONCE = 4
/** Bytes of bodies in progress, of one sender (four uploads and many small ones) and of all: they stay in memory until answered. */
const MAX_HELD_OF_SENDER = 80 * KIB * KIB
const MAX_HELD = 256 * KIB * KIB
/** Bytes that every sender may have in progress, whatever others hold. */
const ALWAYS_ALLOWED = 512 * KIB

/** The bodies in progress of a sender. */
interface Held {
  sender: string
  bytes: number
  large: number
}

let heldInAll = 0
const heldBySender = new Map<string, Held>()
/** What a request has added to its sender's. */
const heldByRequest = new WeakMap<FastifyRequest, { held: Held; bytes: number; isLarge: boolean }>()

/** Counts a body as far as it was read, until `releaseBody`, unless its sender or all senders hold too much. */
function hold(request: FastifyRequest, sender: string, size: number): Body | undefined {
  if (request.raw.socket.destroyed) return undefined // nothing would release it
  const own = countFor(request, sender)
  const more = size - own.bytes
  const ofSender = own.held.bytes + more
  if (ofSender > MAX_HELD_OF_SENDER) return 'too-many'
  if (heldInAll + more > MAX_HELD && ofSender > ALWAYS_ALLOWED) return 'overloaded'
  own.bytes += more
  own.held.bytes += more
  heldInAll += more
  return undefined
}

/** Counts a large body once, until `releaseBody`; false if its sender has too many already. */
function countLarge(request: FastifyRequest, sender: string): boolean {
  if (request.raw.socket.destroyed) return true // nothing would release it
  const own = countFor(request, sender)
  if (own.isLarge) return true
  if (own.held.large >= MAX_LARGE_AT_ONCE) return false
  own.isLarge = true
  own.held.large++
  return true
}

function countFor(request: FastifyRequest, sender: string) {
  const held = getOrInsert(heldBySender, sender, () => ({ sender, bytes: 0, large: 0 }))
  return getOrInsert(heldByRequest, request, () => ({ held, bytes: 0, isLarge: false }))
}

export const mayHoldBody = (request: FastifyRequest): boolean => hasBody(request.raw)

export function releaseBody(request: FastifyRequest): void {
  const own = heldByRequest.get(request)
  if (!own) return
  heldByRequest.delete(request)
  const { held, bytes, isLarge } = own
  heldInAll -= bytes
  held.bytes -= bytes
  if (isLarge) held.large--
  const isLast = held.bytes === 0 && held.large === 0
  if (isLast && heldBySender.get(held.sender) === held) heldBySender.delete(held.sender)
}

/** Parses the bytes that authentication has read; refuses in this order: 415, 413, 400. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRoute', limitBody)
  app.addContentTypeParser('*', (request, _stream, done) => {
    const { rawBody } = request
    if (rawBody.length === 0) return done(null, undefined)
    const { 'content-type': header = '', 'content-encoding': coding = 'identity' } = request.headers
    const { takesRows } = request.route
    const accepted = takesRows ? [...JSON_TYPES, LINES_TYPE] : JSON_TYPES
    const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (!accepted.includes(type) || coding !== 'identity') return done(unsupportedType(accepted))
    if (typeof rawBody === 'string') return done(tooLarge(bodyLimit(request)))
    if (takesRows) return done(null, { bytes: rawBody, isLines: type === LINES_TYPE } satisfies Rows)
    try {
      done(null, parseJson(decodeText(rawBody)))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** A route with a body must declare its limit; others get `NO_BODY_BYTES`. */
function limitBody(route: RouteOptions): void {
  if (route.bodyLimit !== undefined) return
  if (route.schema?.body) throw new Error(`${route.method} ${route.url} takes a body: declare its bodyLimit`)
  route.bodyLimit = NO_BODY_BYTES
}
