import type { FastifyInstance } from 'fastify'
import { findApp } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { agenciasWithMail } from '../../../resources/agencias/staff.ts'
import { findBySid, type Kept } from '../../../resources/consultas/by-sid.ts'
import { resendConsulta } from '../../../resources/consultas/resend.ts'
import { appsThatSee, listConsultasForStaff, tellingsOf } from '../../../resources/consultas/staff.ts'
import { type Asking, dayAsked, textAsked, turnAsked, wantsCsv } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { firstInstant, idAt, instantAfter } from '../../portal/entregas/period.ts'
import { inWords } from '../refuse.ts'
import { visitBy } from '../visit.tsx'
import { type ConsultasAsked, consultaCsv, consultasPage } from './list-page.tsx'
import { consultaPage } from './one-page.tsx'
import { CONSULTAS, consultaHref } from './parts.tsx'

type BySid = { Params: { sid: string } }
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** /consola/consultas: the inquiries of all agencies. */
export function consultasRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people

  app.get<Asking>(CONSULTAS, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { query } = request
    const looked: ConsultasAsked = {
      sid: textAsked(query, 'sid')?.toUpperCase(),
      persona: textAsked(query, 'persona'),
      agencia: textAsked(query, 'agencia'),
      desde: dayAsked(query, 'desde'),
      hasta: dayAsked(query, 'hasta'),
    }
    const csv = wantsCsv(query)
    const turn = csv ? { limit: MOST_CSV_ROWS } : turnAsked(query)
    const found = await listConsultasForStaff(store, await wantedOf(looked), turn)
    // Who looks for a person reads personal data, though the list shows none: that these inquiries are theirs.
    if (looked.persona)
      await visit.note('consultas.buscar-persona', '', { sids: found.rows.map(({ sid }) => sid).slice(0, 100) })
    if (csv) return sendCsv(reply, 'consultas', consultaCsv(visit), found.rows)
    return page(reply, consultasPage({ visit, looked, found }))
  })

  async function wantedOf({ sid, persona, agencia, desde, hasta }: ConsultasAsked) {
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

  app.get<BySid>(`${CONSULTAS}/:sid`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const kept = await find(request.params.sid)
    await visit.note('consulta.leer', kept.consulta.sid)
    const [told, seeing] = await Promise.all([tellingsOf(store, kept.consulta), appsThatSee(store, kept.consulta)])
    return page(reply, consultaPage({ visit, kept, told, seeing }))
  })

  app.post<BySid>(`${CONSULTAS}/:sid/reenviar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { consulta, agencia } = await find(request.params.sid)
    const to = await findApp(store, line(formOf(request), 'App'))
    if (!to) throw notFound('No hay una app así.')
    const { sid } = consulta
    await resendConsulta(people, to, { adminMail: agencia.adminMail, sid }).catch((error: unknown) => {
      throw inWords(error)
    })
    await visit.note('consulta.reenviar', sid, { app: to.appKey })
    return done(reply, 'consulta-reenviada', `${consultaHref(consulta)}#entregas`)
  })
}
