import { notFound } from '../../../http/problems.ts'
import { end, type ModerationTarget, reactivate, suspend } from '../../../resources/publicaciones/moderate.ts'
import { findAviso } from '../../../resources/publicaciones/read.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { numberParam } from '../../params.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type AccountContext, type AccountPages, ADMINISTRATOR, asAdministrator } from '../context.tsx'
import { PUBLICACIONES, PUBLICACIONES_LIST } from './list.tsx'

type ById = { Params: { id: string } }
const NOT_FOUND = 'No existe ese aviso.'

/** /cuenta/publicaciones: the listings that apps publish for the agency. Each app is notified of changes. */
export function accountPublicacionesRoutes(app: AccountPages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/publicaciones', deps, PUBLICACIONES_LIST)

  /** One of the agency's listings, for its administrator. */
  function moderated(ctx: AccountContext, params: ById['Params']): ModerationTarget {
    const { agencia, account } = asAdministrator(ctx)
    return { aviso: numberParam(params, 'id') ?? 0, modo: account.modo, agenciaId: agencia.id, by: 'agencia' }
  }

  app.post<ById>('/publicaciones/:id/ocultar', CONFIRMATION, async (request, reply) => {
    await suspend(deps, moderated(request.ctx, request.params), null)
    return redirectWithNotice(reply, 'oculto', PUBLICACIONES)
  })

  app.post<ById>('/publicaciones/:id/mostrar', CONFIRMATION, async (request, reply) => {
    const { estado } = await reactivate(deps, moderated(request.ctx, request.params))
    return redirectWithNotice(reply, estado === 'Activa' ? 'mostrado' : 'espera', PUBLICACIONES)
  })

  serveConfirmation(app, '/publicaciones/:id/terminar', {
    audience: ADMINISTRATOR,
    section: PUBLICACIONES,
    load: async (params: ById['Params'], ctx) => {
      const aviso = await findAviso(store, moderated(ctx, params).aviso)
      if (aviso?.agenciaId !== ctx.agencia.id) throw notFound(NOT_FOUND)
      return aviso
    },
    question: ({ marca, modelo, estado }) => {
      if (estado === 'Archivada') throw notFound(NOT_FOUND)
      return {
        title: `¿Terminar el aviso de ${marca} ${modelo}?`,
        button: 'Sí, terminar',
        consequences: (
          <ul>
            <li>El auto deja de mostrarse, y no puede volver a mostrarse con este aviso.</li>
            <li>Queda libre su lugar en el paquete, y la app que lo publicó se entera.</li>
            <li>Sus consultas siguen donde están.</li>
          </ul>
        ),
      }
    },
    act: ({ id }, ctx) => end(deps, moderated(ctx, { id: String(id) })),
    notice: 'archivado',
  })
}
