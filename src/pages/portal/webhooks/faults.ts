import { type Errors, Problem } from '../../../http/problems.ts'

/** A refusal that the form shows: what is wrong, and the status it is answered with. */
export interface Refused {
  errors: Errors
  status: number
}

const CHANGED = 'Alguien cambió el webhook mientras tanto: esto es lo que dice ahora. Repita su cambio y guarde.'

/** What an act of the API refused, for the page it was asked from; what is no refusal of a form goes on. */
export function refusalOf(error: unknown): Refused {
  if (!(error instanceof Problem)) throw error
  if (error.name === 'version-distinta') return { errors: { _: [CHANGED] }, status: error.status }
  if (!error.errors) throw error
  return { errors: error.errors, status: error.status }
}
