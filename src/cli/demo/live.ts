import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type EventoConsultaRecibida, idOf } from '@rodado/client'
import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { liveSecrets } from '../../apps/secrets.ts'
import { findAppById } from '../../apps/store.ts'
import { loadCatalogue } from '../../catalogue/load.ts'
import { createMatcher } from '../../catalogue/match/matcher.ts'
import type { Config } from '../../config.ts'
import { listAgencias } from '../../resources/agencias/read.ts'
import { listedAuto } from '../../resources/consultas/auto.ts'
import type { EstadoConsulta } from '../../resources/consultas/consulta.ts'
import { changeEstado } from '../../resources/consultas/estado.ts'
import { createConsultaIntake } from '../../resources/consultas/intake.ts'
import { listPublicaciones } from '../../resources/publicaciones/read.ts'
import { type Chance, chanceOf } from '../../sandbox/fiction/chance.ts'
import { ORIGINS, personAsking } from '../../sandbox/fiction/interesados.ts'
import { countryFacts } from '../../sandbox/fiction/market.ts'
import type { Db, Store } from '../../store/db.ts'
import type { Opened } from '../../store/open.ts'
import type { DemoRecord } from './record.ts'
import { CALLBACK } from './webhooks.ts'

interface LiveOptions {
  config: Config
  demo: DemoRecord
  /** Writes a line about what happened. */
  say: (line: string) => void
  signal: AbortSignal
  /** Inquiries come so far apart, on average. */
  paceMs?: number
  /** The share of deliveries that the receiver refuses, and of those that begin an outage. */
  failures?: { refused: number; outage: number }
}

const PACE_MS = 6_000
const FAILURES = { refused: 0.06, outage: 0.015 }
const OUTAGE_MS = 40_000
/** What is still undelivered at the end gets so long. */
const LAST_MS = 5_000
const LOOK_MS = 100
const REQUEST_MS = 5_000

/** Sends inquiries and receives their deliveries until the signal; a server of the same database delivers them. */
export async function keepMoving(opened: Pick<Opened, 'store' | 'seal'>, options: LiveOptions): Promise<void> {
  const { store, seal } = opened
  const { config, demo, say, signal, paceMs = PACE_MS, failures = FAILURES } = options
  const app = await findAppById(store, demo.apps[0] ?? 0)
  if (!app) throw new Error('The app of the demo was removed. Remove the rest with `rodado demo --borrar`.')
  const chance = chanceOf(Date.now())
  const [newest] = await liveSecrets(store, seal, app.id)
  const appSecret = newest?.secret ?? ''
  const client = createClient({
    baseUrl: config.publicUrl,
    appKey: app.appKey,
    appSecret,
    auth: 'bearer',
    vendor: config.vendor,
    retries: 0,
    timeoutMs: REQUEST_MS,
  })
  /** What the app's own program does: after each event it reads the inquiry. */
  async function readConsulta(body: string): Promise<void> {
    const { AdminMail: adminMail, Consulta } = JSON.parse(body) as Partial<EventoConsultaRecibida>
    if (adminMail && Consulta?._links) await client.verConsulta({ adminMail, sid: idOf(Consulta) })
  }
  const receiver = await openReceiver({ say, chance, failures, onDelivery: readConsulta })
  try {
    if (!(await isUp(config.publicUrl)))
      say(`no server answers at ${config.publicUrl}: inquiries wait until one runs (npx rodado serve)`)
    await pointWebhooks(store, app, receiver.url, [`127.0.0.1:${receiver.port}`])
    const act = createTrade(opened, options, app, chance)
    while (!signal.aborted) {
      await act()
      await pause(paceMs * (0.3 + 1.4 * chance.next()), undefined, { signal }).catch(() => undefined)
    }
  } finally {
    receiver.recover()
    await deliverRest(store, app)
      .finally(() => pointWebhooks(store, app, CALLBACK, []))
      .finally(() => receiver.close())
  }
}

/** Each call is an inquiry about a listing; now and then the agency also works on an earlier one. */
function createTrade(
  { store, seal }: Pick<Opened, 'store' | 'seal'>,
  { config, say }: LiveOptions,
  app: App,
  chance: Chance,
) {
  const catalogue = loadCatalogue(config.country, config.catalogueDir)
  const facts = countryFacts(catalogue.country)
  const deps = { store, seal, matcher: createMatcher(catalogue, config), clock: () => new Date() }
  const intake = createConsultaIntake({ ...deps, config: { ...config, storesEmails: false } })

  return async function act(): Promise<void> {
    const agencias = await listAgencias(store, app)
    const agencia = chance.pick(agencias.slice(0, 1 + chance.between(0, agencias.length - 1))) // mostly the first ones
    if (!agencia) return
    const { rows } = await listPublicaciones(store, app, agencia, { estado: 'Activa' })
    const publicacion = rows[chance.between(0, Math.max(0, rows.length - 1))]
    if (!publicacion) return
    const OrigenLead = chance.weighted(ORIGINS)
    const person = personAsking(listedAuto(publicacion), OrigenLead, agencia, facts, chance)
    const Interesado = { ...person, Email: person.Email || null }
    await intake.receive({ modo: app.modo, sitioId: null }, { Aviso: publicacion.id, OrigenLead, Interesado })
    say(`inquiry     ${publicacion.marca} ${publicacion.modelo}, ${agencia.nombre}`)
    if (chance.next() > 0.5) return
    const [open] = await store.query<{ sid: string; estado: EstadoConsulta }>(sql`
      select sid, estado from consultas where agencia_id = ${agencia.id} and estado in ('nueva', 'leida')
      order by sid desc offset ${chance.between(1, 6)} limit 1`)
    if (!open) return
    const estado = open.estado === 'nueva' ? 'leida' : 'contactada'
    const scope = { agenciaId: agencia.id, app: 'all' } as const
    await changeEstado({ ...deps, config }, { agencia, scope, sid: open.sid, estado })
    say(`${estado.padEnd(12)}${open.sid}`)
  }
}

interface ReceiverDeps {
  say: LiveOptions['say']
  chance: Chance
  failures: { refused: number; outage: number }
  onDelivery: (body: string) => Promise<void>
}

/** The demo app's receiver: it answers 200, sometimes 503, and now and then fails for a while. */
async function openReceiver({ say, chance, failures, onDelivery }: ReceiverDeps) {
  let failsUntilMs = 0
  let recovered = false
  function status(): number {
    if (recovered) return 200
    const nowMs = performance.now()
    if (nowMs < failsUntilMs) return 503
    if (chance.next() < failures.outage) {
      failsUntilMs = nowMs + OUTAGE_MS
      say(`the receiver fails for ${OUTAGE_MS / 1_000} s`)
    }
    return nowMs < failsUntilMs || chance.next() < failures.refused ? 503 : 200
  }
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request).catch(() => '')
    const code = status()
    response.writeHead(code, { 'content-type': 'application/json' })
    response.end(code === 200 ? '{"recibido":true}' : '{"error":"Servicio no disponible"}')
    say(`delivery    ${code}`)
    if (code === 200) await onDelivery(body).catch(() => undefined) // the next one may work
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/rodado`,
    recover: () => void (recovered = true),
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const isUp = (publicUrl: string): Promise<boolean> =>
  fetch(`${publicUrl}/health/ready`, { signal: AbortSignal.timeout(REQUEST_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Sends the app's deliveries elsewhere, and forgets how the former address did. */
const pointWebhooks = (store: Store, app: App, callback: string, privateCallbacks: string[]): Promise<void> =>
  store.transaction(async (tx) => {
    await tx.query(sql`update apps set private_callbacks = ${privateCallbacks} where id = ${app.id}`)
    await tx.query(sql`
      update webhooks set callback = ${callback}, verified_at = coalesce(verified_at, now()), updated_at = now(), failures = 0,
        failing_since = null, paused_until = null, last_error = null, disabled_at = null, disabled_by = null
      where app_id = ${app.id}`)
  })

/** Makes pending deliveries due now, waits a little for them, and discards the rest. */
async function deliverRest(db: Db, app: App): Promise<void> {
  const deadline = performance.now() + LAST_MS
  const waiting = await db.query<{ webhookId: number }>(sql`
    with due as (
      update deliveries set due_at = now() where app_id = ${app.id} and estado = 'pendiente' and lease is null
      returning webhook_id)
    update webhooks w set paused_until = null from (select distinct webhook_id from due) as d where w.id = d.webhook_id
    returning w.id as "webhookId"`)
  for (const { webhookId } of waiting) db.notify(`deliveries:${webhookId}`)
  while (performance.now() < deadline) {
    const [left] = await db.query(sql`
      select from deliveries d join webhooks w on w.id = d.webhook_id where w.app_id = ${app.id} and d.estado = 'pendiente' limit 1`)
    if (!left) return
    await pause(LOOK_MS)
  }
  await db.query(sql`
    update deliveries set estado = 'descartada', settled_at = now()
    where app_id = ${app.id} and estado = 'pendiente' and (leased_until is null or leased_until <= now())`)
}
