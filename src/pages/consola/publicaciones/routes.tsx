import type { FastifyReply } from 'fastify'
import { message, t } from '../../../i18n/messages.tsx'
import { retryPhotos } from '../../../photos/photo.ts'
import { reactivate, suspend } from '../../../resources/publicaciones/moderate.ts'
import {
  findPublicacionForStaff,
  type ListedPublicacion,
  nextToModerate,
} from '../../../resources/publicaciones/staff.ts'
import { normalizeLine } from '../../../text.ts'
import { CONFIRMATION_FORM, formRoute } from '../../form.ts'
import { type Refused, readFields } from '../../form-fields.tsx'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { idIn, requireFound } from '../../params.ts'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { ConsoleContext, ConsolePages } from '../context.tsx'
import { consolaPublicacionHref, PUBLICACIONES_LIST } from './list.tsx'
import { GO_ON, MAX_REASON, moderationTarget, publicacionPage, reasonFields, unlessChanged } from './page.tsx'

/** /consola/publicaciones: what is on offer, and the marketplace's say in it. */
export function publicacionesConsoleRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/publicaciones', deps, PUBLICACIONES_LIST)

  const find = async (id: string): Promise<ListedPublicacion> =>
    requireFound(await findPublicacionForStaff(store, idIn(id)), message('consola.listing.noSuch'))

  async function show(
    reply: FastifyReply,
    ctx: ConsoleContext,
    publicacion: ListedPublicacion,
    refused?: Refused,
  ): Promise<FastifyReply> {
    return page(reply, await publicacionPage(store, ctx, publicacion, refused), refused ? 400 : 200)
  }

  app.get<ById>('/publicaciones/:id', async ({ ctx, params }, reply) => show(reply, ctx, await find(params.id)))

  app.post<ById>('/publicaciones/:id/suspender', formRoute(2 * MAX_REASON), async ({ ctx, params, form }, reply) => {
    const publicacion = await find(params.id)
    const { given, errors } = readFields(reasonFields(), form, ({ Razon, Motivo }) =>
      Razon || Motivo ? {} : { Razon: [t('consola.listing.reasonNeeded')] },
    )
    if (errors) return show(reply, ctx, publicacion, { given, errors })
    const motivo = normalizeLine(`${given.Razon} ${given.Motivo}`)
    const suspended = await unlessChanged(
      ctx.change({ act: 'aviso.suspender', subject: String(publicacion.id), detail: { motivo } }, (tx) =>
        suspend({ ...deps, store: tx }, moderationTarget(publicacion, form), motivo),
      ),
    )
    if (!suspended) return redirectWithNotice(reply, 'aviso-cambiado', consolaPublicacionHref(publicacion))
    const next = form.has(GO_ON) ? await nextToModerate(store, publicacion) : undefined
    return next
      ? redirectWithNotice(reply, 'aviso-suspendido-siguiente', consolaPublicacionHref({ id: next }))
      : redirectWithNotice(reply, 'aviso-suspendido', consolaPublicacionHref(publicacion))
  })

  app.post<ById>('/publicaciones/:id/fotos', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const publicacion = await find(params.id)
    await ctx.change({ act: 'aviso.fotos', subject: String(publicacion.id) }, (tx) => retryPhotos(tx, publicacion.id))
    return redirectWithNotice(reply, 'aviso-fotos', consolaPublicacionHref(publicacion))
  })

  app.post<ById>('/publicaciones/:id/reactivar', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const publicacion = await find(params.id)
    const reactivated = await unlessChanged(
      ctx.change({ act: 'aviso.reactivar', subject: String(publicacion.id) }, (tx) =>
        reactivate({ ...deps, store: tx }, moderationTarget(publicacion, form)),
      ),
    )
    if (!reactivated) return redirectWithNotice(reply, 'aviso-cambiado', consolaPublicacionHref(publicacion))
    return redirectWithNotice(
      reply,
      reactivated.estado === 'Activa' ? 'aviso-reactivado' : 'aviso-en-espera',
      consolaPublicacionHref(publicacion),
    )
  })
}
