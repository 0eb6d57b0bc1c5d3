import { type Errors, Problem } from '../../http/problems.ts'
import { buildValidator } from '../../http/validate.ts'
import { InteresadoCreate } from './create-schema.ts'
import { personFaults } from './person.ts'
import { tidyInquiry } from './tidy.ts'

const check = buildValidator({})({ schema: InteresadoCreate, method: 'POST', url: '', httpPart: 'body' })

/** Who asks, as a form has it, checked as a site's inquiry is; faults are named by the field. */
export function readPerson(fields: Record<string, string>): InteresadoCreate | { errors: Errors } {
  const person: unknown = { ...fields }
  tidyInquiry({ Interesado: person })
  const { error } = check(person) as { error?: unknown }
  if (error instanceof Problem) return { errors: error.errors ?? {} }
  const errors = byField(personFaults(person as InteresadoCreate))
  return Object.keys(errors).length > 0 ? { errors } : (person as InteresadoCreate)
}

const byField = (errors: Errors): Errors =>
  Object.fromEntries(Object.entries(errors).map(([key, messages]) => [key.replace('Interesado.', ''), messages]))
