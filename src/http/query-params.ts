import type { FastifyInstance } from 'fastify'
import { type Fault, type FaultMap, fault, invalid, MAX_FAULTS, shortName } from './problems.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

type Query = Record<string, unknown>

interface QueryParams {
  /** The known parameters that have a value, under the schema's names. */
  values: Query
  errors: FaultMap
}

type ReadQuery = (query: Query) => QueryParams

declare module 'fastify' {
  interface FastifyContextConfig {
    readQuery?: ReadQuery
  }
}

/** Runs before validation, so that a parameter that is not understood is reported whatever else is wrong. */
export function matchQueryParams(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { properties = {} } = (route.schema?.querystring ?? {}) as { properties?: object }
    const isChange = [route.method].flat().some((method) => !SAFE_METHODS.has(method))
    route.config = { ...route.config, readQuery: queryReader(Object.keys(properties), isChange) }
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const { values, errors } = request.route.readQuery?.(request.query as Query) ?? { values: {}, errors: {} }
    request.query = values
    done(Object.keys(errors).length > 0 ? invalid(errors) : undefined)
  })
}

/** A read ignores unknown and blank parameters. A change refuses them: a mistyped filter would make it do more. */
function queryReader(names: readonly string[], isChange: boolean): ReadQuery {
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]))
  return (query) => {
    const values = new Map<string, unknown>()
    const faults = new Map<string, Fault>() // a Map: a parameter may be called __proto__
    for (const sent in query) {
      const name = byLowerCase.get(sent.toLowerCase())
      const value = query[sent]
      if (name === undefined) {
        if (isChange) faults.set(shortName(sent) || '_', sent === '' ? UNNAMED : UNKNOWN)
      } else if (values.has(name) || typeof value !== 'string') {
        faults.set(name, REPEATED)
      } else {
        values.set(name, value)
        if (isChange && value === '') faults.set(name, BLANK)
      }
      if (faults.size > MAX_FAULTS) break
    }
    return {
      values: Object.fromEntries([...values].filter(([, value]) => value !== '')),
      errors: Object.fromEntries([...faults].map(([name, reason]) => [name, [reason]])),
    }
  }
}

const UNKNOWN = fault('desconocido', 'Este parámetro no existe.')
const UNNAMED = fault('desconocido', 'Hay un parámetro sin nombre.')
const REPEATED = fault('repetido', 'Se envió más de una vez.')
const BLANK = fault('vacio', 'No puede estar vacío.')
