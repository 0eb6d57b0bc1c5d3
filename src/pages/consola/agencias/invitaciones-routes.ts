import { notFound } from '../../../http/problems.ts'
import { resendInvitacion, revokeInvitacion } from '../../../resources/agencias/invitations.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { asConflict, type ConsolePages } from '../context.tsx'
import type { ById } from './access.ts'
import { INVITACIONES_LIST } from './invitaciones-list.tsx'
import { INVITACIONES } from './parts.tsx'

const NO_SUCH = 'No hay una invitación abierta así.'

/** /consola/agencias/invitaciones: the invitations that apps sent. */
export function invitacionesRoutes(app: ConsolePages, deps: PageDeps): void {
  serveList(app, '/agencias/invitaciones', deps, INVITACIONES_LIST)

  app.post<ById>('/agencias/invitaciones/:id/revocar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const id = numberOf(request.params.id)
    if (!(await revokeInvitacion(deps, id))) throw notFound(NO_SUCH)
    await ctx.audit('invitacion.revocar', String(id))
    return redirectWithNotice(reply, 'invitacion-revocada', backOf(formOf(request)))
  })

  app.post<ById>('/agencias/invitaciones/:id/reenviar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const id = numberOf(request.params.id)
    const sent = await resendInvitacion(deps, id).catch((error: unknown) => {
      throw asConflict(error)
    })
    if (!sent) throw notFound(NO_SUCH)
    await ctx.audit('invitacion.reenviar', String(id))
    return redirectWithNotice(reply, 'invitacion-reenviada', backOf(formOf(request)))
  })
}

function numberOf(id: string): number {
  if (!/^\d{1,9}$/.test(id)) throw notFound(NO_SUCH)
  return Number(id)
}

/** The page that the act was done from: the list, or one agency. */
function backOf(form: URLSearchParams): string {
  const back = line(form, 'Volver')
  return /^\/consola\/agencias\/\d{1,9}$/.test(back) ? `${back}#invitaciones` : INVITACIONES
}
