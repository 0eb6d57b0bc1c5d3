// The scenario of ../scenario.md with the TypeScript client.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Client,
  type ClientConfig,
  createClient,
  followEvents,
  type ProblemError,
  type RodadoError,
  verifyWebhook,
  WebhookError,
} from '@rodado/client'

const { RODADO_URL: baseUrl = '', RODADO_APP_KEY: appKey = '', RODADO_APP_SECRET: appSecret = '' } = process.env
const { adminMail, makes, secret, malformed, problems, website, busy, hostile } = JSON.parse(
  process.env.RODADO_SCENARIO ?? '{}',
) as {
  adminMail: string
  makes: string[]
  secret: string
  malformed: { name: string; value: string }[]
  problems: { method: string; path: string; headers: Record<string, string>; body: string | null }[]
  website: string
  busy: string
  hostile: { url: string; seconds: number }[]
}
const rodado = createClient({ baseUrl, appKey, appSecret })

const idOf = (href = ''): string => href.split('/').at(-1) ?? ''

async function agencies(client: Client) {
  const mails: string[] = []
  for await (const { AdminMail } of client.listarAgencias()) mails.push(AdminMail)
  return mails
}

async function findMakes(): Promise<(number | null)[]> {
  const { _entries } = await rodado.buscarMarcas({ Valores: makes.map((make) => ({ make })) })
  return _entries.map(({ Match }) => (Match ? Number(idOf(Match.href)) : null))
}

async function publishAndChange(): Promise<number | undefined> {
  const car = { ExternalId: 'AB-1', Marca: 'Fiat', Modelo: 'Cronos', VersionYear: 2022, Kilometraje: 38_000 }
  const Precio = { Moneda: 'ARS', Importe: 18_500_000.5 }
  await rodado.publicar({ adminMail }, { ...car, Precio, Descripcion: 'Único dueño' })
  const at = { adminMail, externalid: 'AB-1' }
  const { data, etag = '' } = await rodado.verPublicacion(at).withResponse()
  const changed = { ...data, Precio: { Moneda: 'ARS', Importe: 17_999_999.99 } }
  return (await rodado.editarPublicacion(at, changed, { ifMatch: etag })).Precio?.Importe
}

async function inquiries(): Promise<string[]> {
  const sids: string[] = []
  for await (const { _links } of rodado.listarConsultas({ adminMail })) sids.push(idOf(_links.self?.href))
  return sids
}

async function deliveries(): Promise<string[]> {
  const ids: string[] = []
  for await (const { Evento } of rodado.listarEntregas({ topic: 'consulta.recibida', adminMail })) ids.push(Evento)
  return ids
}

async function receiveWebhook() {
  let receive: (delivery: { headers: Record<string, string>; body: Buffer }) => void
  const received = new Promise<Parameters<typeof receive>[0]>((resolve) => {
    receive = resolve
  })
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    response.writeHead(204).end()
    receive({ headers: request.headers as Record<string, string>, body })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const Callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const topic = 'consulta.modificada'
  const { SecretEstandar = '' } = await rodado.configurarWebhook({ topic }, { Callback, Secret: secret })
  const { Id: sent } = await rodado.probarWebhook({ topic })
  const { headers, body } = await received
  receiver.close()
  const event = await verifyWebhook(headers, body, secret)
  const several = { ...headers, 'webhook-signature': `v1,bm8= ${headers['webhook-signature']}` }
  const isRefused = (altered: Record<string, string>, text: string) =>
    verifyWebhook(altered, text, secret).then(
      () => false,
      (error) => error instanceof WebhookError,
    )
  return {
    sent,
    received: event.Id,
    moment: event.Momento,
    standard: (await verifyWebhook(several, body, SecretEstandar)).Id,
    tampered: await isRefused(headers, `${body} `),
    malformed: (
      await Promise.all(malformed.map(({ name, value }) => isRefused({ ...headers, [name]: value }, `${body}`)))
    ).every(Boolean),
  }
}

async function events() {
  const all: { Id: string; Momento: string }[] = []
  for await (const page of followEvents(rodado, { once: true }))
    all.push(...page.events.map(({ Id, Momento }) => ({ Id, Momento })))
  return all
}

async function meetProblems() {
  const once = createClient({ baseUrl, appKey, appSecret, retries: 0 })
  const wrong = createClient({ baseUrl, appKey, appSecret: 'wrong' })
  const parsed = (body: string | null) => (body === null ? undefined : body.startsWith('{') ? JSON.parse(body) : body)
  const calls = [
    ...problems.map(
      ({ method, path, headers, body }) =>
        () =>
          once.request(method, path, { headers, body: parsed(body) }),
    ),
    () => wrong.listarAgencias(),
  ]
  const met: unknown[] = []
  for (const call of calls)
    met.push(
      await call().then(
        () => 'no problem',
        ({ status, code, errors, codigo, codes }: ProblemError) => ({
          status,
          code,
          fields: Object.keys(errors).sort(),
          codes: [...new Set([codigo ?? [], ...Object.values(codes)].flat())].sort(),
        }),
      ),
    )
  return met
}

/** The status of a call after its retries. */
const statusOf = (method: string, path: string, body?: object, client = rodado): Promise<number> =>
  client
    .request(method, path, { body })
    .withResponse()
    .then(
      ({ status }) => status,
      ({ status }: ProblemError) => status,
    )

/** The message of the error when it lists the agencies. */
const errorOf = (config: { baseUrl: string } & Partial<ClientConfig>): Promise<string> =>
  createClient({ appKey, appSecret, ...config })
    .listarAgencias()
    .then(
      () => 'no error',
      ({ message }: RodadoError) => message,
    )

async function meetHostile(): Promise<string[]> {
  const messages: string[] = []
  for (const { url, seconds } of hostile)
    for (const auth of ['signature', 'bearer'] as const)
      messages.push(await errorOf({ baseUrl: url, timeoutMs: seconds * 1000, retries: 0, auth }))
  return messages
}

const listing = await publishAndChange()
const webhook = await receiveWebhook()
console.log(
  JSON.stringify({
    agencies: await agencies(rodado),
    agenciesByToken: await agencies(createClient({ baseUrl: busy, appKey, appSecret, auth: 'bearer' })),
    makes: await findMakes(),
    listing,
    inquiries: await inquiries(),
    deliveries: await deliveries(),
    webhook,
    events: await events(),
    problems: await meetProblems(),
    website: await errorOf({ baseUrl: website }),
    hostile: await meetHostile(),
    retries: [
      await statusOf('GET', '/v3/escenario/inestable'),
      await statusOf('POST', '/v3/escenario/limitada', {}),
      await statusOf('POST', '/v3/escenario/caida', {}),
      await statusOf('GET', '/v3/escenario/cortada'),
      await statusOf('GET', '/v3/escenario/reloj'),
      await statusOf(
        'GET',
        '/v3/escenario/token',
        undefined,
        createClient({ baseUrl, appKey, appSecret, auth: 'bearer' }),
      ),
    ],
  }),
)
