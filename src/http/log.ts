import type { FastifyBaseLogger } from 'fastify'
import { type LoggerOptions, symbols } from 'pino'
import type { Note } from './note.ts'
import type { Route } from './route.ts'

/** PostgreSQL's errors about values, which quote the value; so does JSON.parse. */
const DATA_EXCEPTION = /^22...$/

/** Of an error, what helps: its other members may hold a connection's keys, or the row that a person is in. */
function err(error: NodeJS.ErrnoException) {
  const { name: type, message, code, stack } = error
  if (!(error instanceof SyntaxError) && !DATA_EXCEPTION.test(code ?? '')) return { type, message, code, stack }
  const unquoted = message.replace(/".*"/s, '"…"')
  return { type, message: unquoted, code, stack: stack?.replace(message, () => unquoted) }
}

/** How a line looks, wherever it is written. The time is written once a millisecond: it was the dearest part of a line. */
export function logForm(nowMs: () => number): LoggerOptions {
  let [lastMs, lastTime] = [0, '']
  function timestamp(): string {
    const now = nowMs()
    if (now !== lastMs) [lastMs, lastTime] = [now, `,"time":"${new Date(now).toISOString()}"`]
    return lastTime
  }
  return { base: null, timestamp, serializers: { err } }
}

/** What pino writes lines to, and what it writes of the time: both by the names it gives them for this. */
interface Inside {
  [symbols.streamSym]: { write(line: string): void }
  [symbols.timeSym](): string
  isLevelEnabled(level: string): boolean
}

const LEVELS = { info: 30, warn: 40 }

/**
 * One line an answer, by its route: the URL may name a person, the route never does. The line is that of
 * `log.info({ method, route, reqId, … }, 'request')`, printed here: all its members are known, and what is the same in
 * all lines of a route is printed once.
 */
export function logAnswers(log: FastifyBaseLogger): Note {
  const inside = log as unknown as Inside
  const { [symbols.streamSym]: stream, [symbols.timeSym]: time } = inside
  const known = new WeakMap<Route, string>()

  function beginningOf(route: Route, method: string): string {
    const printed = known.get(route)
    if (printed !== undefined) return printed
    const made = `,"method":${JSON.stringify(method)},"route":${JSON.stringify(route.url ?? 'none')},"reqId":"`
    if (route.method === method) known.set(route, made)
    return made
  }

  return ({ id, method, route, status, ms, app, sitio }) => {
    const level = status >= 500 ? 'warn' : 'info'
    if (!inside.isLevelEnabled(level)) return
    const whose = `${app === undefined ? '' : `,"app":"${app}"`}${sitio === undefined ? '' : `,"sitio":${sitio}`}`
    const figures = `","status":${status},"ms":${Math.round(ms * 100) / 100}${whose},"msg":"request"}\n`
    stream.write(`{"level":${LEVELS[level]}${time()}${beginningOf(route, method)}${id}${figures}`)
  }
}
