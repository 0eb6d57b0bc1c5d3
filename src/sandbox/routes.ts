import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { App } from '../apps/app.ts'
import type { Config } from '../config.ts'
import { apiRoutes } from '../http/api-routes.ts'
import { KIB } from '../http/body.ts'
import { link } from '../http/links.ts'
import { fault, forbidden, invalid } from '../http/problems.ts'
import type { Media } from '../http/responses.ts'
import { message } from '../i18n/messages.tsx'
import { TEST_DOMAIN } from '../mail/email.ts'
import type { AgenciaOfApp } from '../resources/agencias/agencia.ts'
import { findAgencia, listAgencias } from '../resources/agencias/read.ts'
import { AdminMail } from '../resources/agencias/schema.ts'
import { listedAuto } from '../resources/consultas/auto.ts'
import type { ConsultaIntake, Received } from '../resources/consultas/intake.ts'
import { consultaRef } from '../resources/consultas/represent.ts'
import { findPublicacion, listPublicaciones } from '../resources/publicaciones/read.ts'
import type { Db } from '../store/db.ts'
import { chanceOf } from './fiction/chance.ts'
import { ORIGINS, personAsking } from './fiction/interesados.ts'
import { countryFacts } from './fiction/market.ts'

const MAX_AT_ONCE = 50

const PruebaConsultas = Type.Object(
  {
    AdminMail: Type.Optional(AdminMail),
    ExternalId: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 255,
        description: 'De esa agencia; si falta, cualquiera',
        examples: ['A1001'],
      }),
    ),
    Cantidad: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_AT_ONCE, default: 1, description: 'Cuántas personas preguntan' }),
    ),
  },
  { $id: 'PruebaConsultas', description: 'Todos los datos son opcionales', additionalProperties: false },
)
type ConsultasWanted = Static<typeof PruebaConsultas>

const ConsultasGeneradas = Type.Object(
  { _links: Type.Ref('Links'), _entries: Type.Array(Type.Ref('ConsultaRef')) },
  { $id: 'ConsultasGeneradas' },
)

interface SandboxRoutesDeps {
  store: Db
  intake: ConsultaIntake
  config: Pick<Config, 'country' | 'timeZone'>
}

/** POST /v3/prueba/consultas: creates inquiries about the listings of an app in test mode. */
export function sandboxRoutes(app: FastifyInstance, media: Media, deps: SandboxRoutesDeps): void {
  apiRoutes(app, media, { tags: ['Prueba'] }, [PruebaConsultas, ConsultasGeneradas])('POST', '/prueba/consultas', {
    operationId: 'generarConsultasDePrueba',
    summary: 'Generar consultas en modo de prueba',
    description:
      'Para apps en modo de prueba: personas inventadas preguntan por las publicaciones de la app. Las consultas llegan por el mismo camino que las reales, con sus webhooks. Cada consulta generada cuenta como una solicitud.',
    body: PruebaConsultas,
    bodyLimit: 16 * KIB,
    response: { description: 'Las consultas que llegaron', entry: 'ConsultasGeneradas', status: 201 },
    refuses: [403],
    async handle({ caller, body }, reply) {
      if (caller.modo !== 'prueba') throw forbidden(message('problema.onlyTest'), 'solo-en-prueba')
      reply.countAs(body.Cantidad ?? 1)
      const received = await makeConsultas(deps, caller, body)
      const { timeZone } = deps.config
      const _entries = received.map(({ consulta, adminMail }) => consultaRef(consulta, { adminMail, timeZone }))
      reply.header('location', _entries[0]?.href) // the first; the body has all
      return { _links: { self: link('/v3/prueba/consultas', 'POST') }, _entries }
    },
  })
}

/** Creates inquiries by invented people about an app's listings, through the normal intake. */
async function makeConsultas(
  { store, intake, config }: SandboxRoutesDeps,
  app: App,
  { AdminMail, ExternalId, Cantidad = 1 }: ConsultasWanted,
): Promise<Received[]> {
  const chance = chanceOf(randomInt(2 ** 32))
  const found = AdminMail ? present(await findAgencia(store, app, AdminMail)) : await listAgencias(store, app)
  if (found.length === 0)
    throw invalid(AdminMail ? { AdminMail: [NOT_ITS_OWN] } : { _: [fault('sin-agencias', noAgency(app))] })
  const { agencia, publicaciones } = await withPublicaciones(store, app, chance.shuffled(found), ExternalId)
  if (!agencia && ExternalId !== undefined) throw invalid({ ExternalId: [UNKNOWN_PUBLICACION] })
  if (!agencia) throw invalid(AdminMail ? { AdminMail: [NONE_AT_AGENCY] } : { _: [NO_PUBLICACION] })
  const received: Promise<Received>[] = []
  for (let nth = 0; nth < Cantidad; nth++) {
    const publicacion = chance.pick(publicaciones)
    const OrigenLead = chance.weighted(ORIGINS)
    const person = personAsking(listedAuto(publicacion), OrigenLead, agencia, countryFacts(config.country), chance)
    const Interesado = { ...person, Email: person.Email || null }
    received.push(intake.receive({ modo: app.modo, sitioId: null }, { Aviso: publicacion.id, OrigenLead, Interesado }))
  }
  return Promise.all(received)
}

const NOT_ITS_OWN = fault('inexistente', 'No es una agencia asociada con la app.')
const NO_PUBLICACION = fault('sin-publicaciones', 'La app no tiene publicaciones activas: publique una primero.')
const NONE_AT_AGENCY = fault(
  'sin-publicaciones',
  'La app no tiene publicaciones activas en esa agencia: publique una primero.',
)
const UNKNOWN_PUBLICACION = fault('inexistente', 'La app no tiene esa publicación.')
const noAgency = ({ appKey }: App) =>
  `La app no tiene agencias asociadas: invite a una, por ejemplo acepta.${appKey.slice(0, 8)}@${TEST_DOMAIN}.`

/** The first of these agencies that has active listings, or the listing of that ExternalId. */
async function withPublicaciones(db: Db, app: App, agencias: readonly AgenciaOfApp[], externalId: string | undefined) {
  for (const agencia of agencias) {
    const publicaciones =
      externalId === undefined
        ? (await listPublicaciones(db, app, agencia, { estado: 'Activa' })).rows
        : present(await findPublicacion(db, app, agencia.id, externalId))
    if (publicaciones.length > 0) return { agencia, publicaciones }
  }
  return { publicaciones: [] }
}

const present = <T>(found: T | undefined): T[] => (found === undefined ? [] : [found])
