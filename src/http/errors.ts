import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { negotiateLocale } from '../i18n/locale.ts'
import { isConflict, isUnavailable } from '../store/circuit-breaker.ts'
import { MAX_BODY_BYTES } from './body.ts'
import { vary } from './language.ts'
import { pathOf } from './negotiation.ts'
import {
  fault,
  internalError,
  invalid,
  PROBLEM_TYPE,
  Problem,
  problemBody,
  tooLarge,
  unavailable,
  unsupportedType,
} from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What it was refused with. */
    problem: Problem | undefined
  }
}

export function handleErrors(app: FastifyInstance, publicUrl: string): void {
  app.decorateRequest('problem')
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(toProblem(error, request), request, reply, publicUrl),
  )
}

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply, publicUrl: string): FastifyReply {
  request.problem = problem
  const instance = pathOf(request.originalUrl)
  const locale = negotiateLocale(request.headers['accept-language'])
  return vary(reply, 'Accept-Language')
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', PROBLEM_TYPE)
    .send(Buffer.from(JSON.stringify(problemBody(problem, publicUrl, instance, { locale }))))
}

/** The problem that a client sees of an error. Our own faults are logged here. */
export function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error === request.raw.errored) return invalid({ _: [fault('ilegible', 'El cuerpo no llegó completo.')] }) // the client has disconnected
  if (isUnavailable(error)) {
    request.log.warn({ reqId: request.id, err: error }, 'the database is unavailable')
    return unavailable()
  }
  if (isConflict(error)) {
    request.log.warn({ reqId: request.id, err: error }, 'the database ended the transaction in favour of another')
    return unavailable()
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedType()
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request.routeOptions.bodyLimit ?? MAX_BODY_BYTES)
  if (error.statusCode && error.statusCode < 500) return invalid({ _: [fault('ilegible', error.message)] })
  request.log.error({ reqId: request.id, err: error }, 'request failed')
  return internalError(request.id)
}
