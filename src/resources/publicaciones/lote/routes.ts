import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { apiRoutes } from '../../../http/api-routes.ts'
import { JSON_TYPES, LINES_TYPE, MIB, type Rows } from '../../../http/body.ts'
import { limitConcurrency } from '../../../http/limit-concurrency.ts'
import { link, segment } from '../../../http/links.ts'
import { codesOf, fault, firstFaults, textsOf, unavailable } from '../../../http/problems.ts'
import type { Media } from '../../../http/responses.ts'
import { MAX_ROW_BYTES } from '../../../http/rows.ts'
import { buildValidator } from '../../../http/validate.ts'
import { message } from '../../../i18n/messages.tsx'
import { AdminMailParams } from '../../agencias/schema.ts'
import type { Faults } from '../faults.ts'
import type { PublicacionesDeps } from '../paquete.ts'
import { publicacionesHref, publicacionHref } from '../publicacion.ts'
import { MAX_CITIES, type Resultado } from './plan.ts'
import { MAX_ROW_FAULTS, MAX_ROWS } from './rows.ts'
import { LOTE_SCHEMAS, LoteQuery } from './schema.ts'
import { readUpload, type Uploaded, upload } from './upload.ts'

/** 500 rows, each with a long description and twenty photos. */
const MAX_UPLOAD_BYTES = 16 * MIB
const ROWS_PER_REQUEST = 50 // docs/decisions/listings.md
const ABSENT_PER_REQUEST = 100

/** Uploads in this process. One that waits holds its body in memory and is one of the requests in progress. */
const limited = limitConcurrency({ most: 2, mostOfKey: 1, refusal: message('problema.inProgress') })

/** POST /v3/publicaciones/{adminMail}/lote */
export function loteRoutes(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  apiRoutes(
    app,
    media,
    { tags: ['Publicaciones'] },
    LOTE_SCHEMAS,
  )('POST', '/publicaciones/:adminMail/lote', {
    operationId: 'publicarLote',
    summary: 'Publicar, editar y archivar muchas publicaciones de una vez',
    description:
      `Hasta ${MAX_ROWS} filas, como lista JSON o de a una por línea (${LINES_TYPE}). Cada fila crea o edita la publicación de su ExternalId y tiene su respuesta; la que falla no afecta a las demás, y repetir lo mismo no cambia nada. ` +
      `El cuerpo puede tener hasta ${MAX_UPLOAD_BYTES / MIB} MiB, y cada fila hasta ${MAX_ROW_BYTES / MIB} MiB. ` +
      `De cada fila se nombran hasta ${MAX_ROW_FAULTS} errores; después de ${MAX_UPLOAD_FAULTS} en un lote, de cada fila se dice solo que no es válida. ` +
      `Las filas pueden nombrar hasta ${MAX_CITIES} ciudades distintas. ` +
      `El lote cuenta como una solicitud por cada ${ROWS_PER_REQUEST} filas; con modo=completo, también una por cada ${ABSENT_PER_REQUEST} publicaciones que archiva. ` +
      `modo=completo es para quien tiene hasta ${MAX_ROWS} publicaciones: con más, se envían por partes en modo parcial y lo que ya no está se archiva con DELETE.`,
    params: AdminMailParams,
    query: LoteQuery,
    body: Type.Unsafe<Rows | undefined>(Type.Array(Type.Ref('PublicacionFila'), { maxItems: MAX_ROWS })),
    consumes: [...JSON_TYPES, LINES_TYPE],
    bodyLimit: MAX_UPLOAD_BYTES,
    takesRows: true,
    // Each row is validated on its own.
    validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : buildValidator({})(part)),
    response: { description: 'Qué pasó con cada fila', entry: 'PublicacionesLote' },
    refuses: [404],
    handle({ caller, params, query, body, raw }, reply) {
      return limited(caller.id, async () => {
        if (raw.socket.destroyed) throw unavailable() // nobody waits for the answer any more
        const rows = await readUpload(deps, caller, params.adminMail, body, query)
        reply.countAs(Math.ceil(rows.length / ROWS_PER_REQUEST))
        const uploaded = await upload(deps, caller, params.adminMail, rows, query)
        const simulacion = query.simular === true
        if (!simulacion) reply.countAs(1 + Math.floor(uploaded.absent.length / ABSENT_PER_REQUEST))
        return loteEntry(uploaded, simulacion)
      })
    },
  })
}

const MAX_UPLOAD_FAULTS = 1_000 // docs/decisions/listings.md

function loteEntry({ agencia: { adminMail }, rows, absent }: Uploaded, simulacion: boolean) {
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
        // As it is stored, perhaps in other case than in the row.
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
        Fila: null,
        ExternalId: externalId,
        Resultado: 'archivada',
        _links: linksOf(externalId),
      })),
    ],
  }
}

const UNNAMED = { _: [fault('fila-invalida', 'La fila no es válida.')] }

/** Reports the faults of rows in their order, up to the maxima of a row and of the upload. */
function faultNamer(): (faults: Faults) => object {
  let left = MAX_UPLOAD_FAULTS
  return (faults) => {
    const named = left === 0 ? UNNAMED : firstFaults(faults.errors, Math.min(MAX_ROW_FAULTS, left))
    const Candidatos = faults.candidates.filter(({ Campo }) => Campo in named)
    if (left > 0) left -= Object.values(named).flat().length
    return { Errors: textsOf(named), Codigos: codesOf(named), ...(Candidatos.length > 0 && { Candidatos }) }
  }
}
