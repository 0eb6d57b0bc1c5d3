import { type Errors, Problem } from '../../http/problems.ts'
import { buildValidator } from '../../http/validate.ts'
import { InteresadoCreate } from './create-schema.ts'
import { personFaults } from './person.ts'
import { tidyInquiry } from './tidy.ts'

const check = buildValidator({})({ schema: InteresadoCreate, method: 'POST', url: '', httpPart: 'body' })

/** Who asks, as a form has it, checked as a site's inquiry is; every fault at once, named by the field. */
export function readPerson(fields: Record<string, string>): InteresadoCreate | { errors: Errors } {
  const tidied: unknown = { ...fields }
  tidyInquiry({ Interesado: tidied })
  const { error } = check(tidied) as { error?: unknown }
  const person = tidied as InteresadoCreate // where nothing is wrong with it
  const errors = { ...byField(personFaults(person)), ...(error instanceof Problem && error.errors) }
  return Object.keys(errors).length > 0 ? { errors } : person
}

const byField = (errors: Errors): Errors =>
  Object.fromEntries(Object.entries(errors).map(([key, messages]) => [key.replace('Interesado.', ''), messages]))
