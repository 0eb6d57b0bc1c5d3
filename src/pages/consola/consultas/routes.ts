import { findApp } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { agenciasWithMail } from '../../../resources/agencias/staff.ts'
import { findBySid, type Kept } from '../../../resources/consultas/by-sid.ts'
import { resendConsulta } from '../../../resources/consultas/resend.ts'
import { appsThatSee, listConsultasForStaff, tellingsOf } from '../../../resources/consultas/staff.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { firstInstant, idAt, instantAfter } from '../../entregas/period.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type Asking, cursorParam, dayParam, textParam, wantsCsv } from '../../params.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { inWords } from '../refuse.ts'
import { type ConsultasFilters, consultaCsv, consultasPage } from './list-page.tsx'
import { consultaPage } from './one-page.tsx'
import { consultaHref } from './parts.tsx'

type BySid = { Params: { sid: string } }
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** /consola/consultas: the inquiries of all agencies. */
export function consultasRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps

  app.get<Asking>('/consultas', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    const filters: ConsultasFilters = {
      sid: textParam(query, 'sid')?.toUpperCase(),
      persona: textParam(query, 'persona'),
      agencia: textParam(query, 'agencia'),
      desde: dayParam(query, 'desde'),
      hasta: dayParam(query, 'hasta'),
    }
    const csv = wantsCsv(query)
    const turn = csv ? { limit: MOST_CSV_ROWS } : cursorParam(query)
    const found = await listConsultasForStaff(store, await wantedOf(filters), turn)
    // Who looks for a person reads personal data, though the list shows none: that these inquiries are theirs.
    if (filters.persona)
      await ctx.audit('consultas.buscar-persona', '', { sids: found.rows.map(({ sid }) => sid).slice(0, 100) })
    if (csv) return sendCsv(reply, 'consultas', consultaCsv(ctx), found.rows)
    return page(reply, consultasPage({ ctx, filters, found }))
  })

  async function wantedOf({ sid, persona, agencia, desde, hasta }: ConsultasFilters) {
    const [from, until] = [desde && firstInstant(desde, config.timeZone), hasta && instantAfter(hasta, config.timeZone)]
    return {
      sid,
      persona,
      agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
      ...(typeof from === 'number' && { from: idAt(from) }),
      ...(typeof until === 'number' && { until: idAt(until) }),
    }
  }

  async function find(sid: string): Promise<Kept> {
    const kept = ULID.test(sid) ? await findBySid(store, sid) : undefined
    if (!kept) throw notFound('No hay una consulta así.')
    return kept
  }

  app.get<BySid>('/consultas/:sid', async (request, reply) => {
    const { ctx } = request
    const kept = await find(request.params.sid)
    await ctx.audit('consulta.leer', kept.consulta.sid)
    const [told, seeing] = await Promise.all([tellingsOf(store, kept.consulta), appsThatSee(store, kept.consulta)])
    return page(reply, consultaPage({ ctx, kept, told, seeing }))
  })

  app.post<BySid>('/consultas/:sid/reenviar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { consulta, agencia } = await find(request.params.sid)
    const to = await findApp(store, line(formOf(request), 'App'))
    if (!to) throw notFound('No hay una app así.')
    const { sid } = consulta
    await resendConsulta(deps, to, { adminMail: agencia.adminMail, sid }).catch((error: unknown) => {
      throw inWords(error)
    })
    await ctx.audit('consulta.reenviar', sid, { app: to.appKey })
    return done(reply, 'consulta-reenviada', `${consultaHref(consulta)}#entregas`)
  })
}
