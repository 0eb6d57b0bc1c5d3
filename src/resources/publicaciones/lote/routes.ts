import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { JSON_TYPES, LINES_TYPE } from '../../../http/body.ts'
import type { Media } from '../../../http/media.ts'
import { invalid } from '../../../http/problems.ts'
import { answers } from '../../../http/responses.ts'
import { buildValidator } from '../../../http/validate.ts'
import { AdminMailParams } from '../../agencias/schema.ts'
import type { PublicacionesNeeds } from '../needs.ts'
import { loteEntry } from './represent.ts'
import { LOTE_SCHEMAS, LoteQuery } from './schema.ts'
import { MOST_ROWS, upload } from './upload.ts'

/** 500 rows, each with a long description and twenty photos. */
const MAX_UPLOAD_BYTES = 16 * 1_048_576

/** POST /v3/publicaciones/{adminMail}/lote */
export function loteRoutes(app: FastifyInstance, media: Media, needs: PublicacionesNeeds): void {
  for (const schema of LOTE_SCHEMAS) app.addSchema(schema)
  app.post<{ Params: { adminMail: string }; Querystring: LoteQuery; Body: unknown }>(
    '/publicaciones/:adminMail/lote',
    {
      schema: {
        tags: ['Publicaciones'],
        operationId: 'publicarLote',
        summary: 'Publicar, editar y archivar muchas de una vez',
        description:
          `Hasta ${MOST_ROWS} filas, como lista JSON o de a una por línea (${LINES_TYPE}). Cada fila crea o edita la publicación de su ExternalId y tiene su respuesta; la que falla no afecta a las demás, y repetir lo mismo no cambia nada. ` +
          `El cuerpo puede tener hasta ${MAX_UPLOAD_BYTES} bytes. ` +
          `modo=completo es para quien tiene hasta ${MOST_ROWS} publicaciones: con más, se envían de a partes en modo parcial y lo que ya no está se archiva con DELETE.`,
        params: AdminMailParams,
        querystring: LoteQuery,
        consumes: [...JSON_TYPES, LINES_TYPE],
        body: Type.Array(Type.Ref('PublicacionFila'), { maxItems: MOST_ROWS }),
        response: answers(media, { description: 'Qué pasó con cada fila', entry: Type.Ref('PublicacionesLote') }, [
          ...([400, 404, 413, 415] as const),
        ]),
      },
      config: { caching: 'no-store', maxBodyBytes: MAX_UPLOAD_BYTES, mostLines: MOST_ROWS },
      // Each row is checked by itself, and refused by itself.
      validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : buildValidator({})(part)),
    },
    async ({ caller, params, query, body }) => {
      const uploaded = await upload(needs, caller, params.adminMail, rowsOf(body, query), query)
      return JSON.stringify(loteEntry(uploaded, query.simular === true))
    },
  )
}

function rowsOf(body: unknown, { modo }: LoteQuery): unknown[] {
  if (!Array.isArray(body)) throw invalid({ _: ['Debe ser una lista, o una publicación por línea.'] })
  if (body.length > MOST_ROWS) throw invalid({ _: [modo === 'completo' ? TOO_MANY_COMPLETE : TOO_MANY] })
  return body
}

const TOO_MANY = `Puede tener hasta ${MOST_ROWS} filas: envíe las demás en otro lote.`
/** What is in another upload would be absent from this one, so the stock of a larger dealer is no matter of one upload. */
const TOO_MANY_COMPLETE =
  `Puede tener hasta ${MOST_ROWS} filas, y en modo completo lo que va en otro lote se archivaría. ` +
  'Con más stock, envíelo de a partes en modo parcial, y archive lo que ya no está con DELETE.'
