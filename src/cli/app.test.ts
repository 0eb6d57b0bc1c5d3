import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { urlOf } from '../../tests/support/database.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { findApp } from '../apps/store.ts'
import { run } from './run.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

async function rodado(...args: string[]) {
  const env = { DATABASE_URL: urlOf(server.connection), MASTER_KEY: server.masterKey.toString('hex') }
  const [out, err] = [new PassThrough(), new PassThrough()]
  const code = await run(args, { out, err, env })
  return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
}

test('limits: what is said is set, what is not stays, and todas is as all apps', async () => {
  const { app } = await server.newApp()
  const set = await rodado('app', 'limits', app.appKey, '--por-segundo', '5', '--invitaciones', '0', '--json')
  assert.equal(set.code, 0, set.err)
  assert.deepEqual(JSON.parse(set.out).Limites, { PorSegundo: 5, Rafaga: null, Invitaciones: 0 })
  await rodado('app', 'limits', app.appKey, '--invitaciones', 'todas')
  assert.deepEqual((await findApp(server.store, app.appKey))?.limits, {
    ratePerSecond: 5,
    rateBurst: null,
    invitesPerDay: null,
  })
})

test('limits: a number that the store does not keep is refused, and nothing changes', async () => {
  const { app } = await server.newApp()
  for (const said of ['0', '100001', '-1', '5.5', 'mucho', '']) {
    const { code, err } = await rodado('app', 'limits', app.appKey, `--por-segundo=${said}`)
    assert.deepEqual([code, /--por-segundo must be a number from 1 to 100000, or todas/.test(err)], [2, true], said)
  }
  assert.equal((await findApp(server.store, app.appKey))?.limits.ratePerSecond, null)
})

test('disable: the reason is kept until the app is enabled', async () => {
  const { app } = await server.newApp()
  await rodado('app', 'disable', app.appKey, '--motivo', 'Deja de pagar.')
  assert.equal((await findApp(server.store, app.appKey))?.disabledReason, 'Deja de pagar.')
  assert.equal((await rodado('app', 'enable', app.appKey, '--motivo', 'x')).code, 2)
  await rodado('app', 'enable', app.appKey)
  const enabled = await findApp(server.store, app.appKey)
  assert.deepEqual([enabled?.disabled, enabled?.disabledReason], [false, null])
})

test('what the command line does to an app is in the audit log', async () => {
  const { app } = await server.newApp()
  const key = app.appKey
  await rodado('app', 'rotate', key)
  await rodado('app', 'topics', key, '--set', 'consulta.recibida')
  await rodado('app', 'topics', key)
  await rodado('app', 'limits', key, '--rafaga', '10')
  await rodado('app', 'limits', key)
  await rodado('app', 'callbacks', key, '--set', 'ninguno')
  await rodado('app', 'disable', key)
  await rodado('app', 'enable', key)
  const entries = await server.store.query(sql`
    select act, detail from audit_log where subject = ${key} and via = 'comando' and account_id is null order by id`)
  assert.deepEqual(entries, [
    { act: 'app.clave-nueva', detail: { revocaLasAnteriores: false } },
    { act: 'app.temas', detail: { temas: ['consulta.recibida'] } },
    { act: 'app.limites', detail: { rateBurst: 10 } },
    { act: 'app.callbacks', detail: { rangos: [] } },
    { act: 'app.deshabilitar', detail: { motivo: null } },
    { act: 'app.habilitar', detail: {} },
  ])
})

test('what it creates, and the packages that it sets, are in the audit log', async () => {
  const { AppKey } = JSON.parse((await rodado('app', 'create', '--nombre', 'Nueva', '--json')).out)
  await rodado('sitio', 'create', '--nombre', 'Portal')
  const { agencia } = await makeAgencia(depsOf(server), (await server.newApp()).app)
  const set = ['paquete', 'set', agencia.adminMail, '--nombre', 'Oro', '--hasta', '2049-12-31', '--alta', '1']
  for (let times = 0; times < 2; times++) assert.equal((await rodado(...set)).code, 0)
  const entries = await server.store.query(sql`
    select act, subject, detail -> 'nombre' as nombre from audit_log
    where via = 'comando' and act in ('app.crear', 'sitio.crear', 'agencia.paquete') order by id`)
  assert.deepEqual(entries, [
    { act: 'app.crear', subject: AppKey, nombre: 'Nueva' },
    { act: 'sitio.crear', subject: '1', nombre: 'Portal' },
    { act: 'agencia.paquete', subject: agencia.adminMail, nombre: 'Oro' }, // the second changed nothing
  ])
})

test('callbacks: a private range is granted to one app alone, on every node within a second', async () => {
  const [granted, other] = [await server.newApp(), await server.newApp()]
  const set = await rodado('app', 'callbacks', granted.app.appKey, '--set', '127.0.0.1:8099,[fd00::/8]:443', '--json')
  assert.equal(set.code, 0, set.err)
  assert.deepEqual(JSON.parse(set.out).CallbacksPrivados, ['127.0.0.1:8099', '[fd00::/8]:443'])
  let calls = 0 // another address each time: one that stays is not checked again
  const configure = (app: TestApp, port: number) =>
    app.call('PUT', '/v3/appnotificaciones/consulta.recibida', {
      body: JSON.stringify({ Callback: `http://127.0.0.1:${port}/hook-${++calls}` }),
    })
  for (const app of [granted, other])
    await app.call('POST', '/v3/appnotificaciones/consulta.recibida', {
      body: JSON.stringify({ Callback: 'https://receptor.test/' }),
    })
  await until(async () => (await configure(granted, 8099)).status === 200)
  assert.equal((await configure(granted, 8098)).status, 400)
  assert.equal((await configure(other, 8099)).status, 400)
  assert.match((await rodado('app', 'callbacks', granted.app.appKey)).out, /^127\.0\.0\.1:8099\n/)
  await rodado('app', 'callbacks', granted.app.appKey, '--set', 'ninguno')
  await until(async () => (await configure(granted, 8099)).status === 400)
})

test('callbacks: what is no range is refused with the form it must have', async () => {
  const { app } = await server.newApp()
  for (const said of ['10.0.0.0/33', 'interno', '', '10.0.0.0/8:x']) {
    const { code, err } = await rodado('app', 'callbacks', app.appKey, `--set=${said}`)
    assert.deepEqual([code, /--set must be ninguno or .*\[fd00::\/8\]:8443/.test(err)], [2, true], said)
  }
})
