import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, isWorthCompressing } from './compress.ts'
import type { EncodedBody } from './encoded-body.ts'
import { encodedEtag, namesEtag } from './etag.ts'
import { takesFirst } from './negotiate.ts'
import type { Note } from './note.ts'
import { NOSNIFF, type Route } from './route.ts'

const MOST_KEPT = 10_000
const LONGEST_TARGET = 512 // what partners ask for again is short, and memory is not for those who are not

interface Kept {
  route: Route
  type: string
  print: EncodedBody
  /** Fields of its own. */
  match: string | undefined
}

/** Whoever may have an answer, and what their request is told about it. */
export interface Admitted {
  appKey: string
  fields: string[]
  /** Hears how it was answered. */
  answered(route: Route, status: number): void
}

/** Who passes: proven and within every limit, and all of it known at once. The long way says why the others do not. */
export type Door = (raw: IncomingMessage) => Admitted | undefined

/**
 * A catalogue does not change while the server runs, and tells every app the same. An answer of it that was given once
 * is kept by its address and, asked for again, given before Fastify sets out: that is half of what a request costs.
 * Whatever is out of the ordinary (a refusal, another type, a body, the end of the server) goes the long way.
 */
export class ShortWay {
  readonly #kept = new Map<string, Kept>()
  readonly #nowMs: () => number
  #door: Door = () => undefined
  #note: Note = () => undefined

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** From now on it can be taken. */
  open(door: Door, note: Note): void {
    this.#door = door
    this.#note = note
  }

  /** Keeps an answer, if it is in the type that nearly every client asks for. */
  keep({ method, originalUrl, route, negotiated }: FastifyRequest, reply: FastifyReply, print: EncodedBody): void {
    if (method !== 'GET' || negotiated !== route.offers?.[0]) return
    if (!originalUrl.startsWith('/') || originalUrl.length > LONGEST_TARGET) return
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(originalUrl, { route, type: negotiated, print, match: reply.getHeader('match')?.toString() })
  }

  /** Answers, or says that it did not: also where that failed before anything was sent. */
  take(raw: IncomingMessage, response: ServerResponse): boolean {
    try {
      return this.#answer(raw, response)
    } catch (error) {
      if (response.headersSent) throw error
      return false
    }
  }

  #answer(raw: IncomingMessage, response: ServerResponse): boolean {
    const kept = raw.method === 'GET' ? this.#kept.get(raw.url ?? '') : undefined
    if (!kept || !takesFirst(raw.headers.accept, kept.type)) return false
    const startedMs = this.#nowMs()
    const { print, route } = kept
    const varies = isWorthCompressing(print.bytes)
    const encoding = varies ? chooseEncoding(raw.headers['accept-encoding']) : undefined
    const bytes = encoding ? print.readyIn(encoding) : print.bytes
    const admitted = bytes && this.#door(raw)
    if (!admitted) return false

    const ifNoneMatch = raw.headers['if-none-match']
    const status = ifNoneMatch !== undefined && namesEtag(ifNoneMatch, print.etag) ? 304 : 200
    const id = randomUUID()
    const fields = ['x-request-id', id, ...NOSNIFF, ...admitted.fields]
    fields.push('vary', varies ? 'Accept, Accept-Encoding' : 'Accept')
    fields.push('cache-control', route.caching ?? '', 'etag', encoding ? encodedEtag(print.etag, encoding) : print.etag)
    if (kept.match !== undefined) fields.push('match', kept.match)
    if (status === 200) {
      fields.push('content-type', kept.type, 'content-length', String(bytes.length))
      if (encoding) fields.push('content-encoding', encoding)
    }
    response.writeHead(status, fields).end(status === 200 ? bytes : undefined)
    admitted.answered(route, status)
    const ms = this.#nowMs() - startedMs
    this.#note({ id, method: 'GET', route, status, ms, app: admitted.appKey, sitio: undefined })
    return true
  }
}
