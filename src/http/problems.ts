import type { CODES, CodeOf, FaultCode } from './codes.ts'

/** The kinds of refusal. Each has its page under /problemas/{nombre}, which is also its `Type`. */
export const PROBLEMS = {
  'solicitud-invalida': { status: 400, title: 'La solicitud no es válida' },
  'sin-autorizacion': { status: 401, title: 'Falta una credencial válida' },
  prohibido: { status: 403, title: 'La app no tiene permiso' },
  'no-existe': { status: 404, title: 'No existe' },
  'metodo-no-permitido': { status: 405, title: 'El recurso no admite ese método' },
  'no-aceptable': { status: 406, title: 'No hay una representación de ese tipo' },
  conflicto: { status: 409, title: 'La solicitud choca con el estado actual' },
  'version-distinta': { status: 412, title: 'El recurso cambió desde que se leyó' },
  'demasiado-grande': { status: 413, title: 'El cuerpo es demasiado grande' },
  'tipo-no-admitido': { status: 415, title: 'El cuerpo no es de un tipo admitido' },
  'demasiadas-solicitudes': { status: 429, title: 'Demasiadas solicitudes' },
  'error-interno': { status: 500, title: 'Error interno' },
  'no-disponible': { status: 503, title: 'El servicio no está disponible por ahora' },
} as const satisfies Record<keyof typeof CODES, { status: number; title: string }>

export type ProblemName = keyof typeof PROBLEMS

/** What is wrong with a member: a code for programs (codes.ts) and a text for people. */
export interface Fault {
  code: FaultCode
  text: string
}

export const fault = (code: FaultCode, text: string): Fault => ({ code, text })

/** Faults by property; the key `_` holds those of the whole entry (spec, "Problem shapes"). */
export type FaultMap = Record<string, Fault[]>

/** Their texts, which is what people see. */
export type Errors = Record<string, string[]>

export const textsOf = (faults: FaultMap): Errors => mapFaults(faults, ({ text }) => text)
export const codesOf = (faults: FaultMap): Record<string, FaultCode[]> => mapFaults(faults, ({ code }) => code)

/** Without a prototype: a member may be called __proto__. */
function mapFaults<T>(faults: FaultMap, map: (fault: Fault) => T): Record<string, T[]> {
  const mapped: Record<string, T[]> = Object.create(null)
  for (const [member, each] of Object.entries(faults)) mapped[member] = each.map(map)
  return mapped
}

export const PROBLEM_TYPE = 'application/problem+json'

interface ProblemOptions {
  faults?: FaultMap
  /** The `Codigo` of any problem but a 400; that of its first fault, or its name, if left out. */
  code?: string | undefined
  extensions?: Record<string, unknown>
  headers?: Record<string, string>
}

/** A refusal, thrown anywhere below a route and answered in one place. */
export class Problem extends Error {
  override readonly name: ProblemName
  readonly status: number
  readonly faults: FaultMap | undefined
  readonly code: string
  readonly extensions: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(name: ProblemName, detail: string, { faults, code, extensions = {}, headers = {} }: ProblemOptions = {}) {
    // Problems are expected answers: nobody reads where one was thrown, and under a flood stack traces are expensive.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(detail)
    Error.stackTraceLimit = stackTraceLimit
    this.name = name
    this.status = PROBLEMS[name].status
    this.faults = faults
    this.code = code ?? Object.values(faults ?? {})[0]?.[0]?.code ?? name
    this.extensions = extensions
    this.headers = headers
  }

  get errors(): Errors | undefined {
    return this.faults && textsOf(this.faults)
  }
}

/** The body of a problem: ValidationProblemDetails where it has `Errors`, ProblemDetails otherwise. */
export function problemBody(problem: Problem, publicUrl: string, instance: string, status = problem.status) {
  const { faults, errors, extensions } = problem
  return {
    ...(errors && { Errors: errors }),
    Type: `${publicUrl}/problemas/${problem.name}`,
    Title: PROBLEMS[problem.name].title,
    Status: status,
    Detail: problem.message,
    Instance: instance,
    Extensions: {
      ...(status !== 400 && { Codigo: problem.code }),
      ...(faults && { Codigos: codesOf(faults) }),
      ...extensions,
    },
  }
}

const VALIDATION_DETAIL = 'Hay datos que corregir: vea Errors.'

export const MAX_FAULTS = 100 // docs/decisions.md, "API conventions"
/** Characters that are repeated of a property name which the client invented. */
export const MAX_NAME_LENGTH = 100
export const MORE_FAULTS = fault('hay-mas', `Hay más errores: solo se muestran los primeros ${MAX_FAULTS}.`)

/** A 400 that names at most 100 faults, and says so if there are more. */
export const invalid = (faults: FaultMap, extensions: Record<string, unknown> = {}) =>
  new Problem('solicitud-invalida', VALIDATION_DETAIL, { faults: boundFaults(faults), extensions })

/** Throws that 400 if there is any fault. */
export function refuse(faults: FaultMap, extensions?: Record<string, unknown>): void {
  if (Object.keys(faults).length > 0) throw invalid(faults, extensions)
}

function boundFaults(faults: FaultMap): FaultMap {
  const isBound = faults._?.includes(MORE_FAULTS) || Object.values(faults).flat().length <= MAX_FAULTS
  if (isBound) return faults
  const first = firstFaults(faults, MAX_FAULTS)
  first._ = [...(first._ ?? []), MORE_FAULTS]
  return first
}

/** The first of them, no more than `most`. */
export function firstFaults(faults: FaultMap, most: number): FaultMap {
  const first: FaultMap = Object.create(null) // a member may be called __proto__
  let left = most
  for (const [member, reasons] of Object.entries(faults)) {
    if (left <= 0) break
    first[member] = reasons.slice(0, left)
    left -= reasons.length
  }
  return first
}

/** The first fault's code is also that of the problem. */
export const conflict = (faults: FaultMap, detail: string, extensions: Record<string, unknown> = {}) =>
  new Problem('conflicto', detail, { faults, extensions })

/** Pages, which show no code, leave it out. */
export const forbidden = (detail: string, code?: CodeOf<'prohibido'>) => new Problem('prohibido', detail, { code })

export const notFound = (detail = 'No hay nada en esa dirección.') => new Problem('no-existe', detail)

export const methodNotAllowed = (allow: string) =>
  new Problem('metodo-no-permitido', `Este recurso admite: ${allow}.`, { headers: { allow } })

export const notAcceptable = (offers: readonly string[]) =>
  new Problem('no-aceptable', `Este recurso se ofrece como: ${offers.join(', ')}.`, {
    extensions: { Tipos: offers },
  })

export const changedSinceRead = () =>
  new Problem('version-distinta', 'Léalo otra vez y repita el cambio sobre lo que ahora dice.')

export const tooLarge = (maxBytes: number) =>
  new Problem('demasiado-grande', `El cuerpo puede tener hasta ${maxBytes} bytes.`, {
    extensions: { MaxBytes: maxBytes },
  })

export const unsupportedType = (types: readonly string[] = ['application/json', 'text/json']) =>
  new Problem('tipo-no-admitido', `El cuerpo se envía como ${types.join(' o ')}.`, {
    headers: { accept: types.join(', ') },
  })

export const tooManyRequests = (
  retryAfterSeconds: number,
  detail: string,
  code: CodeOf<'demasiadas-solicitudes'> = 'limite-por-direccion',
) => new Problem('demasiadas-solicitudes', detail, { code, headers: { 'retry-after': String(retryAfterSeconds) } })

export const internalError = (requestId: string) =>
  new Problem('error-interno', 'Algo falló de nuestro lado. Si persiste, informe este número de solicitud.', {
    extensions: { RequestId: requestId },
  })

const RETRY_SECONDS = 5

export const unavailable = (detail = 'Vuelva a intentar en unos segundos.', code?: CodeOf<'no-disponible'>) =>
  new Problem('no-disponible', detail, { code, headers: { 'retry-after': String(RETRY_SECONDS) } })
