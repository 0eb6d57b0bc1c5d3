import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Audited } from '../accounts/audit.ts'
import type { Modo } from '../apps/app.ts'
import { apiRoutes } from '../http/api-routes.ts'
import { KIB, MAX_BODY_BYTES } from '../http/body.ts'
import { addDays, dayOf } from '../http/dates.ts'
import { readIdempotencyKey } from '../http/idempotency.ts'
import { decodeCursor, feedLinks } from '../http/links.ts'
import { type FaultMap, fault, invalid, notFound, refuse } from '../http/problems.ts'
import type { Media } from '../http/responses.ts'
import { nullable, refTo } from '../http/schemas.ts'
import { message } from '../i18n/messages.tsx'
import { photosOf } from '../photos/photo.ts'
import { findPaquete } from '../resources/agencias/paquetes.ts'
import { findAgenciaByMail, readAgencias } from '../resources/agencias/read.ts'
import { productosEntry } from '../resources/agencias/represent.ts'
import { AdminMailParams, AgenciaProductos } from '../resources/agencias/schema.ts'
import { applyPaquete } from '../resources/publicaciones/fit-to-paquete.ts'
import { type ModerationDeps, reactivate, suspend } from '../resources/publicaciones/moderate.ts'
import { findPublicacionById, readChangedPublicaciones } from '../resources/publicaciones/read.ts'
import { countVisits } from '../resources/publicaciones/statistics.ts'
import { sucursalesOf } from '../resources/sucursales/store.ts'
import type { Sitio } from '../sitios/store.ts'
import { type FeedPosition, feedEnd, START } from '../store/feed.ts'
import { normalizeLine } from '../text.ts'
import {
  AvisoParams,
  agenciaEntry,
  avisoEntry,
  CambiosQuery,
  fotosEntry,
  Moderacion,
  PaqueteUpsert,
  SITE_SCHEMAS,
  SITIO,
  Visitas,
} from './schema.ts'

const MAX_VISIT_AGE_DAYS = 90
const CHANGES_PER_PAGE = 100

type Route = ReturnType<typeof apiRoutes>

export function marketRoutes(app: FastifyInstance, media: Media, deps: ModerationDeps): void {
  const route = apiRoutes(app, media, SITIO, [...SITE_SCHEMAS, AgenciaProductos])
  changesRoutes(route, deps)
  paqueteRoute(route, deps)
  avisoRoutes(route, deps)
  visitsRoute(route, deps)
}

/** GET …/avisos, …/agencias: what changed. */
function changesRoutes(route: Route, { store, config: { timeZone } }: ModerationDeps): void {
  const feeds = {
    avisos: {
      operationId: 'listarCambiosDeAvisos',
      summary: 'Los avisos que cambiaron, como son ahora',
      entry: 'AvisosSitio',
      async read(modo: Modo, after: FeedPosition) {
        const { rows, end } = await readChangedPublicaciones(store, modo, after, CHANGES_PER_PAGE)
        return { entries: rows.map((row) => avisoEntry(row, timeZone)), end }
      },
    },
    agencias: {
      operationId: 'listarCambiosDeAgencias',
      summary: 'Las agencias que cambiaron, como son ahora',
      entry: 'AgenciasSitio',
      async read(modo: Modo, after: FeedPosition) {
        const { rows, end } = await readAgencias(store, modo, after, CHANGES_PER_PAGE)
        const ids = rows.map(({ id }) => id)
        const places = await sucursalesOf(store, ids)
        return { entries: rows.map((row) => agenciaEntry(row, places.get(row.id) ?? [], timeZone)), end }
      },
    },
  }
  for (const [name, { entry, read, ...operation }] of Object.entries(feeds)) {
    const list = `/interno/v1/${name}`
    route('GET', `/${name}`, {
      ...operation,
      description:
        'Sin cursor, desde el principio. Guarde el enlace next y siga por él: lo que se guarda con demora no se pierde. Lo que cambia varias veces está una vez, en el lugar de su último cambio.',
      query: CambiosQuery,
      response: { description: 'Lo que cambió', entry },
      async handle({ sitio, query: { cursor } }) {
        if (cursor === 'fin') return { _links: feedLinks(list, cursor, await feedEnd(store)), _entries: [] }
        const { entries, end } = await read(sitio.modo, cursor === undefined ? START : decodeCursor(cursor))
        return { _links: feedLinks(list, cursor, end), _entries: entries }
      },
    })
  }
}

/** PUT …/agencias/{adminMail}/paquete */
function paqueteRoute(route: Route, deps: ModerationDeps): void {
  const { store, clock, config } = deps
  const { timeZone } = config

  route('PUT', '/agencias/:adminMail/paquete', {
    operationId: 'contratarPaquete',
    summary: 'Reemplazar el paquete de una agencia',
    description:
      'Los avisos se ajustan enseguida, y los más viejos tienen prioridad: los que no tienen lugar se suspenden, los que esperaban lugar vuelven, y las apps reciben publicacion.suspendida o publicacion.activada.',
    params: AdminMailParams,
    body: PaqueteUpsert,
    bodyLimit: 16 * KIB,
    response: { description: 'El paquete', entry: 'AgenciaProductos' },
    refuses: [404],
    async handle({ sitio, params, body }) {
      const agencia = await findAgenciaByMail(store, sitio.modo, params.adminMail)
      if (!agencia) throw notFound(message('problema.noAgency'))
      const desde = body.Desde ?? dayOf(clock(), timeZone)
      if (body.Hasta < desde)
        throw invalid({ Hasta: [fault('fuera-de-rango', `Termina antes de empezar: Desde es ${desde}.`)] })
      const nombre = normalizeLine(body.Nombre)
      if (nombre === '') throw invalid({ Nombre: [fault('vacio', 'No puede estar vacío.')] })
      const { Hasta: hasta, Alta: alta = 0, Media: media = 0, Baja: baja = 0 } = body
      const consultasDeCatalogo = body.ConsultasDeCatalogo ?? false
      const terms = { nombre, desde, hasta, alta, media, baja, consultasDeCatalogo }
      await applyPaquete(deps, agencia, terms, entryOf(sitio, 'agencia.paquete', agencia.adminMail, terms))
      return { ...productosEntry(agencia.adminMail, await findPaquete(store, agencia.id, timeZone)), _links: {} }
    },
  })
}

/** GET …/avisos/{id}/fotos, POST …/avisos/{id}/suspender, …/reactivar */
function avisoRoutes(route: Route, deps: ModerationDeps): void {
  const { store, config } = deps
  const { timeZone } = config
  const aviso = { description: 'El aviso', entry: 'AvisoSitio' }

  route('GET', '/avisos/:id/fotos', {
    operationId: 'verFotosDeAviso',
    summary: 'Las fotos de un aviso, con las copias que sirve este servidor',
    description:
      'Una foto nueva está pendiente hasta que se copia, por lo general unos segundos. Lo que hay en la dirección de una copia no cambia nunca, y cualquier página puede mostrarla.',
    params: AvisoParams,
    response: { description: 'Las fotos', entry: 'AvisoFotos' },
    refuses: [404],
    async handle({ sitio, params }) {
      const found = await findPublicacionById(store, params.id)
      if (found?.modo !== sitio.modo) throw notFound(message('problema.noPublicListing'))
      const publicaciones = found.estado === 'Archivada' ? [] : [found]
      return fotosEntry(found.id, (await photosOf(store, publicaciones)).get(found.id) ?? [])
    },
  })

  route('POST', '/avisos/:id/suspender', {
    operationId: 'suspenderAviso',
    summary: 'Dejar de mostrar un aviso, hasta que el mercado lo reactive',
    description:
      'La app que lo publicó recibe publicacion.suspendida y lee el Motivo. Si se repite sin Motivo, queda el que tenía; null lo borra.',
    params: AvisoParams,
    body: nullable(refTo(Moderacion)),
    bodyLimit: 16 * KIB,
    preValidation(request, _reply, done) {
      request.body ??= null // there need not be a reason
      done()
    },
    response: aviso,
    refuses: [404, 409],
    async handle({ sitio, params, body }) {
      const motivo = body?.Motivo === undefined ? undefined : (body.Motivo && normalizeLine(body.Motivo)) || null
      const entry = entryOf(sitio, 'aviso.suspender', String(params.id), { motivo: motivo ?? null })
      const target = { aviso: params.id, modo: sitio.modo, by: 'mercado', entry } as const
      return avisoEntry(await suspend(deps, target, motivo), timeZone)
    },
  })

  route('POST', '/avisos/:id/reactivar', {
    operationId: 'reactivarAviso',
    summary: 'Volver a mostrar un aviso que el mercado suspendió',
    description:
      'Se muestra si nada más lo impide y el paquete tiene lugar: Estado lo dice. Entonces la app recibe publicacion.activada.',
    params: AvisoParams,
    response: aviso,
    refuses: [404, 409],
    async handle({ sitio, params }) {
      const entry = entryOf(sitio, 'aviso.reactivar', String(params.id))
      return avisoEntry(await reactivate(deps, { aviso: params.id, modo: sitio.modo, by: 'mercado', entry }), timeZone)
    },
  })
}

/** The entry of the audit log about what a site does. */
const entryOf = (sitio: Sitio, act: string, subject: string, detail: Record<string, unknown> = {}): Audited => ({
  accountId: null,
  via: 'sitio',
  act,
  subject,
  detail: { sitio: sitio.id, ...detail },
})

/** POST …/visitas */
function visitsRoute(route: Route, { store, clock, config: { timeZone } }: ModerationDeps): void {
  route('POST', '/visitas', {
    operationId: 'contarVisitas',
    summary: 'Contar visitas de avisos',
    description:
      'Repetidas con la misma Idempotency-Key y el mismo cuerpo dentro de 24 horas, se cuentan una vez; con otro cuerpo, 409.',
    headers: VisitasHeaders,
    body: Visitas,
    bodyLimit: MAX_BODY_BYTES,
    response: { description: 'Lo que se contó', entry: 'VisitasContadas' },
    refuses: [409],
    async handle({ sitio, body, headers, rawBody }) {
      const visits = readVisits(body, clock(), timeZone)
      const key = readIdempotencyKey(headers['idempotency-key'], rawBody)
      const unknown = await countVisits(store, { sitio, key }, visits)
      const counted = visits.filter(({ aviso }) => !unknown.includes(aviso))
      return { Contadas: counted.reduce((sum, { cantidad }) => sum + cantidad, 0), Desconocidas: unknown }
    },
  })
}

const VisitasHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({ maxLength: 255, description: 'De 1 a 255 caracteres ASCII visibles, propia de cada envío' }),
  ),
})

function readVisits(body: Visitas, now: Date, timeZone: string) {
  const today = dayOf(now, timeZone)
  const errors: FaultMap = {}
  const visits = body.map(({ Aviso, Cantidad = 1, Momento }, at) => {
    const moment = Momento === undefined ? now : new Date(Momento)
    // `Date` parses neither a leap second nor an offset without minutes, though both are ISO 8601.
    const dia = Number.isNaN(moment.getTime()) ? undefined : dayOf(moment, timeZone)
    if (dia === undefined) errors[`[${at}].Momento`] = [fault('formato', 'Debe ser una fecha y hora ISO 8601.')]
    else if (dia > today || dia < addDays(today, -MAX_VISIT_AGE_DAYS))
      errors[`[${at}].Momento`] = [
        fault('fuera-de-rango', `Debe ser de hoy o de los ${MAX_VISIT_AGE_DAYS} días anteriores.`),
      ]
    return { aviso: Aviso, dia: dia ?? today, cantidad: Cantidad }
  })
  refuse(errors)
  return visits
}
