import { conflict, Problem } from '../../http/problems.ts'

/** What stands in the way of an act, as a person reads it: partners find it by the name of a field. */
export function inWords(error: unknown): unknown {
  if (!(error instanceof Problem) || !error.errors) return error
  return conflict(error.errors, Object.values(error.errors).flat().join(' '))
}
