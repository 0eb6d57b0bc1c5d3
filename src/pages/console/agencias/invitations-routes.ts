import type { FastifyInstance } from 'fastify'
import { findApp, listApps } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import {
  ESTADOS_INVITACION,
  listInvitaciones,
  resendInvitacion,
  revokeInvitacion,
} from '../../../resources/agencias/invitations.ts'
import { type Asking, choiceAsked, numberedTurnAsked, textAsked, wantsCsv } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { inWords } from '../refuse.ts'
import { visitBy } from '../visit.tsx'
import type { ById } from './access.ts'
import { type InvitacionesAsked, invitacionColumns, invitacionesPage } from './invitations-page.tsx'
import { INVITACIONES } from './parts.tsx'

const NO_SUCH = 'No hay una invitación abierta así.'

/** /consola/agencias/invitaciones: whom apps invited. */
export function invitacionesRoutes(app: FastifyInstance, people: People): void {
  const { store } = people

  app.get<Asking>(INVITACIONES, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { query } = request
    const looked: InvitacionesAsked = {
      mail: textAsked(query, 'mail'),
      app: textAsked(query, 'app'),
      estado: choiceAsked(query, 'estado', ESTADOS_INVITACION),
    }
    const { mail, estado } = looked
    const appId = looked.app ? ((await findApp(store, looked.app))?.id ?? 0) : undefined
    const csv = wantsCsv(query)
    const turn = csv ? { limit: MOST_CSV_ROWS } : numberedTurnAsked(query)
    const found = await listInvitaciones(store, { mail, appId, estado }, turn)
    // Without the address: the log is no second place for it.
    const noted = { estado, porCorreo: mail !== undefined, invitaciones: found.rows.length }
    await visit.note('invitaciones.listar', '', noted)
    if (csv) return sendCsv(reply, 'invitaciones', invitacionColumns(visit), found.rows)
    return page(reply, invitacionesPage({ visit, looked, apps: await listApps(store), found }))
  })

  app.post<ById>(`${INVITACIONES}/:id/revocar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const id = numberOf(request.params.id)
    if (!(await revokeInvitacion(people, id))) throw notFound(NO_SUCH)
    await visit.note('invitacion.revocar', String(id))
    return done(reply, 'invitacion-revocada', backOf(formOf(request)))
  })

  app.post<ById>(`${INVITACIONES}/:id/reenviar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const id = numberOf(request.params.id)
    const sent = await resendInvitacion(people, id).catch((error: unknown) => {
      throw inWords(error)
    })
    if (!sent) throw notFound(NO_SUCH)
    await visit.note('invitacion.reenviar', String(id))
    return done(reply, 'invitacion-reenviada', backOf(formOf(request)))
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
