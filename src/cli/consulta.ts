import { setTimeout as pause } from 'node:timers/promises'
import { TEXT, UsageError } from '@rodado/cli'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher } from '../catalogue/match/matcher.ts'
import { autoOf, consultaHref } from '../resources/consultas/consulta.ts'
import { createConsultaIntake, type Received } from '../resources/consultas/intake.ts'
import { carName } from '../resources/consultas/labels.ts'
import { readPerson } from '../resources/consultas/person.ts'
import { type Notification, type Notifications, newestNotifications } from '../resources/consultas/staff.ts'
import { findByExternalId, type PublicacionByExternalId } from '../resources/publicaciones/read.ts'
import type { Db } from '../store/db.ts'
import { defineCommand, MODO, readModo } from './command.ts'
import { withStore } from './with-store.ts'

const LOOK_MS = 100
const TIMEOUT_MS = 5_000

const OPTIONS = {
  a: TEXT,
  agencia: TEXT,
  nombre: { ...TEXT, default: 'Prueba' },
  email: { ...TEXT, default: '' },
  telefono: { ...TEXT, default: '' },
  mensaje: { ...TEXT, default: 'Hola, ¿sigue disponible?' },
  modo: MODO,
}

/** Sends one inquiry and shows its deliveries. */
export const run = defineCommand('', OPTIONS, async (values, { config }) => {
  const { a: externalId, nombre: Nombre, email: Email, mensaje: Comentario } = values
  if (!externalId) throw new UsageError('--a is needed: the ExternalId of a listing.')
  const modo = readModo(values.modo)
  const Telefono = values.telefono || (Email ? '' : '+54 9 341 555-0100')
  const person = readPerson({ Nombre, Email, Telefono, Comentario })
  if ('errors' in person) {
    const faults = Object.entries(person.errors).map(([name, texts]) => `${name}: ${texts.join(' ')}`)
    throw new UsageError(faults.join(' '))
  }
  return withStore(config, async ({ store }) => {
    const aviso = requireOnly(await findByExternalId(store, modo, externalId, values.agencia), externalId)
    const matcher = createMatcher(loadCatalogue(config.country, config.catalogueDir), config)
    const intake = createConsultaIntake({
      store,
      matcher,
      clock: () => new Date(),
      config: { ...config, storesEmails: false },
    })
    const about = { Aviso: aviso.id, OrigenLead: 'otro', Interesado: person } as const
    const received = await intake.receive({ modo, sitioId: null }, about)
    const notified = await watch(store, received)
    return { json: describe(received, notified), text: report(received, notified) }
  })
})

function requireOnly([first, ...others]: PublicacionByExternalId[], externalId: string): PublicacionByExternalId {
  if (!first) throw new Error(`there is no listing ${externalId}.`)
  if (others.length === 0) return first
  const agencias = [first, ...others].map(({ adminMail, app }) => `${adminMail} (${app})`)
  throw new Error(`${externalId} is ${agencias.length} listings; say whose with --agencia: ${agencias.join(', ')}.`)
}

/** Waits a few seconds until every delivery was attempted; a running server does it at once. */
async function watch(db: Db, { consulta }: Received): Promise<Notifications> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const notified = await newestNotifications(db, consulta)
    const waiting = notified.notifications.some(isWaiting)
    if (!waiting || performance.now() > deadline) return notified
    await pause(LOOK_MS)
  }
}

const isWaiting = ({ estado, error, pausada }: Notification) => estado === 'pendiente' && error === null && !pausada

const describe = ({ consulta, adminMail }: Received, { notifications }: Notifications) => ({
  sid: consulta.sid,
  Location: consultaHref(adminMail, consulta.sid),
  OperadorResponsable: consulta.operador,
  Apps: notifications.map(({ app, evento, estado, status, error, pausada }) => ({
    App: app.nombre,
    Evento: evento,
    Entrega: estado,
    Status: status,
    Error: error,
    PausadaHasta: pausada,
  })),
})

function report(received: Received, { notifications, more }: Notifications): string {
  const { consulta, adminMail } = received
  const apps = notifications.map(
    ({ app, evento, ...delivery }) => `  ${app.nombre}: event ${evento}, ${outcome(delivery)}\n`,
  )
  return `${consulta.sid}  ${carName(autoOf(consulta))}
  GET ${consultaHref(adminMail, consulta.sid)}
  ${consulta.operador} is mailed.
${apps.length > 0 ? apps.join('') : '  No app sees it.\n'}${more ? `  Only the newest ${notifications.length} are shown.\n` : ''}`
}

function outcome({ estado, status, error, pausada }: Omit<Notification, 'app' | 'evento'>): string {
  if (estado === null) return 'no webhook: it waits in /v3/eventos'
  if (estado === 'entregada') return `delivered (${status})`
  if (estado === 'descartada') return 'the webhook is off'
  if (pausada && !error)
    return `not tried yet: its webhook only failed, and is left alone until ${pausada.toISOString()} (…/prueba tries it at once)`
  return error ? `not delivered yet: ${error}` : 'not delivered yet: is a server running?'
}
