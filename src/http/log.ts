import type { FastifyBaseLogger } from 'fastify'
import { printerOf } from '../log.ts'
import type { Note } from './note.ts'
import type { Route } from './route.ts'

/**
 * One line an answer, by its route: the URL may name a person, the route never does. The line is that of
 * `log.info({ method, route, reqId, … }, 'request')`, printed here: all its members are known, and what is the same in
 * all lines of a route is printed once.
 */
export function logAnswers(log: FastifyBaseLogger): Note {
  const print = printerOf(log)
  const known = new WeakMap<Route, string>()

  function beginningOf(route: Route, method: string): string {
    const printed = known.get(route)
    if (printed !== undefined) return printed
    const made = `,"method":${JSON.stringify(method)},"route":${JSON.stringify(route.url ?? 'none')},"reqId":"`
    if (route.method === method) known.set(route, made)
    return made
  }

  return ({ id, method, route, status, ms, app, sitio }) => {
    const whose = `${app === undefined ? '' : `,"app":"${app}"`}${sitio === undefined ? '' : `,"sitio":${sitio}`}`
    const figures = `","status":${status},"ms":${Math.round(ms * 100) / 100}${whose},"msg":"request"`
    print(status >= 500 ? 'warn' : 'info', `${beginningOf(route, method)}${id}${figures}`)
  }
}
