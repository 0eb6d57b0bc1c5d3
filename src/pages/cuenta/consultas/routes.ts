import { invalid, notFound } from '../../../http/problems.ts'
import { type Consulta, ESTADOS } from '../../../resources/consultas/consulta.ts'
import { changeEstado } from '../../../resources/consultas/estado.ts'
import { findConsulta } from '../../../resources/consultas/read.ts'
import { CONFIRMATION, formOf } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { AccountContext, AccountPages } from '../context.tsx'
import type { OwnAgencia } from '../nav.tsx'
import { scopeOf } from './cards.tsx'
import { CONSULTAS, CONSULTAS_LIST } from './list.tsx'
import { consultaPage } from './one-page.tsx'

type BySid = { Params: { sid: string } }

/** /cuenta/consultas, …/{sid}, …/{sid}/estado: inquiries, for the people who answer them. The audit log has each read. */
export function accountConsultasRoutes(app: AccountPages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/consultas', deps, CONSULTAS_LIST)

  /** An inquiry of an agency where the person works, if they may see it; the same 404 for every reason. */
  async function find(ctx: AccountContext, sid: string): Promise<{ agencia: OwnAgencia; consulta: Consulta }> {
    for (const agencia of ctx.all) {
      const consulta = await findConsulta(store, scopeOf({ ...ctx, agencia }), sid)
      if (consulta) return { agencia, consulta }
    }
    throw notFound('No hay una consulta así entre las que usted ve.')
  }

  app.get<BySid>('/consultas/:sid', async ({ params: { sid }, ctx: own }, reply) => {
    const { agencia, consulta } = await find(own, sid)
    const ctx = { ...own, agencia }
    await ctx.audit('consulta.leer', sid)
    const { repite } = consulta
    const first = repite ? await findConsulta(store, scopeOf(ctx), repite) : undefined
    return page(reply, consultaPage({ ctx, consulta, first: first?.sid }))
  })

  app.post<BySid>('/consultas/:sid/estado', CONFIRMATION, async (request, reply) => {
    const { sid } = request.params
    const given = formOf(request).get('Estado')
    const estado = ESTADOS.find((each) => each === given)
    if (!estado) throw invalid({ Estado: ['Ese estado no existe.'] })
    const { agencia } = await find(request.ctx, sid)
    await changeEstado(deps, { agencia, scope: scopeOf({ ...request.ctx, agencia }), sid, estado })
    return redirectWithNotice(reply, 'estado', `${CONSULTAS}/${sid}`)
  })
}
