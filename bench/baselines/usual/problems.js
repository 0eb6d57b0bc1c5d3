// Problem responses: thrown anywhere, sent by the last middleware.
import { z } from 'zod'

const KINDS = {
  400: ['solicitud-invalida', 'La solicitud no es válida'],
  401: ['sin-autorizacion', 'Falta una credencial válida'],
  403: ['prohibido', 'La app no tiene permiso'],
  404: ['no-existe', 'No existe'],
  406: ['no-aceptable', 'No hay una representación de ese tipo'],
  409: ['conflicto', 'La solicitud choca con el estado actual'],
  413: ['demasiado-grande', 'El cuerpo es demasiado grande'],
  429: ['demasiadas-solicitudes', 'Demasiadas solicitudes'],
  500: ['error-interno', 'Error interno'],
}

export class Problem extends Error {
  constructor(status, detail, { errors, extensions = {} } = {}) {
    super(detail)
    this.status = status
    this.errors = errors
    this.extensions = extensions
  }
}

export const invalid = (errors, extensions) =>
  new Problem(400, 'Hay datos que corregir: vea Errors.', { errors, extensions })

/** Parses a value with a schema, or throws a problem that names every error. */
export function check(schema, value) {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const errors = {}
  for (const { path, message } of result.error.issues) (errors[path.join('.') || '_'] ??= []).push(message)
  throw invalid(errors)
}

export const adminMailParams = z.object({ adminMail: z.email().max(50).toLowerCase() })

export const answerProblems = (publicUrl) => (error, request, response, _next) => {
  const status = error.status ?? 500
  if (status === 500) request.log.error(error)
  const [name, title] = KINDS[status] ?? KINDS[500]
  response
    .status(status)
    .type('application/problem+json')
    .json({
      ...(error.errors && { Errors: error.errors }),
      Type: `${publicUrl}/problemas/${name}`,
      Title: title,
      Status: status,
      Detail: status === 500 ? 'Algo falló de nuestro lado.' : error.message,
      Instance: request.path,
      Extensions: status === 500 ? { RequestId: request.id } : (error.extensions ?? {}),
    })
}
