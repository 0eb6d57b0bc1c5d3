import { link, segment } from '../../../http/links.ts'
import { firstErrors } from '../../../http/problems.ts'
import type { Faults } from '../faults.ts'
import { publicacionesHref, publicacionHref } from '../represent.ts'
import type { Resultado } from './plan.ts'
import { MAX_ROW_FAULTS } from './rows.ts'
import type { Uploaded } from './upload.ts'

export const MAX_UPLOAD_FAULTS = 1_000 // decisions, 14, "Bodies"

/** What an upload did, or would: row by row, and counted. */
export function loteEntry({ agencia: { adminMail }, rows, absent }: Uploaded, simulacion: boolean) {
  const counts = new Map<Resultado, number>()
  for (const { resultado } of rows) counts.set(resultado, (counts.get(resultado) ?? 0) + 1)
  const count = (resultado: Resultado) => counts.get(resultado) ?? 0
  const faultsOf = faultNamer()
  const linksOf = (externalId: string) => ({ self: link(publicacionHref(adminMail, externalId)) })
  return {
    Simulacion: simulacion,
    Resumen: {
      Creadas: count('creada'),
      Modificadas: count('modificada'),
      SinCambios: count('sin-cambios'),
      Archivadas: absent.length,
      Rechazadas: count('rechazada'),
    },
    _links: {
      publicaciones: link(publicacionesHref(adminMail)),
      productos: link(`/v3/agencias/${segment(adminMail)}/productos`),
      agencia: link(`/v3/agencias/${segment(adminMail)}`),
    },
    _entries: [
      ...rows.map(({ row: { fila, externalId, faults }, current, resultado }) => {
        // What it is called here, which may be in other case than the row has it.
        const called = current?.externalId ?? externalId
        const isThere = current || (resultado === 'creada' && !simulacion)
        return {
          Fila: fila,
          ExternalId: called,
          Resultado: resultado,
          ...(resultado === 'rechazada' && faultsOf(faults)),
          _links: isThere && called !== null ? linksOf(called) : {},
        }
      }),
      ...absent.map(({ externalId }) => ({
        ...{ Fila: null, ExternalId: externalId, Resultado: 'archivada', _links: linksOf(externalId) },
      })),
    ],
  }
}

/** Names the faults of an upload's rows in their order, as many as a row and the upload may have. */
function faultNamer(): (faults: Faults) => object {
  let left = MAX_UPLOAD_FAULTS
  return (faults) => {
    if (left === 0) return { Errors: { _: ['La fila no es válida.'] } }
    const Errors = firstErrors(faults.errors, Math.min(MAX_ROW_FAULTS, left))
    left -= Object.values(Errors).flat().length
    const Candidatos = faults.candidates.filter(({ Campo }) => Campo in Errors)
    return { Errors, ...(Candidatos.length > 0 && { Candidatos }) }
  }
}
