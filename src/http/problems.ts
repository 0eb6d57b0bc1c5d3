import { DEFAULT_LOCALE, inLocale, type Locale } from '../i18n/locale.ts'
import { type Message, type MessageKey, message, t, textOf } from '../i18n/messages.tsx'
import { truncate } from '../text.ts'
import type { CODES, CodeOf, FaultCode } from './codes.ts'
import type { ProblemExtensions } from './problem-extensions.ts'

/** The title is in the language of the reader. */
const kind = (status: number, key: MessageKey) => ({
  status,
  get title() {
    return t(key)
  },
})

/** The kinds of refusal. Each has its page under /problemas/{nombre}, which is also its `Type`. */
export const PROBLEMS = {
  'solicitud-invalida': kind(400, 'problema.title.solicitud-invalida'),
  'sin-autorizacion': kind(401, 'problema.title.sin-autorizacion'),
  prohibido: kind(403, 'problema.title.prohibido'),
  'no-existe': kind(404, 'problema.title.no-existe'),
  'metodo-no-permitido': kind(405, 'problema.title.metodo-no-permitido'),
  'no-aceptable': kind(406, 'problema.title.no-aceptable'),
  conflicto: kind(409, 'problema.title.conflicto'),
  'version-distinta': kind(412, 'problema.title.version-distinta'),
  'demasiado-grande': kind(413, 'problema.title.demasiado-grande'),
  'tipo-no-admitido': kind(415, 'problema.title.tipo-no-admitido'),
  'demasiadas-solicitudes': kind(429, 'problema.title.demasiadas-solicitudes'),
  'error-interno': kind(500, 'problema.title.error-interno'),
  'no-disponible': kind(503, 'problema.title.no-disponible'),
} as const satisfies Record<keyof typeof CODES, { status: number; title: string }>

export type ProblemName = keyof typeof PROBLEMS

/** Each kind has a status of its own. */
export const titleOf = (status: number): string =>
  Object.values(PROBLEMS).find((each) => each.status === status)?.title ?? String(status)

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

/** A text, or a message that has it in every language. */
export type Detail = string | Message

interface ProblemOptions {
  faults?: FaultMap
  /** The `Codigo` of any problem but a 400; that of its first fault, or its name, if left out. */
  code?: string | undefined
  extensions?: ProblemExtensions
  headers?: Record<string, string>
}

/** A refusal, thrown anywhere below a route and answered in one place. */
export class Problem extends Error {
  override readonly name: ProblemName
  readonly status: number
  readonly detail: Detail
  readonly faults: FaultMap | undefined
  readonly code: string
  readonly extensions: ProblemExtensions
  readonly headers: Record<string, string>

  constructor(name: ProblemName, detail: Detail, { faults, code, extensions = {}, headers = {} }: ProblemOptions = {}) {
    // Problems are expected answers: nobody reads where one was thrown, and under a flood stack traces are expensive.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(textOf(detail))
    Error.stackTraceLimit = stackTraceLimit
    this.name = name
    this.detail = detail
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

interface BodyOptions {
  status?: number
  /** Of `Title` and `Detail`; the faults stay as they are. */
  locale?: Locale
}

/** The body of a problem: ValidationProblemDetails where it has `Errors`, ProblemDetails otherwise. */
export function problemBody(
  problem: Problem,
  publicUrl: string,
  instance: string,
  { status = problem.status, locale = DEFAULT_LOCALE }: BodyOptions = {},
) {
  const { faults, errors, extensions } = problem
  const texts = inLocale(locale, () => ({
    Title: PROBLEMS[problem.name].title,
    Detail: textOf(problem.detail),
  }))
  return {
    ...(errors && { Errors: errors }),
    Type: `${publicUrl}/problemas/${problem.name}`,
    Title: texts.Title,
    Status: status,
    Detail: texts.Detail,
    Instance: instance,
    Extensions: {
      ...(status !== 400 && { Codigo: problem.code }),
      ...(faults && { Codigos: codesOf(faults) }),
      ...extensions,
    },
  }
}

export const MAX_FAULTS = 100 // docs/decisions/api.md
const MAX_NAME_LENGTH = 100
/** A name from the client. */
export const shortName = (name: string): string => truncate(name, MAX_NAME_LENGTH)
export const MORE_FAULTS = fault('hay-mas', `Hay más errores: solo se muestran los primeros ${MAX_FAULTS}.`)

/** A 400 that names at most 100 faults, and says so if there are more. */
export const invalid = (faults: FaultMap, extensions: ProblemExtensions = {}) =>
  new Problem('solicitud-invalida', message('problema.invalid'), { faults: boundFaults(faults), extensions })

/** Throws that 400 if there is any fault. */
export function refuse(faults: FaultMap, extensions?: ProblemExtensions): void {
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
export const conflict = (faults: FaultMap, detail: Detail, extensions: ProblemExtensions = {}) =>
  new Problem('conflicto', detail, { faults, extensions })

/** Pages, which show no code, leave it out. */
export const forbidden = (detail: Detail, code?: CodeOf<'prohibido'>) => new Problem('prohibido', detail, { code })

export const notFound = (detail: Detail = message('problema.notFound')) => new Problem('no-existe', detail)

export const methodNotAllowed = (allow: string) =>
  new Problem('metodo-no-permitido', message('problema.allowed', { allow }), { headers: { allow } })

export const notAcceptable = (offers: readonly string[]) =>
  new Problem('no-aceptable', message('problema.offered', { types: offers.join(', ') }), {
    extensions: { Tipos: [...offers] },
  })

export const changedSinceRead = () => new Problem('version-distinta', message('problema.changed'))

export const tooLarge = (maxBytes: number) =>
  new Problem('demasiado-grande', message('problema.tooLarge', { max: String(maxBytes) }), {
    extensions: { MaxBytes: maxBytes },
  })

export const unsupportedType = (types: readonly string[] = ['application/json', 'text/json']) =>
  new Problem('tipo-no-admitido', typesDetail(types), {
    headers: { accept: types.join(', ') },
  })

const typesDetail = ([first = '', second, third = 'none']: readonly string[]): Detail =>
  second ? message('problema.eitherType', { first, second, third }) : message('problema.type', { type: first })

export const tooManyRequests = (
  retryAfterSeconds: number,
  detail: Detail,
  code: CodeOf<'demasiadas-solicitudes'> = 'limite-por-direccion',
) => new Problem('demasiadas-solicitudes', detail, { code, headers: { 'retry-after': String(retryAfterSeconds) } })

export const internalError = (requestId: string) =>
  new Problem('error-interno', message('problema.internal'), {
    extensions: { RequestId: requestId },
  })

const RETRY_SECONDS = 5

export const unavailable = (detail: Detail = message('problema.retry'), code?: CodeOf<'no-disponible'>) =>
  new Problem('no-disponible', detail, { code, headers: { 'retry-after': String(RETRY_SECONDS) } })
