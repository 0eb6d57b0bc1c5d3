import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { bitOf, type Hecho, type Reads } from './tally.ts'
import type { Usage } from './usage.ts'

const [SIGNED, BEARER, CONDITIONAL] = [bitOf('firma'), bitOf('token'), bitOf('condicional')]
const EITHER = SIGNED | BEARER | CONDITIONAL

/** What an answer of these routes (under /v3) shows that the app can do. */
const SHOWS: readonly (readonly [method: string, path: RegExp, hecho: Hecho])[] = [
  ['GET', /\/bestmatch$/, 'bestmatch'],
  ['POST', /^\/v3\/agencias$/, 'invitacion'],
  ['GET', /^\/v3\/agencias\/:adminMail$/, 'agencia'],
  ['POST', /^\/v3\/publicaciones\/:adminMail(\/lote)?$/, 'publicacion'],
  ['GET', /^\/v3\/consultas\/:adminMail(\/:sid)?$/, 'consulta'],
  ['PUT', /^\/v3\/consultas\/:adminMail\/:sid\/estado$/, 'estado'],
  ['GET', /^\/v3\/eventos$/, 'eventos'],
]

/** What is read of an agency there; a list of agencies is not counted against each. */
const READS: readonly (readonly [path: RegExp, what: keyof Reads])[] = [
  [/^\/v3\/(agencias\/:adminMail(\/productos)?|operadores\/:adminMail|sucursales\/:adminMail(\/:id)?)$/, 'datos'],
  [/^\/v3\/consultas\/:adminMail(\/:sid)?$/, 'consultas'],
]

/** Counts one answer to an app. What a person tried in the portal is counted, but shows nothing of the app's own code. */
export function countAnswer(usage: Usage, request: FastifyRequest, status: number): void {
  const { caller } = request as { caller?: FastifyRequest['caller'] }
  if (!caller) return // nobody knows whose it was
  const tally = usage.of(caller.id)
  tally.answered(status)
  if ((tally.did & EITHER) === EITHER || !cameByWire(request)) return
  tally.did |= isBearer(request) ? BEARER : SIGNED
  if (status === 304) tally.did |= CONDITIONAL
}

/** Notes, of the routes declared from now on, what their good answers show and what they read. */
export function observeRoutes(app: FastifyInstance, usage: Usage): void {
  app.addHook('onRoute', (route) => {
    const [bits, what] = [shownBy(route), readBy(route)]
    if (!bits && !what) return
    route.onResponse = (request, reply, done) => {
      if (reply.statusCode < 300) {
        const tally = usage.of(request.caller.id)
        if (bits & ~tally.did && cameByWire(request)) tally.did |= bits
        if (what) tally.read((request.params as { adminMail: string }).adminMail, what)
      }
      done()
    }
  })
}

const shownBy = ({ method, url }: RouteOptions): number =>
  SHOWS.filter(([verb, path]) => verb === method && path.test(url)).reduce(
    (bits, [, , hecho]) => bits | bitOf(hecho),
    0,
  )

const readBy = ({ method, url }: RouteOptions): keyof Reads | undefined =>
  method === 'GET' ? READS.find(([path]) => path.test(url))?.[1] : undefined

const cameByWire = ({ raw }: FastifyRequest): boolean => raw.socket instanceof Socket

const isBearer = ({ headers }: FastifyRequest): boolean => /^bearer /i.test(headers.authorization ?? '')
