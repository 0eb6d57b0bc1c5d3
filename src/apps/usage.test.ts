import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia, newMail } from '../../tests/support/agencia.ts'
import { hook, LOOPBACK, makeDue, settled, storeEvents, tried } from '../../tests/support/deliveries.ts'
import { openReceiver, type Receiver } from '../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { openUsage } from './usage.ts'
import { type Counts, firstsOf, usageOf } from './usage-store.ts'

let server: TestServer
let receiver: Receiver
before(async () => {
  receiver = await openReceiver()
  server = await startServer({
    env: { ...LOOPBACK, RATE_PER_SECOND: '1', RATE_BURST: '5' },
    nowMs: () => 0,
    worker: {},
  })
})
after(async () => {
  await server?.stop()
  await receiver?.close()
})

/** What is written down of an app in the last two hours, once as many requests were counted. */
async function counted({ app }: TestApp, requests: number): Promise<Counts> {
  let sum: Record<string, number> = {}
  await until(async () => {
    await server.usage.flush()
    const periods = await usageOf(server.store, { appId: app.id, step: 'hour', count: 2, timeZone: 'UTC' })
    sum = {}
    for (const { desde: _, ...counts } of periods)
      for (const [name, value] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + value
    return sum.solicitudes === requests
  })
  return sum as unknown as Counts
}

const hechos = async ({ app }: TestApp) => [...(await firstsOf(server.store, app.id)).keys()].sort()

test('requests are counted by how they ended, and what an app did for the first time is noted', async () => {
  const app = await server.newApp()
  const { headers } = await app.get('/v3/colores')
  await app.get('/v3/colores', { 'if-none-match': headers.etag ?? '' })
  await app.get('/v3/nada')
  await app.get('/v3/colores/bestmatch?color=rojo')
  await app.get('/v3/marcas')
  await app.get('/v3/regiones')
  assert.equal((await app.get('/v3/marcas')).status, 429)
  const { solicitudes, sin_cambios, errores, limitadas, fallas } = await counted(app, 7)
  assert.deepEqual([solicitudes, sin_cambios, errores, limitadas, fallas], [7, 1, 1, 1, 0])
  assert.deepEqual(await hechos(app), ['bestmatch', 'condicional', 'firma'])
})

test('what is not the doing of the app shows nothing of it: a call in the house, or one that is refused', async () => {
  const app = await server.newApp()
  await server.app.inject({ url: '/v3/eventos', headers: app.signed('GET', '/v3/eventos') })
  await app.call('POST', '/v3/agencias', { body: '{"AdminMail":"ninguno"}' })
  const { solicitudes, errores } = await counted(app, 2)
  assert.deepEqual([solicitudes, errores], [2, 1])
  assert.deepEqual(await hechos(app), ['firma'])
})

test('a token is noted apart from a signature, and nobody is charged with a call that is not believed', async () => {
  const { app, secret, ...caller } = await server.newApp()
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: app.appKey, client_secret: secret })
  const answer = await fetch(`${server.url}/oauth/token`, { method: 'POST', body: form })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  await fetch(`${server.url}/v3/marcas`, { headers: { authorization: `Bearer ${token}` } })
  await fetch(`${server.url}/v3/marcas`, { headers: { authorization: 'Bearer nada' } })
  await counted({ app, secret, ...caller }, 1)
  assert.deepEqual(await hechos({ app, secret, ...caller }), ['token'])
})

test('deliveries are counted: arrived, failed, and the one that arrived after failing is remembered', async () => {
  const app = await server.newApp()
  await hook(server, app, 'consulta.recibida', receiver.url)
  receiver.answer((_, turn) => (turn === 1 ? 500 : 200))
  const ids = await storeEvents(server, app, 'consulta.recibida')
  await tried(server, ids, 1)
  await makeDue(server)
  await settled(server, ids)
  const { entregadas, intentos_fallidos, abandonadas } = await counted(app, 1)
  assert.deepEqual([entregadas, intentos_fallidos, abandonadas], [1, 1, 0])
  assert.deepEqual(await hechos(app), ['entrega', 'firma', 'reintento'])
})

test('a delivery that is given up is counted as such', async () => {
  const app = await server.newApp()
  await hook(server, app, 'consulta.recibida', receiver.url)
  receiver.answer(410)
  await settled(server, await storeEvents(server, app, 'consulta.recibida'))
  const { entregadas, intentos_fallidos, abandonadas } = await counted(app, 1)
  assert.deepEqual([entregadas, intentos_fallidos, abandonadas], [0, 1, 1])
})

test('what an app reads of an agency is counted for the agency, by day, and under a former address too', async () => {
  const app = await server.newApp()
  const { mail, agencia } = await makeAgencia(depsOf(server), app.app)
  const former = newMail('antes')
  await server.store.query(sql`
    insert into agencia_aliases (modo, admin_mail, agencia_id, expires_at)
    values ('produccion', ${former}, ${agencia.id}, now() + interval '1 day')`)
  for (const path of [
    `agencias/${mail.toUpperCase()}`,
    `agencias/${former}`,
    `consultas/${mail}`,
    'agencias/no@hay.test',
  ])
    await app.get(`/v3/${path}`)
  await counted(app, 4)
  await server.usage.flush()
  const reads = await server.store.query<{ datos: number; consultas: number }>(sql`
    select datos, consultas from app_reads where agencia_id = ${agencia.id} and app_id = ${app.app.id}`)
  assert.deepEqual(reads, [{ datos: 2, consultas: 1 }])
})

test('periods without anything are there, and a day is one of the time zone', async () => {
  const app = await server.newApp()
  await server.store.query(sql`
    insert into app_usage (app_id, hora, solicitudes)
    values (${app.app.id}, date_trunc('day', now() at time zone 'America/Lima') at time zone 'America/Lima', 3),
           (${app.app.id}, (date_trunc('day', now() at time zone 'America/Lima') - interval '1 hour') at time zone 'America/Lima', 5)`)
  const days = await usageOf(server.store, { appId: app.app.id, step: 'day', count: 4, timeZone: 'America/Lima' })
  assert.deepEqual(
    days.map(({ solicitudes }) => solicitudes),
    [0, 0, 5, 3],
  )
})

test('counts that could not be written down are written with the next, once', async () => {
  const app = await server.newApp()
  let away = true
  const warnings: string[] = []
  const log = { warn: (_: unknown, text: string) => warnings.push(text) } as never
  const query: typeof server.store.query = (statement, plan) =>
    away ? Promise.reject(new Error('away')) : server.store.query(statement, plan)
  const usage = openUsage({ store: { ...server.store, query }, log, timeZone: 'UTC', clock: () => new Date() })
  usage.of(app.app.id).answered(200)
  await usage.flush()
  assert.equal(warnings.length, 1)
  usage.of(app.app.id).answered(500)
  away = false
  await usage.stop()
  await usage.flush()
  const [hour] = await usageOf(server.store, { appId: app.app.id, step: 'hour', count: 1, timeZone: 'UTC' })
  assert.deepEqual([hour?.solicitudes, hour?.fallas], [2, 1])
})
