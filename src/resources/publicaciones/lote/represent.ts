import { link, segment } from '../../../http/links.ts'
import { publicacionesHref, publicacionHref } from '../represent.ts'
import type { Resultado } from './plan.ts'
import type { Uploaded } from './upload.ts'

/** What an upload did, or would: row by row, and counted. */
export function loteEntry({ agencia: { adminMail }, rows, absent }: Uploaded, simulacion: boolean) {
  const counts = new Map<Resultado, number>()
  for (const { resultado } of rows) counts.set(resultado, (counts.get(resultado) ?? 0) + 1)
  const count = (resultado: Resultado) => counts.get(resultado) ?? 0
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
          ...(resultado === 'rechazada' && { Errors: faults.errors, ...faults.extensions }),
          _links: isThere && called !== null ? linksOf(called) : {},
        }
      }),
      ...absent.map(({ externalId }) => ({
        ...{ Fila: null, ExternalId: externalId, Resultado: 'archivada', _links: linksOf(externalId) },
      })),
    ],
  }
}
