import { normalizeLine, normalizeLines } from '../../text.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body of an inquiry before it is checked: a site's form sends blanks for what was left empty, which is absent. */
export function tidyInquiry(body: unknown): unknown {
  if (!isObject(body)) return body
  const { Interesado, Catalogo } = body
  for (const part of [body, Interesado, Catalogo, isObject(Interesado) && vehicleOf(Interesado)])
    if (isObject(part)) tidyMembers(part)
  return body
}

const vehicleOf = ({ InfoOperacion }: Json): unknown => isObject(InfoOperacion) && InfoOperacion.EntregaVehiculo

function tidyMembers(part: Json): void {
  for (const [name, value] of Object.entries(part)) {
    if (typeof value !== 'string') continue
    const tidied = name === 'Comentario' ? normalizeLines(value) : normalizeLine(value)
    if (tidied === '') delete part[name]
    else part[name] = tidied
  }
}
