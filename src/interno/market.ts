import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { KIB, MAX_BODY_BYTES } from '../http/body.ts'
import { addDays, dayOf } from '../http/dates.ts'
import { readOnce } from '../http/idempotency.ts'
import { type Errors, invalid, notFound } from '../http/problems.ts'
import { answers, type Media } from '../http/responses.ts'
import { findPackage } from '../resources/agencias/packages.ts'
import { findAgenciaByMail } from '../resources/agencias/read.ts'
import { productosEntry } from '../resources/agencias/represent.ts'
import { AdminMailParams, AgenciaProductos } from '../resources/agencias/schema.ts'
import { type ModerationDeps, reactivate, suspend } from '../resources/publicaciones/moderate.ts'
import { contract } from '../resources/publicaciones/settle.ts'
import { countVisits } from '../resources/publicaciones/statistics.ts'
import { normalizeLine } from '../text.ts'
import { avisoEntry } from './represent.ts'
import { AvisoParams, type Moderacion, type PaqueteUpsert, SITE_SCHEMAS, SITIO, type Visitas } from './schema.ts'

const OLDEST_VISIT_DAYS = 90
const caching = 'no-store' as const
const aviso = { description: 'El aviso', entry: Type.Ref('AvisoSitio') }

/** PUT …/agencias/{adminMail}/paquete, POST …/avisos/{id}/suspender|reactivar, POST …/visitas */
export function marketRoutes(app: FastifyInstance, media: Media, deps: ModerationDeps): void {
  for (const schema of [...SITE_SCHEMAS, AgenciaProductos]) app.addSchema(schema)
  paquete(app, media, deps)
  moderation(app, media, deps)
  visitas(app, media, deps)
}

function paquete(app: FastifyInstance, media: Media, deps: ModerationDeps): void {
  const { store, clock, config } = deps
  app.put<{ Params: { adminMail: string }; Body: PaqueteUpsert }>(
    '/v1/agencias/:adminMail/paquete',
    {
      bodyLimit: 16 * KIB,
      schema: {
        ...SITIO,
        operationId: 'contratarPaquete',
        summary: 'Lo que una agencia contrató, en lugar de lo que tenía',
        description:
          'Lo que se muestra se acomoda enseguida, lo más viejo primero: lo que no tiene lugar se suspende, lo que esperaba lugar vuelve, y las apps reciben publicacion.suspendida o publicacion.activada.',
        params: AdminMailParams,
        body: Type.Ref('PaqueteUpsert'),
        response: answers(
          media,
          { description: 'El paquete', entry: Type.Ref('AgenciaProductos') },
          [400, 404, 413, 415],
        ),
      },
      config: { caching },
    },
    async ({ sitio, params, body }) => {
      const agencia = await findAgenciaByMail(store, sitio.modo, params.adminMail)
      if (!agencia) throw notFound('No existe esa agencia.')
      const desde = body.Desde ?? dayOf(clock(), config.timeZone)
      if (body.Hasta < desde) throw invalid({ Hasta: [`Termina antes de empezar: Desde es ${desde}.`] })
      const {
        Nombre,
        Hasta: hasta,
        Alta: alta = 0,
        Media: media = 0,
        Baja: baja = 0,
        ConsultasDeCatalogo = false,
      } = body
      const nombre = normalizeLine(Nombre)
      if (nombre === '') throw invalid({ Nombre: ['No puede estar vacío.'] })
      await contract(deps, agencia, {
        nombre,
        desde,
        hasta,
        alta,
        media,
        baja,
        consultasDeCatalogo: ConsultasDeCatalogo,
      })
      const { _links, ...productos } = productosEntry(
        agencia.adminMail,
        await findPackage(store, agencia.id, config.timeZone),
      )
      return print({ ...productos, _links: {} })
    },
  )
}

function moderation(app: FastifyInstance, media: Media, deps: ModerationDeps): void {
  const { timeZone } = deps.config
  app.post<{ Params: { id: number }; Body: Moderacion | null }>(
    '/v1/avisos/:id/suspender',
    {
      bodyLimit: 16 * KIB,
      schema: {
        ...SITIO,
        operationId: 'suspenderAviso',
        summary: 'Dejar de mostrar un aviso, hasta que el mercado lo reactive',
        description:
          'La app que lo publicó recibe publicacion.suspendida y lee el Motivo. Otra vez y sin Motivo, queda el que tenía; null lo borra.',
        params: AvisoParams,
        body: Type.Union([Type.Ref('Moderacion'), Type.Null()]),
        response: answers(media, aviso, [400, 404, 409, 413, 415]),
      },
      config: { caching },
      preValidation: (request, _reply, done) => {
        request.body ??= null // there need not be a reason
        done()
      },
    },
    async ({ sitio, params, body }) => {
      const motivo = body?.Motivo === undefined ? undefined : (body.Motivo && normalizeLine(body.Motivo)) || null
      const row = await suspend(deps, { aviso: params.id, modo: sitio.modo, by: 'mercado' }, motivo)
      return print(avisoEntry(row, timeZone))
    },
  )

  app.post<{ Params: { id: number } }>(
    '/v1/avisos/:id/reactivar',
    {
      schema: {
        ...SITIO,
        operationId: 'reactivarAviso',
        summary: 'Volver a mostrar un aviso que el mercado suspendió',
        description:
          'Se muestra si nada más lo impide y el paquete tiene lugar: Estado lo dice. Entonces la app recibe publicacion.activada.',
        params: AvisoParams,
        response: answers(media, aviso, [400, 404, 409]),
      },
      config: { caching },
    },
    async ({ sitio, params }) =>
      print(avisoEntry(await reactivate(deps, { aviso: params.id, modo: sitio.modo, by: 'mercado' }), timeZone)),
  )
}

function visitas(app: FastifyInstance, media: Media, { store, clock, config }: ModerationDeps): void {
  app.post<{ Body: Visitas }>(
    '/v1/visitas',
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: {
        ...SITIO,
        operationId: 'contarVisitas',
        summary: 'Contar visitas de avisos',
        description:
          'Repetidas con la misma Idempotency-Key y el mismo cuerpo dentro de 24 horas, se cuentan una vez; con otro cuerpo, 409.',
        headers: VisitasHeaders,
        body: Type.Ref('Visitas'),
        response: answers(
          media,
          { description: 'Lo que se contó', entry: Type.Ref('VisitasContadas') },
          [400, 409, 413, 415],
        ),
      },
      config: { caching },
    },
    async ({ sitio, body, headers, bytes }) => {
      const visits = readVisits(body, clock(), config.timeZone)
      const once = readOnce(headers['idempotency-key'], bytes)
      const unknown = await countVisits(store, { sitio, once }, visits)
      const counted = visits.filter(({ aviso }) => !unknown.includes(aviso))
      return print({ Contadas: counted.reduce((sum, { cantidad }) => sum + cantidad, 0), Desconocidas: unknown })
    },
  )
}

const VisitasHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({ maxLength: 255, description: 'De 1 a 255 caracteres ASCII visibles, propia de cada envío' }),
  ),
})

function readVisits(body: Visitas, now: Date, timeZone: string) {
  const today = dayOf(now, timeZone)
  const errors: Errors = {}
  const visits = body.map(({ Aviso, Cantidad = 1, Momento }, at) => {
    const moment = Momento === undefined ? now : new Date(Momento)
    // A leap second, or an offset of hours alone, is ISO 8601 that no clock of ours reads.
    const dia = Number.isNaN(moment.getTime()) ? undefined : dayOf(moment, timeZone)
    if (dia === undefined) errors[`[${at}].Momento`] = ['Debe ser una fecha y hora ISO 8601.']
    else if (dia > today || dia < addDays(today, -OLDEST_VISIT_DAYS))
      errors[`[${at}].Momento`] = [`Debe ser de hoy o de los ${OLDEST_VISIT_DAYS} días anteriores.`]
    return { aviso: Aviso, dia: dia ?? today, cantidad: Cantidad }
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return visits
}

const print = (value: object): Buffer => Buffer.from(JSON.stringify(value))
