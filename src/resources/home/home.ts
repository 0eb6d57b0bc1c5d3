import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { apiRoutes } from '../../http/api-routes.ts'
import { link } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'

const EntryPoints = Type.Object({ _links: Type.Ref('Links') }, { $id: 'EntryPoints' })

/** The entry points, from which every resource can be reached. */
const ENTRY_POINTS = {
  _links: {
    self: link('/v3'),
    agencias: link('/v3/agencias'),
    agencia: link('/v3/agencias/{adminMail}'),
    invitar: link('/v3/agencias', 'POST'),
    appnotificaciones: link('/v3/appnotificaciones'),
    appnotificacion: link('/v3/appnotificaciones/{topic}'),
    eventos: link('/v3/eventos'),
    carrocerias: link('/v3/carrocerias'),
    'carrocerias-bestmatch': link('/v3/carrocerias/bestmatch?bodystyle={bodystyle}'),
    ciudades: link('/v3/ciudades?region={region}&q={q}'),
    'ciudades-bestmatch': link('/v3/ciudades/bestmatch?state={state}&city={city}'),
    regiones: link('/v3/regiones'),
    'regiones-bestmatch': link('/v3/regiones/bestmatch?state={state}'),
    colores: link('/v3/colores'),
    'colores-bestmatch': link('/v3/colores/bestmatch?color={color}'),
    marcas: link('/v3/marcas'),
    'marcas-bestmatch': link('/v3/marcas/bestmatch?make={make}'),
    modelos: link('/v3/modelos?marca={marca}&q={q}'),
    'modelos-bestmatch': link('/v3/modelos/bestmatch?make={make}&model={model}&bodystyle={bodystyle}'),
    versiones: link('/v3/versiones?modelo={modelo}'),
    'versiones-bestmatch': link(
      '/v3/versiones/bestmatch?make={make}&model={model}&trim={trim}&year={year}&bodystyle={bodystyle}' +
        '&transmissionType={transmissionType}&displacement={displacement}&power={power}&fuelType={fuelType}',
    ),
    consultas: link('/v3/consultas/{adminMail}'),
    publicaciones: link('/v3/publicaciones/{adminMail}'),
    operadores: link('/v3/operadores?operador={operador}'),
    sucursales: link('/v3/sucursales/{adminMail}'),
    documentacion: link('/docs'),
  },
}

/** GET /v3 */
export function homeRoutes(app: FastifyInstance, media: Media): void {
  const home = Buffer.from(JSON.stringify(ENTRY_POINTS))
  apiRoutes(app, media, { tags: ['Home'] }, [EntryPoints])('GET', '', {
    operationId: 'verPuntosDeEntrada',
    summary: 'Puntos de entrada',
    answer: { description: 'Puntos de entrada', entry: 'EntryPoints' },
    caching: 'private, no-cache',
    handle: () => home,
  })
}
