import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Note } from './note.ts'
import { PROBLEM_TYPE, type Problem, problemBody } from './problems.ts'
import type { Route } from './route.ts'

/** A refusal that is known before anything is done about a request. */
export interface Refusal {
  problem: Problem
  /** Fields of its own, beside those of the problem. */
  fields: string[]
  app?: string | undefined
  sitio?: number | undefined
  /** Hears of it once it is told. */
  told?(route: Route): void
}

/** Whom an API turns away at once; the long way has a word for all the others. */
export type Gate = (raw: IncomingMessage) => Refusal | undefined

export interface TurnAwayOptions {
  publicUrl: string
  nowMs: () => number
  isClosing: () => boolean
  note: Note
}

/**
 * Refuses before Fastify sets out and before a body is read: while there is more to do than can be done, most requests
 * are refused, and each must cost far less than serving it would.
 */
export class TurnAway {
  readonly #gates: { prefix: string; gate: Gate; routes: Map<string, Route> }[] = []
  #options: TurnAwayOptions | undefined

  /** From now on it refuses. */
  open(options: TurnAwayOptions): void {
    this.#options = options
  }

  /** What stands before the addresses under a prefix. */
  before(prefix: string, gate: Gate): void {
    this.#gates.push({ prefix, gate, routes: new Map() })
  }

  /** Refuses, or says that it did not. */
  take(raw: IncomingMessage, response: ServerResponse): boolean {
    const [options, { url = '', method = '' }] = [this.#options, raw]
    const at = options && this.#gates.find(({ prefix }) => url.startsWith(prefix) && isEnd(url[prefix.length]))
    const refusal = at?.gate(raw)
    if (!options || !at || !refusal || options.isClosing()) return false
    const startedMs = options.nowMs()
    const { problem, fields, app, sitio } = refusal
    const body = Buffer.from(JSON.stringify(problemBody(problem, options.publicUrl, url.split('?', 1)[0] ?? '')))
    const id = randomUUID()
    const own = ['x-request-id', id, 'content-type', PROBLEM_TYPE, 'content-length', String(body.length), ...fields]
    for (const [name, value] of Object.entries(problem.headers)) own.push(name, value)
    response.writeHead(problem.status, own).end(body)
    const route = routeOf(at, method)
    refusal.told?.(route)
    options.note({ id, method, route, status: problem.status, ms: options.nowMs() - startedMs, app, sitio })
    return true
  }
}

const isEnd = (next: string | undefined): boolean => next === undefined || next === '/' || next === '?'

/** Which route it would have been is not looked for; of each method there is one, so that its line is prepared once. */
function routeOf({ prefix, routes }: { prefix: string; routes: Map<string, Route> }, method: string): Route {
  const known = routes.get(method)
  if (known) return known
  const made: Route = { url: `${prefix}/*`, method }
  routes.set(method, made)
  return made
}
