import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Note } from './note.ts'
import { PROBLEM_TYPE, type Problem, problemBody } from './problems.ts'
import { NOSNIFF, type Route } from './route.ts'

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
  log: Pick<FastifyBaseLogger, 'warn'>
  publicUrl: string
  nowMs: () => number
  isClosing: () => boolean
  /** Hears of each for the figures. */
  note: Note
}

const MOST_PRINTED = 100
const LINES_EVERY_MS = 1_000

/** A body and the fields that follow from it. */
interface Printed {
  body: string
  head: string[]
}

/**
 * Refuses before Fastify sets out and before a body is read: while there is more to do than can be done, most requests
 * are refused, and each must cost far less than serving it would.
 */
export class TurnAway {
  readonly #gates: { prefix: string; gate: Gate; routes: Map<string, Route> }[] = []
  readonly #printed = new WeakMap<Problem, Map<string, Printed>>()
  readonly #counted = new Map<string, { count: number; line: object }>()
  #options: TurnAwayOptions | undefined

  /** From now on it refuses. */
  open(options: TurnAwayOptions): void {
    this.#options = options
  }

  /** What stands before the addresses under a prefix. */
  before(prefix: string, gate: Gate): void {
    this.#gates.push({ prefix, gate, routes: new Map() })
  }

  /** What is said of a problem at one address: printed once for as long as it is asked for. */
  #print(problem: Problem, path: string): Printed {
    const printed = this.#printed.get(problem) ?? new Map<string, Printed>()
    const known = printed.get(path)
    if (known) return known
    if (printed.size >= MOST_PRINTED) printed.clear()
    const body = JSON.stringify(problemBody(problem, this.#options?.publicUrl ?? '', path))
    const length = String(Buffer.byteLength(body))
    const made = {
      body,
      head: ['content-type', PROBLEM_TYPE, 'content-length', length, ...NOSNIFF].concat(...headersOf(problem)),
    }
    this.#printed.set(problem, printed.set(path, made))
    return made
  }

  /** Refuses, or says that it did not. */
  take(raw: IncomingMessage, response: ServerResponse): boolean {
    const [options, { url = '', method = '' }] = [this.#options, raw]
    if (!options || options.isClosing()) return false
    const at = this.#gates.find(({ prefix }) => url.startsWith(prefix) && isEnd(url[prefix.length]))
    const refusal = at?.gate(raw)
    if (!at || !refusal) return false
    const startedMs = options.nowMs()
    const { problem, fields, app, sitio } = refusal
    const { body, head } = this.#print(problem, url.split('?', 1)[0] ?? '')
    const id = randomUUID()
    response.writeHead(problem.status, ['x-request-id', id, ...head, ...fields]).end(body) // as text it leaves with its head
    const route = routeOf(at, method)
    refusal.told?.(route)
    options.note({ id, method, route, status: problem.status, ms: options.nowMs() - startedMs, app, sitio })
    this.#count(`${method} ${route.url} ${problem.status} ${app ?? sitio ?? ''}`, () => {
      return { method, route: route.url, reqId: id, status: problem.status, app, sitio }
    })
    return true
  }

  /**
   * A line for each would be a third of what refusing costs: there is one a second for those that are alike, with the id
   * of the first.
   */
  #count(like: string, describe: () => object): void {
    const counted = this.#counted.get(like)
    if (counted) {
      counted.count++
      return
    }
    if (this.#counted.size === 0) setTimeout(() => this.tell(), LINES_EVERY_MS).unref()
    this.#counted.set(like, { count: 1, line: describe() })
  }

  /** Writes down what was counted since the last time; a server that stops does so once more. */
  tell(): void {
    for (const { count, line } of this.#counted.values()) this.#options?.log.warn({ ...line, count }, 'turned away')
    this.#counted.clear()
  }
}

const headersOf = ({ headers }: Problem): string[][] => Object.entries(headers)

const isEnd = (next: string | undefined): boolean => next === undefined || next === '/' || next === '?'

/** Which route it would have been is not looked for; of each method there is one, so that its line is prepared once. */
function routeOf({ prefix, routes }: { prefix: string; routes: Map<string, Route> }, method: string): Route {
  const known = routes.get(method)
  if (known) return known
  const made: Route = { url: `${prefix}/*`, method }
  routes.set(method, made)
  return made
}
