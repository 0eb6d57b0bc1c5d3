import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { callerFor } from '../../tests/support/caller.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { maskedBody, maskedTarget } from '../record-calls.ts'
import {
  type Call,
  type CallFilter,
  clearOldCalls,
  FLUSH_SECONDS,
  listCalls,
  MAX_CLAIMED_PER_FLUSH,
  MAX_LISTED,
  MAX_PER_FLUSH,
  MAX_PER_FLUSH_REDUCED,
  MAX_STORED,
  openCallLog,
  REDUCED_FROM,
} from './call-log.ts'

describe('the log of an app’s calls', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ env: { RATE_PER_SECOND: '1000', RATE_BURST: '1000' } })
  })
  after(() => server.stop())

  async function callsOf({ app }: TestApp, filter: CallFilter = {}): Promise<Call[]> {
    await server.usage.calls.flush()
    return (await listCalls(server.store, app.id, filter, { limit: 100 }, new Date())).rows
  }

  it('has method, path, status, time and problem, newest first, and finds them by each', async () => {
    const app = await server.newApp()
    await app.get('/v3/colores?q=azul')
    await app.get('/v3/colores/0')
    const [refused, ok] = await callsOf(app)
    assert.deepEqual([ok?.metodo, ok?.ruta, ok?.estado, ok?.codigo], ['GET', '/v3/colores?q=azul', 200, null])
    assert.ok(ok && ok.ms > 0)
    const detail = { key: 'problema.catalogue.colores', values: {} }
    assert.deepEqual([refused?.estado, refused?.codigo, refused?.problema], [404, 'no-existe', { detail }])
    assert.deepEqual(
      (await callsOf(app, { estado: 4 })).map(({ id }) => id),
      [refused?.id],
    )
    assert.deepEqual(
      (await callsOf(app, { text: 'AZUL' })).map(({ id }) => id),
      [ok.id],
    )
    assert.deepEqual(await callsOf(app, { metodo: 'PUT' }), [])
    assert.deepEqual(await callsOf(await server.newApp()), [], 'of another app')
  })

  it('keeps no email, telephone or value of a body, and shows the agency while the app may see it', async () => {
    const app = await server.newApp()
    const { mail, agencia } = await makeAgencia(depsOf(server), app.app)
    const body = { Email: 'persona@correo.test', Nombre: 'Teresa', Telefono: '+54 341 555-0199' }
    await app.call('POST', `/v3/operadores/${mail}`, { body: JSON.stringify(body) })
    await app.get(`/v3/agencias/nadie@otro.test?operador=persona%40correo.test`)
    const [foreign, own] = await callsOf(app)
    assert.deepEqual([own?.ruta, own?.agencia?.adminMail], ['/v3/operadores/{agencia}', mail])
    assert.equal(foreign?.ruta, '/v3/agencias/{agencia}?operador={…}')
    assert.equal(foreign.agencia, null)
    const stored = JSON.stringify(await server.store.query(sql`select * from app_calls where app_id = ${app.app.id}`))
    for (const personal of [mail, 'persona', 'Teresa', '555', 'nadie'])
      assert.ok(!stored.includes(personal), `${personal} in ${stored}`)
    await server.store.query(sql`update asociaciones set ended_at = now() where agencia_id = ${agencia.id}`)
    assert.equal((await callsOf(app))[1]?.agencia, null)
  })

  it('has every call, whatever one of them was sent', async () => {
    const app = await server.newApp()
    const cut = `${'a'.repeat(92)}.persona@correo.test` // without its @ in the names of the faults
    const body = JSON.stringify({ [`${'a'.repeat(99)}😀`]: 1, Persona: 1, Nombre: 'x', Telefono: 1, [cut]: 1 })
    await app.get('/v3/colores')
    await app.get('/v3/agencias/a%00@b.test')
    await app.call('POST', '/v3/agencias', { body })
    await app.call('POST', '/v3/agencias?persona@correo.test=1', { body: '{}' })
    const calls = await callsOf(app)
    assert.deepEqual(
      calls.map(({ estado }) => estado),
      [400, 400, 400, 200],
    )
    assert.doesNotMatch(JSON.stringify(calls), /persona/i)
    assert.ok(calls[1]?.problema?.errors?.['…'])
    assert.equal(calls[1]?.cuerpo, '{"…":"number","Nombre":"string 1","Telefono":"number"}')
  })

  it('401: a wrong signature is in the log of the app whose key it has', async () => {
    const app = await server.newApp()
    await callerFor(server.url, app.app.appKey, 'another secret').call('GET', '/v3/colores')
    assert.deepEqual(
      (await callsOf(app)).map(({ estado, codigo }) => [estado, codigo]),
      [[401, 'firma-invalida']],
    )
  })

  it('has every call, also where an answer quotes half of a character', async () => {
    const app = await server.newApp()
    const address = '/v3/marcas/bestmatch?make='
    await app.get('/v3/colores')
    const unclosed = await app.get(`${address}${encodeURIComponent('a»\\ud800 \\udc00')}`)
    assert.ok(JSON.parse(unclosed.text).Errors.make[0].isWellFormed(), unclosed.text)
    await app.get(`${address}${encodeURIComponent(`${'a'.repeat(79)}😀😀`)}`)
    assert.equal((await callsOf(app)).length, 3)
  })

  it('lists few calls that only claim the key of an app, beside those the app makes', async () => {
    const app = await server.newApp()
    const { calls } = server.usage
    const call = { metodo: 'GET', ruta: '/v3', portal: false, estado: 401, ms: 1 }
    for (let nth = 0; nth < MAX_PER_FLUSH; nth++) calls.record(app.app.id, () => call, { isClaimed: true })
    for (let nth = 0; nth < MAX_PER_FLUSH; nth++) calls.record(app.app.id, () => ({ ...call, estado: 200 }))
    await calls.flush()
    const stored = await server.store.query(
      sql`select estado, count(*) from app_calls where app_id = ${app.app.id} group by estado order by estado`,
    )
    assert.deepEqual(stored, [
      { estado: 200, count: MAX_PER_FLUSH },
      { estado: 401, count: MAX_CLAIMED_PER_FLUSH },
    ])
  })

  it('lists so many calls a second, and counts the others', async () => {
    const app = await server.newApp()
    const { calls } = server.usage
    const call = { metodo: 'GET', ruta: '/v3', portal: false, estado: 200, ms: 1 }
    let built = 0
    for (let nth = 0; nth < MAX_PER_FLUSH + 20; nth++)
      calls.record(app.app.id, () => {
        built++
        return call
      })
    await calls.flush()
    const [stored] = await server.store.query<{ count: number }>(
      sql`select count(*) from app_calls where app_id = ${app.app.id}`,
    )
    assert.deepEqual([built, stored?.count], [MAX_PER_FLUSH, MAX_PER_FLUSH])
  })

  it('lists fewer calls of each app on a node that lists many, and of all apps no more than a limit', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const calls = openCallLog({ store: server.store, log: server.app.log, clock: () => new Date() })
    const call = { metodo: 'GET', ruta: '/v3', portal: false, estado: 200, ms: 1 }
    const last = await server.newApp()
    const apps = Array.from({ length: REDUCED_FROM / MAX_PER_FLUSH }, (_, nth) => 1_000_000 + nth)
    for (const appId of apps) {
      for (let nth = 0; nth < MAX_PER_FLUSH; nth++) calls.record(appId, () => call)
      await calls.flush()
    }
    const listedOf = async () => {
      for (let nth = 0; nth < MAX_PER_FLUSH; nth++) calls.record(last.app.id, () => call)
      await calls.flush()
      return (await server.store.query(sql`select from app_calls where app_id = ${last.app.id}`)).length
    }
    assert.equal(await listedOf(), MAX_PER_FLUSH_REDUCED)
    let built = 0
    for (let nth = 0; nth < MAX_LISTED; nth++) {
      calls.record(2_000_000 + nth, () => {
        built++
        return call
      })
      if (built % MAX_STORED === 0) await calls.flush()
    }
    assert.equal(built, MAX_LISTED - REDUCED_FROM - MAX_PER_FLUSH_REDUCED)
    t.mock.timers.tick(FLUSH_SECONDS * 1_000)
    assert.equal(await listedOf(), MAX_PER_FLUSH_REDUCED + MAX_PER_FLUSH)
    await calls.stop()
  })

  it('a day is emptied before its partition is used again', async () => {
    const app = await server.newApp()
    await server.store.query(sql`
      insert into app_calls (dia, id, app_id, metodo, ruta, portal, estado, ms)
      select call_day(now() + day * interval '1 day'), 'old ' || day, ${app.app.id}, 'GET', '/v3', false, 200, 1
      from generate_series(-7, 1) as day`)
    await clearOldCalls(server.store)
    const left = await server.store.query<{ id: string }>(sql`select id from app_calls where app_id = ${app.app.id}`)
    assert.deepEqual(left.map(({ id }) => id).sort(), [
      'old -1',
      'old -2',
      'old -3',
      'old -4',
      'old -5',
      'old -6',
      'old -7',
      'old 0',
    ])
  })
})

describe('what is masked', () => {
  const masked = (target: string) => maskedTarget(target, new Set(['make', 'model', 'q', 'desde']))

  it('emails and telephone numbers of an address; catalogue words, days and ids stay', () => {
    assert.equal(
      masked('/v3/consultas/a%40b.test/01JNG3Y4Z5A6B7C8D9E0F1G2H3'),
      '/v3/consultas/{agencia}/01JNG3Y4Z5A6B7C8D9E0F1G2H3',
    )
    assert.equal(
      masked('/v3/modelos/bestmatch?make=Volkswagen&model=Gol+1.6'),
      '/v3/modelos/bestmatch?make=Volkswagen&model=Gol+1.6',
    )
    assert.equal(masked('/v3/x?q=3415550199&desde=2026-11-01T00:00:00'), '/v3/x?q={número}&desde=2026-11-01T00:00:00')
    assert.equal(masked(`/v3/x?q=${'a'.repeat(300)}`), '/v3/x?q={…}')
    assert.equal(masked('/v3/x?q=(341)%20555%200199'), '/v3/x?q={número}')
    assert.equal(masked('/v3/x?Q=azul&nombre=Teresa'), '/v3/x?Q=azul&nombre={…}')
    assert.equal(masked('/v3/x?Teresa%20Gomez&q'), '/v3/x?{…}&q', 'a name without a value')
    assert.equal(masked('/v3/x?Teresa+Gomez=1&otro=2'), '/v3/x?{…}={…}&otro={…}')
    assert.equal(masked('/v3/agencias/ana%2540b.test'), '/v3/agencias/{agencia}')
    assert.equal(masked('/v3/consultas/a%40b.test/3415550199'), '/v3/consultas/{agencia}/{número}')
    assert.equal(masked('/v3/agencias/Teresa%20Gomez'), '/v3/agencias/{…}')
    const own = '/v3/publicaciones/{agencia}/10203040%2F1'
    assert.equal(masked(own.replace('{agencia}', 'a%40b.test')), own, 'an ExternalId')
    const long = `/v3/x?a=${'a'.repeat(90)}&b=${'b'.repeat(90)}&c=${'c'.repeat(90)}&d=${'d'.repeat(90)}&e=${'e'.repeat(90)}`
    assert.ok(!masked(`${long}&q=${'persona'.repeat(8)}@b.test`).includes('persona'))
  })

  it('values of a body, and members that the API does not have', () => {
    const known = new Set(['Nombre', 'Precio', 'En', 'a'])
    assert.equal(
      maskedBody({ Nombre: 'Ana', Precio: 5, Teresa: true, En: [{ a: null, 'Ana Gil': { Luis: 1 } }] }, known),
      '{"Nombre":"string 3","Precio":"number","…":true,"En":[{"a":null,"…":{"…":"number"}}]}',
    )
    assert.equal(maskedBody({ En: Array(4_000).fill('x') }, known).length, 4_000)
  })
})
