import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'
import type { Usage } from './usage.ts'
import type { Milestone, Reads } from './usage-store.ts'

/** The milestones that a 2xx of these routes (under /v3) proves. */
const PROVEN: readonly (readonly [method: string, path: RegExp, hecho: Milestone])[] = [
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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The milestones that a 2xx of the route proves. */
    milestones?: readonly Milestone[]
    /** What of an agency it reads. */
    reads?: keyof Reads | undefined
  }
}

export interface FinishedRequest {
  caller?: { id: number }
  raw: IncomingMessage
  route: FastifyContextConfig
  params?: unknown
}

/** Counts one answer to an app. Calls that a person tries in the portal count too, but reach no milestone: they prove nothing about the app. */
export function recordResponse(usage: Usage, { caller, raw, route, params }: FinishedRequest, status: number): void {
  if (!caller) return // not authenticated
  const counts = usage.of(caller.id)
  counts.answered(status)
  const isGood = status < 300 && raw.method !== 'HEAD' // which reads nothing
  if (isGood && route.reads) counts.read((params as { adminMail: string }).adminMail, route.reads)
  if (!cameOverNetwork(raw)) return
  counts.milestones.add(isBearer(raw) ? 'token' : 'firma')
  if (status === 304) counts.milestones.add('condicional')
  if (isGood) for (const proven of route.milestones ?? []) counts.milestones.add(proven)
}

/** Sets, for routes declared from now on, which milestones their answers prove and what they read. */
export function annotateRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, milestones: provenBy(route), reads: readBy(route) }
  })
}

const provenBy = ({ method, url }: RouteOptions): Milestone[] =>
  PROVEN.filter(([verb, path]) => [method].flat().includes(verb) && path.test(url)).map(([, , hecho]) => hecho)

const readBy = ({ method, url }: RouteOptions): keyof Reads | undefined =>
  [method].flat().includes('GET') ? READS.find(([path]) => path.test(url))?.[1] : undefined

/** False for what the portal sends for a person. */
export const cameOverNetwork = (raw: IncomingMessage): boolean => raw.socket instanceof Socket

const isBearer = ({ headers }: IncomingMessage): boolean => /^bearer /i.test(headers.authorization ?? '')
