import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { JSON_TYPES, LINES_TYPE } from '../../../http/body.ts'
import type { Media } from '../../../http/media.ts'
import { answers } from '../../../http/responses.ts'
import { MAX_ROW_BYTES, type Rows } from '../../../http/rows.ts'
import { buildValidator } from '../../../http/validate.ts'
import { AdminMailParams } from '../../agencias/schema.ts'
import type { PublicacionesDeps } from '../deps.ts'
import { MAX_CITIES } from './plan.ts'
import { loteEntry, MAX_UPLOAD_FAULTS } from './represent.ts'
import { MAX_ROW_FAULTS, MAX_ROWS } from './rows.ts'
import { LOTE_SCHEMAS, LoteQuery } from './schema.ts'
import { upload } from './upload.ts'

/** 500 rows, each with a long description and twenty photos. */
const MAX_UPLOAD_BYTES = 16 * 1_048_576

/** POST /v3/publicaciones/{adminMail}/lote */
export function loteRoutes(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  for (const schema of LOTE_SCHEMAS) app.addSchema(schema)
  app.post<{ Params: { adminMail: string }; Querystring: LoteQuery; Body: Rows | undefined }>(
    '/publicaciones/:adminMail/lote',
    {
      bodyLimit: MAX_UPLOAD_BYTES,
      schema: {
        tags: ['Publicaciones'],
        operationId: 'publicarLote',
        summary: 'Publicar, editar y archivar muchas de una vez',
        description:
          `Hasta ${MAX_ROWS} filas, como lista JSON o de a una por línea (${LINES_TYPE}). Cada fila crea o edita la publicación de su ExternalId y tiene su respuesta; la que falla no afecta a las demás, y repetir lo mismo no cambia nada. ` +
          `El cuerpo puede tener hasta ${MAX_UPLOAD_BYTES} bytes, y cada fila hasta ${MAX_ROW_BYTES}. ` +
          `De cada fila se nombran hasta ${MAX_ROW_FAULTS} errores; después de ${MAX_UPLOAD_FAULTS} en un lote, de cada fila se dice solo que no es válida. ` +
          `Las filas pueden nombrar hasta ${MAX_CITIES} ciudades distintas. ` +
          `modo=completo es para quien tiene hasta ${MAX_ROWS} publicaciones: con más, se envían de a partes en modo parcial y lo que ya no está se archiva con DELETE.`,
        params: AdminMailParams,
        querystring: LoteQuery,
        consumes: [...JSON_TYPES, LINES_TYPE],
        body: Type.Array(Type.Ref('PublicacionFila'), { maxItems: MAX_ROWS }),
        response: answers(media, { description: 'Qué pasó con cada fila', entry: Type.Ref('PublicacionesLote') }, [
          ...([400, 404, 413, 415] as const),
        ]),
      },
      config: { caching: 'no-store', takesRows: true },
      // Each row is checked by itself, and refused by itself.
      validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : buildValidator({})(part)),
    },
    async ({ caller, params, query, body }) => {
      const uploaded = await upload(deps, caller, params.adminMail, body, query)
      return JSON.stringify(loteEntry(uploaded, query.simular === true))
    },
  )
}
