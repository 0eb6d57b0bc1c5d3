import { setTimeout as pause } from 'node:timers/promises'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher } from '../catalogue/match/matcher.ts'
import { autoOf, consultaHref } from '../resources/consultas/consulta.ts'
import { createConsultaIntake, type Received } from '../resources/consultas/intake.ts'
import { carName } from '../resources/consultas/labels.ts'
import { readPerson } from '../resources/consultas/person.ts'
import { type Notification, notificationsOf } from '../resources/consultas/staff.ts'
import { findByExternalId, type ListingByExternalId } from '../resources/publicaciones/read.ts'
import type { Db } from '../store/db.ts'
import { type Command, type Io, parseOptions, printJson, readModo, UsageError } from './command.ts'
import { withStore } from './with-store.ts'

const USAGE = `Usage: rodado consulta --a EXTERNALID [--agencia ADMINMAIL] [--nombre NAME] [--email MAIL] [--telefono NUMBER]
                       [--mensaje TEXT] [--modo produccion|prueba] [--json]

Sends one inquiry about a listing, as the marketplace's site does, and shows which apps were notified. If a server is
running, their webhooks are called at once.`

const LOOK_MS = 100
const TIMEOUT_MS = 5_000

/** Sends one inquiry and shows its deliveries. */
export const command: Command = {
  usage: USAGE,

  async run(argv, io) {
    const values = parseOptions(argv, {
      a: { type: 'string' },
      agencia: { type: 'string' },
      nombre: { type: 'string', default: 'Prueba' },
      email: { type: 'string', default: '' },
      telefono: { type: 'string', default: '' },
      mensaje: { type: 'string', default: 'Hola, ¿sigue disponible?' },
      modo: { type: 'string', default: 'produccion' },
    })
    if (!values.a) throw new UsageError('--a is needed: the ExternalId of a listing.')
    const modo = readModo(values.modo)
    const telefono = values.telefono || (values.email ? '' : '+54 9 341 555-0100')
    const person = readPerson({
      Nombre: values.nombre,
      Email: values.email,
      Telefono: telefono,
      Comentario: values.mensaje,
    })
    if ('errors' in person)
      throw new UsageError(
        Object.entries(person.errors)
          .map(([name, texts]) => `${name}: ${texts.join(' ')}`)
          .join(' '),
      )

    await withStore(io.config, async ({ store }) => {
      const aviso = theOne(await findByExternalId(store, modo, values.a ?? '', values.agencia), values.a ?? '')
      const received = await createConsultaIntake(deps(store, io)).receive(
        { modo, sitioId: null },
        { Aviso: aviso.id, OrigenLead: 'otro', Interesado: person },
      )
      const notified = await watch(store, received)
      if (values.json) printJson(io.out, describe(received, notified))
      else io.out.write(report(received, notified))
    })
    return 0
  },
}

function deps(store: Db, { config }: Io) {
  const catalogue = loadCatalogue(config.country, config.catalogueDir)
  return { store, matcher: createMatcher(catalogue, config), clock: () => new Date(), config }
}

function theOne([first, ...others]: ListingByExternalId[], externalId: string): ListingByExternalId {
  if (!first) throw new Error(`there is no listing ${externalId}.`)
  if (others.length === 0) return first
  const agencias = [first, ...others].map(({ adminMail, app }) => `${adminMail} (${app})`)
  throw new Error(`${externalId} is ${agencias.length} listings; say whose with --agencia: ${agencias.join(', ')}.`)
}

/** Waits a few seconds until every delivery was attempted; a running server does it at once. */
async function watch(db: Db, { consulta }: Received): Promise<Notification[]> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const notified = await notificationsOf(db, consulta)
    const waiting = notified.some(({ estado, error, pausada }) => estado === 'pendiente' && error === null && !pausada)
    if (!waiting || performance.now() > deadline) return notified
    await pause(LOOK_MS)
  }
}

const describe = ({ consulta, adminMail }: Received, notified: Notification[]) => ({
  sid: consulta.sid,
  Location: consultaHref(adminMail, consulta.sid),
  OperadorResponsable: consulta.operador,
  Apps: notified.map(({ app, evento, estado, status, error, pausada }) => ({
    App: app.nombre,
    Evento: evento,
    Entrega: estado,
    Status: status,
    Error: error,
    PausadaHasta: pausada,
  })),
})

function report(received: Received, notified: Notification[]): string {
  const { consulta, adminMail } = received
  const apps = notified.map(
    ({ app, evento, ...delivery }) => `  ${app.nombre}: event ${evento}, ${outcome(delivery)}\n`,
  )
  return `${consulta.sid}  ${carName(autoOf(consulta))}
  GET ${consultaHref(adminMail, consulta.sid)}
  ${consulta.operador} is mailed.
${apps.length > 0 ? apps.join('') : '  No app sees it.\n'}`
}

function outcome({ estado, status, error, pausada }: Omit<Notification, 'app' | 'evento'>): string {
  if (estado === null) return 'no webhook: it waits in /v3/eventos'
  if (estado === 'entregada') return `delivered (${status})`
  if (estado === 'descartada') return 'the webhook is off'
  if (pausada && !error)
    return `not tried yet: its webhook only failed, and is left alone until ${pausada.toISOString()} (…/prueba tries it at once)`
  return error ? `not delivered yet: ${error}` : 'not delivered yet: is a server running?'
}
