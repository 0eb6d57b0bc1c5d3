import type { FastifyBaseLogger } from 'fastify'
import type { LoggerOptions } from 'pino'
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

/** One line an answer, by its route: the URL may name a person, the route never does. */
export function logAnswers(log: FastifyBaseLogger): Note {
  const logs = new WeakMap<Route, FastifyBaseLogger>()

  /** What is the same in all lines of a route is printed once. */
  function logOf(route: Route, method: string): FastifyBaseLogger {
    const known = logs.get(route)
    if (known) return known
    const made = log.child({ method, route: route.url ?? 'none' })
    if (route.method === method) logs.set(route, made)
    return made
  }

  return ({ id, method, route, status, ms, app, sitio }) => {
    const line = { reqId: id, status, ms: Math.round(ms * 100) / 100, app, sitio }
    logOf(route, method)[status >= 500 ? 'warn' : 'info'](line, 'request')
  }
}
