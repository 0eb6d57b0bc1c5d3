import type { FastifyInstance } from 'fastify'
import { findApp, listApps } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { agenciasWithMail } from '../../../resources/agencias/staff.ts'
import { type Moderated, reactivate, suspend } from '../../../resources/publicaciones/moderate.ts'
import {
  ESTADOS_LOOKED,
  findPublicacionForStaff,
  type ListedPublicacion,
  listPublicacionesForStaff,
  listPublicacionesOn,
  type PublicacionesLooked,
} from '../../../resources/publicaciones/staff.ts'
import { normalizeLine } from '../../../text.ts'
import { type Asking, choiceAsked, numberAsked, numberedTurnAsked, textAsked, wantsCsv } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION, formOf, formRoute } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { visitBy } from '../visit.tsx'
import { type AvisosAsked, avisoCsv, avisosPage } from './list-page.tsx'
import { avisoPage, MAX_REASON } from './one-page.tsx'
import { avisoHref, PUBLICACIONES } from './parts.tsx'

type ById = { Params: { id: string } }
const MAX_EXTERNAL_ID = 255

/** /consola/publicaciones: what is on offer, and the marketplace's say in it. */
export function publicacionesConsoleRoutes(app: FastifyInstance, people: People): void {
  const { store } = people

  app.get<Asking>(PUBLICACIONES, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { query } = request
    const looked: AvisosAsked = {
      aviso: numberAsked(query, 'aviso'),
      externalId: textAsked(query, 'externalId', MAX_EXTERNAL_ID),
      agencia: textAsked(query, 'agencia'),
      app: textAsked(query, 'app'),
      estado: choiceAsked(query, 'estado', ESTADOS_LOOKED),
    }
    const csv = wantsCsv(query)
    const wanted = await wantedOf(looked)
    const found = csv
      ? await listPublicacionesOn(store, wanted, MOST_CSV_ROWS)
      : await listPublicacionesForStaff(store, wanted, numberedTurnAsked(query))
    if (csv) return sendCsv(reply, 'avisos', avisoCsv(visit), found.rows)
    return page(reply, avisosPage({ visit, looked, apps: await listApps(store), found }))
  })

  const wantedOf = async ({ agencia, app: appKey, ...rest }: AvisosAsked): Promise<PublicacionesLooked> => ({
    ...rest,
    agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
    appId: appKey === undefined ? undefined : ((await findApp(store, appKey))?.id ?? 0),
  })

  async function find(id: string): Promise<ListedPublicacion> {
    const found = /^\d{1,9}$/.test(id) ? await findPublicacionForStaff(store, Number(id)) : undefined
    if (!found) throw notFound('No hay un aviso así.')
    return found
  }

  app.get<ById>(`${PUBLICACIONES}/:id`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    return page(reply, avisoPage({ visit, aviso: await find(request.params.id) }))
  })

  app.post<ById>(`${PUBLICACIONES}/:id/suspender`, formRoute(MAX_REASON), async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const aviso = await find(request.params.id)
    const motivo = normalizeLine(formOf(request).get('Motivo') ?? '')
    const fault =
      motivo === '' ? 'Falta el motivo.' : motivo.length > MAX_REASON && `Puede tener hasta ${MAX_REASON} caracteres.`
    if (fault) return page(reply, avisoPage({ visit, aviso, refused: { motivo, errors: { Motivo: [fault] } } }), 400)
    await suspend(people, which(aviso), motivo)
    await visit.note('aviso.suspender', String(aviso.id), { motivo })
    return done(reply, 'aviso-suspendido', avisoHref(aviso))
  })

  app.post<ById>(`${PUBLICACIONES}/:id/reactivar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const aviso = await find(request.params.id)
    const { estado } = await reactivate(people, which(aviso))
    await visit.note('aviso.reactivar', String(aviso.id))
    return done(reply, estado === 'Activa' ? 'aviso-reactivado' : 'aviso-en-espera', avisoHref(aviso))
  })
}

const which = ({ id, modo }: ListedPublicacion): Moderated => ({ aviso: id, modo, by: 'mercado' })
