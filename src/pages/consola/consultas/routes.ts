import { findApp } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { type ConsultaWithAgencia, findBySid } from '../../../resources/consultas/read.ts'
import { resendConsulta } from '../../../resources/consultas/resend.ts'
import { appsThatSee, notificationsOf } from '../../../resources/consultas/staff.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { asConflict, type ConsolePages } from '../context.tsx'
import { CONSULTAS_LIST, consultaHref } from './list.tsx'
import { consultaPage } from './one-page.tsx'

type BySid = { Params: { sid: string } }
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** /consola/consultas: the inquiries of all agencies. */
export function consultasRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/consultas', deps, CONSULTAS_LIST)

  async function find(sid: string): Promise<ConsultaWithAgencia> {
    const kept = ULID.test(sid) ? await findBySid(store, sid) : undefined
    if (!kept) throw notFound('No hay una consulta así.')
    return kept
  }

  app.get<BySid>('/consultas/:sid', async ({ params, ctx }, reply) => {
    const kept = await find(params.sid)
    await ctx.audit('consulta.leer', kept.consulta.sid)
    const [deliveries, readers] = await Promise.all([
      notificationsOf(store, kept.consulta),
      appsThatSee(store, kept.consulta),
    ])
    return page(reply, consultaPage({ ctx, kept, deliveries, readers }))
  })

  app.post<BySid>('/consultas/:sid/reenviar', CONFIRMATION, async (request, reply) => {
    const { consulta, agencia } = await find(request.params.sid)
    const to = await findApp(store, line(formOf(request), 'App'))
    if (!to) throw notFound('No hay una app así.')
    const { sid } = consulta
    await resendConsulta(deps, to, { adminMail: agencia.adminMail, sid }).catch((error: unknown) => {
      throw asConflict(error)
    })
    await request.ctx.audit('consulta.reenviar', sid, { app: to.appKey })
    return redirectWithNotice(reply, 'consulta-reenviada', `${consultaHref(consulta)}#entregas`)
  })
}
