import type { FastifyInstance } from 'fastify'
import type { Route } from './route.ts'

/** What is noted of every answer, whichever way it took. */
export interface Answered {
  id: string
  method: string
  route: Route
  status: number
  ms: number
  app: string | undefined
  sitio: number | undefined
}

export type Note = (answered: Answered) => void

/** Has every answer of Fastify noted; returns the same for answers that are given before it. */
export function noteAnswers(app: FastifyInstance, notes: readonly Note[]): Note {
  const note: Note = (answered) => {
    for (const each of notes) each(answered)
  }
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, route, caller, sitio } = request
    const { statusCode: status, elapsedTime: ms } = reply
    note({ id, method, route, status, ms, app: caller?.appKey, sitio: sitio?.id })
    done()
  })
  return note
}
