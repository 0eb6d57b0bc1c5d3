import type { TSchema } from 'typebox'
import { type Errors, Problem } from './problems.ts'
import { buildValidator } from './validate.ts'

const checks = new WeakMap<TSchema, (body: unknown) => unknown>()

/** What is wrong with a body that came by no route, a form's say, by the same rules and in the same words. */
export function bodyFaults(schema: TSchema, body: unknown): Errors {
  const check = checks.get(schema) ?? buildValidator({})({ schema, httpPart: 'body', method: 'POST', url: '' })
  checks.set(schema, check as (body: unknown) => unknown)
  const { error } = check(body) as { error?: unknown }
  return error instanceof Problem ? (error.errors ?? {}) : {}
}
