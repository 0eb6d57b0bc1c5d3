import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Type } from 'typebox'
import { PROBLEMS, Problem } from '../src/http/problems.ts'
import { depsOf, makeAgencia } from '../tests/support/agencia.ts'
import { makePublicacion } from '../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../tests/support/server.ts'

/** Runs a client's program with these variables and returns what it printed. */
type Program = (env: Record<string, string>) => Promise<string>

interface ScenarioServer {
  /** Runs the scenario with an app and an agency of its own; throws at the first difference. */
  check(program: Program): Promise<void>
  stop(): Promise<void>
}

/** What a program prints: see scenario.md. */
interface Printed {
  agencies: string[]
  agenciesByToken: string[]
  makes: (number | null)[]
  listing: number
  inquiries: string[]
  deliveries: string[]
  webhook: { sent: string; received: string; moment: string; standard: string; tampered: boolean; malformed: boolean }
  events: Pick<FeedEvent, 'Id' | 'Momento'>[]
  problems: Met[]
  retries: number[]
  website: string
  hostile: string[]
}

interface FeedEvent {
  Id: string
  Topic: string
  Momento: string
}

interface Met {
  status: number
  code: string
  fields: string[]
  codes: string[]
}

interface ProblemRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}

const SECRET = '96d0300081d644d3bdceae8fbfc77955'
const EXTERNAL_ID = 'AB-1'
/** More than a page of inquiries (25) and of deliveries (50), less than one of the feed (100). */
const INQUIRIES = 60
const MAKES = [
  'Fiat',
  'FIAT',
  'fiat',
  'Ford',
  'VW',
  'volkswagen',
  'Wolkswagen',
  'Chevrolet',
  'chevy',
  'Citroën',
  'citroen',
  'Renault',
  'renolt',
  'Peugeot',
  'peugot',
  'Toyota',
  'Honda',
  'Nissan',
  'Jeep',
  'RAM',
  'BMW',
  'Audi',
  'Kia',
  'Mercedes',
  'Mercedes Benz',
  'mercedes-benz',
  'M. Benz',
  'Hyundai',
  'hiunday',
  'Chery',
  'Suzuki',
  'Subaru',
  'Volvo',
  'Land Rover',
  'Alfa Romeo',
  'Dodge',
  'Jaguar',
  'Lexus',
  'Mini',
  'Mitsubishi',
  'Porsche',
  'Seat',
  'Mazda',
  'Iveco',
  'BAIC',
  'Geely',
  'Haval',
  'Lifan',
  'Xqwzy',
  '¿?',
]

/** Headers of a delivery that must be refused, not end the receiver. */
const MALFORMED = [
  { name: 'webhook-signature', value: 'v1' },
  { name: 'webhook-signature', value: 'v1, v2,x =' },
  { name: 'webhook-timestamp', value: 'now' },
  { name: 'webhook-timestamp', value: '9'.repeat(30) },
]

interface Hostile {
  answer(response: ServerResponse): void
  /** The client's timeout. */
  seconds: number
  error: RegExp
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const NO_ANSWER = /no answer within/i
/** Servers that would hold a client up, or fill its memory. */
const HOSTILE: Record<string, Hostile> = {
  'slow-headers': {
    answer({ socket }) {
      socket?.write('HTTP/1.1 200 OK\r\nx-slow: ')
      const timer = setInterval(() => socket?.write('x'), 50)
      socket?.once('close', () => clearInterval(timer))
    },
    seconds: 0.3,
    error: NO_ANSWER,
  },
  'slow-body': {
    answer(response) {
      response.writeHead(200, JSON_HEADERS)
      const timer = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(timer))
    },
    seconds: 0.3,
    error: NO_ANSWER,
  },
  endless: {
    answer(response) {
      const spaces = Buffer.alloc(65_536, ' ')
      const body = new Readable({ read: () => void body.push(spaces) })
      body.pipe(response.writeHead(200, JSON_HEADERS))
    },
    seconds: 60,
    error: /\/endless\/\S+ answers more than 32 MB/,
  },
}

/** The server behind a proxy that is busy at first. */
const BUSY = 'busy'

const JSON_BODY = { 'content-type': 'application/json' }
const ANY = { response: { 200: { content: { 'application/json': { schema: Type.Unknown() } } } } }

/** Starts the server for the scenario, with routes that fail as it needs. */
export async function startScenario(): Promise<ScenarioServer> {
  const attempts = new Map<string, number>()
  /** Fails the first `times` attempts. */
  const failing = (name: string, times: number, fault: () => Error) => () => {
    const count = (attempts.get(name) ?? 0) + 1
    attempts.set(name, count)
    if (count <= times) throw fault()
    return { _links: {} }
  }
  const soon = { headers: { 'retry-after': '0' } }
  const unavailable = () => new Problem('no-disponible', 'Vuelva a intentar.', soon)
  const limited = (seconds: string) => () =>
    new Problem('demasiadas-solicitudes', 'Espere.', {
      code: 'limite-de-solicitudes',
      headers: { 'retry-after': seconds },
    })

  const refused = (code: string) => () => new Problem('sin-autorizacion', 'Otra vez.', { code })

  const server = await startServer({
    env: { ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' },
    worker: {},
    routes(v3) {
      const schema = { schema: ANY }
      const body = { bodyLimit: 10, schema: { ...ANY, body: Type.Object({}) } }
      v3.get('/escenario/inestable', schema, failing('inestable', 2, unavailable))
      v3.post('/escenario/limitada', body, failing('limitada', 2, limited('0')))
      v3.post('/escenario/caida', body, failing('caida', Number.POSITIVE_INFINITY, unavailable))
      v3.get('/escenario/reloj', schema, failing('reloj', 1, refused('fecha-fuera-de-rango')))
      v3.get('/escenario/token', schema, failing('token', 1, refused('token-invalido')))
      const cut = failing('cortada', 2, () => new Error('cut'))
      v3.get('/escenario/cortada', schema, (request, reply) => {
        try {
          return cut()
        } catch {
          reply.hijack()
          request.raw.socket.destroy()
        }
      })
      v3.get('/escenario/tope', schema, failing('tope', Number.POSITIVE_INFINITY, limited('3600')))
      v3.get('/escenario/ausente', schema, failing('ausente', Number.POSITIVE_INFINITY, unavailable))
      v3.get(
        '/escenario/falla',
        schema,
        failing('falla', Number.POSITIVE_INFINITY, () => new Error('of the scenario')),
      )
      v3.post('/escenario/corta', body, failing('corta', 0, unavailable))
    },
  })

  /** Passes a request to the server, after refusing the first two for a token, as a busy proxy does. */
  const grantToken = failing('acceso', 2, unavailable)
  async function proxy(request: IncomingMessage, response: ServerResponse, path: string) {
    const { method = '', headers } = request
    const body = method === 'GET' ? null : await text(request)
    try {
      if (path === '/oauth/token') grantToken()
    } catch {
      return response.writeHead(503, { 'retry-after': '0' }).end()
    }
    const { authorization = '', 'content-type': type = '' } = headers
    const answer = await fetch(server.url + path, { method, headers: { authorization, 'content-type': type }, body })
    response.writeHead(answer.status, JSON_HEADERS).end(await answer.text())
  }

  const website = createServer((request, response) => {
    const [, name = '', path = ''] = /^\/([^/]*)(.*)/.exec(request.url ?? '') ?? []
    const answer = HOSTILE[name]?.answer
    if (name === BUSY) proxy(request, response, path).catch(() => response.destroy())
    else if (answer) answer(response)
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  })
  website.listen(0, '127.0.0.1')
  await once(website, 'listening')
  const websiteUrl = `http://127.0.0.1:${(website.address() as AddressInfo).port}`

  return {
    async check(program) {
      attempts.clear()
      const app = await server.newApp()
      await app.client.configurarWebhook({ topic: 'consulta.recibida' }, { Callback: websiteUrl })
      const { adminMail, sids } = await makeMarket(server, app)
      const printed = await program({
        RODADO_URL: server.url,
        RODADO_APP_KEY: app.app.appKey,
        RODADO_APP_SECRET: app.secret,
        RODADO_SCENARIO: JSON.stringify({
          adminMail,
          makes: MAKES,
          secret: SECRET,
          malformed: MALFORMED,
          problems: problemsFor(adminMail),
          website: websiteUrl,
          busy: `${websiteUrl}/${BUSY}`,
          hostile: Object.entries(HOSTILE).map(([name, { seconds }]) => ({ url: `${websiteUrl}/${name}`, seconds })),
        }),
      })
      const { webhook, problems, website: wrongAddress, hostile, ...rest } = JSON.parse(printed) as Printed
      const feed = await readFeed(app)
      assert.deepEqual(rest, {
        agencies: [adminMail],
        agenciesByToken: [adminMail],
        makes: await Promise.all(MAKES.map((make) => findMake(app, make))),
        listing: 17_999_999.99,
        inquiries: sids,
        deliveries: feed.flatMap(({ Id, Topic }) => (Topic === 'consulta.recibida' ? Id : [])).reverse(),
        events: feed.map(({ Id, Momento }) => ({ Id, Momento })),
        retries: [200, 200, 503, 200, 200, 200],
      })
      const { sent } = webhook
      const moment = feed.find(({ Id }) => Id === sent)?.Momento
      assert.deepEqual(webhook, { sent, received: sent, moment, standard: sent, tampered: true, malformed: true })
      assert.ok(wrongAddress.includes(`${websiteUrl}/v3/agencias answers text/html instead of JSON`), wrongAddress)
      for (const [index, { error }] of Object.values(HOSTILE).entries())
        for (const auth of [0, 1]) assert.match(hostile[2 * index + auth] ?? '', error)
      assert.deepEqual(problems, PROBLEMS_MET)
      const { json } = await app.get(`/v3/publicaciones/${adminMail}/${EXTERNAL_ID}`)
      assert.deepEqual([json.Precio, json.Descripcion], [{ Moneda: 'ARS', Importe: 17_999_999.99 }, 'Único dueño'])
      const expected = {
        inestable: 3,
        limitada: 3,
        caida: 1,
        acceso: 3,
        cortada: 3,
        reloj: 2,
        token: 2,
        ausente: 1,
        tope: 1,
        falla: 1,
      }
      assert.deepEqual(Object.fromEntries(attempts), expected, 'the attempts of each call')
    },
    async stop() {
      website.close()
      website.closeAllConnections()
      await server.stop()
    },
  }
}

/** An agency of the app with more inquiries than one page shows; their sids, newest first. */
async function makeMarket(server: TestServer, own: TestApp) {
  const { agencia } = await makeAgencia(depsOf(server), own.app)
  const { externalId } = await makePublicacion(server.store, own.app, agencia)
  const { client } = await server.newSitio()
  const { adminMail } = agencia
  await client.contratarPaquete({ adminMail }, { Nombre: 'Plan 5', Hasta: '2049-12-31', Alta: 5 })
  const sids: string[] = []
  const Interesado = { Nombre: 'Lucía Ñáñez', Email: 'lucia@correo.test' }
  for (let count = 0; count < INQUIRIES; count++) {
    const body = { AdminMail: adminMail, ExternalId: externalId, OrigenLead: 'form' as const, Interesado }
    const { location = '' } = await client.recibirConsulta(body).withResponse()
    sids.unshift(location.split('/').at(-1) ?? '')
  }
  return { adminMail, sids }
}

async function findMake(app: TestApp, make: string): Promise<number | null> {
  const { status, json } = await app.get(`/v3/marcas/bestmatch?make=${encodeURIComponent(make)}`)
  return status === 200 ? Number(json._links.self.href.split('/').at(-1)) : null
}

async function readFeed(app: TestApp): Promise<FeedEvent[]> {
  const { json } = await app.get('/v3/eventos')
  return json._entries
}

/** One request for each kind of problem but 401, which a wrong secret gives. */
function problemsFor(adminMail: string): ProblemRequest[] {
  const request = (
    method: string,
    path: string,
    body: object | string | null = null,
    headers = {},
  ): ProblemRequest => ({
    method,
    path,
    headers: { ...(body !== null && JSON_BODY), ...headers },
    body: body === null || typeof body === 'string' ? body : JSON.stringify(body),
  })
  const car = { Marca: 'Fiat', Modelo: 'Cronos' }
  const listing = `/v3/publicaciones/${adminMail}/${EXTERNAL_ID}`
  return [
    request('GET', '/v3/ciudades/bestmatch?state=Buenos%20Aires&city=Xqwzy'),
    request('PUT', '/v3/agencias/nadie@agencia.test', { Nombre: 'Nadie' }),
    request('GET', '/v3/colores/0'),
    request('DELETE', '/v3/colores'),
    request('GET', '/v3/colores', null, { accept: 'text/html' }),
    request('POST', `/v3/publicaciones/${adminMail}`, { ExternalId: EXTERNAL_ID, ...car }),
    request('PUT', listing, { Activa: true }, { 'if-match': '"otra"' }),
    request('POST', '/v3/escenario/corta', { largo: 'más de diez bytes' }),
    request('POST', '/v3/agencias', 'texto', { 'content-type': 'text/plain' }),
    request('GET', '/v3/escenario/tope'),
    request('GET', '/v3/escenario/falla'),
    request('GET', '/v3/escenario/ausente'),
  ]
}

const met = (code: keyof typeof PROBLEMS, codes: string[], ...fields: string[]): Met => ({
  status: PROBLEMS[code].status,
  code,
  fields,
  codes,
})

const PROBLEMS_MET: Met[] = [
  met('solicitud-invalida', ['sin-coincidencia'], 'city'),
  met('prohibido', ['sin-asociacion']),
  met('no-existe', ['no-existe']),
  met('metodo-no-permitido', ['metodo-no-permitido']),
  met('no-aceptable', ['no-aceptable']),
  met('conflicto', ['external-id-en-uso'], 'ExternalId'),
  met('version-distinta', ['version-distinta']),
  met('demasiado-grande', ['demasiado-grande']),
  met('tipo-no-admitido', ['tipo-no-admitido']),
  met('demasiadas-solicitudes', ['limite-de-solicitudes']),
  met('error-interno', ['error-interno']),
  met('no-disponible', ['no-disponible']),
  met('sin-autorizacion', ['firma-invalida']),
]
assert.deepEqual(PROBLEMS_MET.map(({ code }) => code).sort(), Object.keys(PROBLEMS).sort(), 'each problem is met')
