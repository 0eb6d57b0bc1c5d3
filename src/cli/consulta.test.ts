import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { urlOf } from '../../tests/support/database.ts'
import { makePublicacion } from '../../tests/support/publicacion.ts'
import { openReceiver, type Receiver } from '../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import type { Agencia } from '../resources/agencias/agencia.ts'
import { run } from './run.ts'

describe('consulta and sitio', () => {
  let server: TestServer
  let receiver: Receiver
  let app: TestApp
  let agencia: Agencia
  let env: Record<string, string>
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ worker: {}, env: { ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' } })
    env = { DATABASE_URL: urlOf(server.connection), MASTER_KEY: randomBytes(32).toString('hex') }
    app = await server.newApp({ nombre: 'Gestor Uno' })
    agencia = (await makeAgencia(depsOf(server), app.app)).agencia
    await makePublicacion(server.store, app.app, agencia, { externalId: 'AB-1' })
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })

  async function rodado(...args: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const code = await run(args, { out, err, env })
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
  }

  it('consulta: arrives like any other, and shows which apps were notified: no webhook, delivered, refused', async () => {
    const first = await rodado('consulta', '--a', 'ab-1')
    assert.deepEqual([first.code, first.err], [0, ''])
    assert.match(first.out, /^[0-9A-Z]{26} {2}Fiat Cronos 1\.3 Drive 2022\n/)
    assert.match(first.out, /Gestor Uno: event \w+, no webhook/)

    const body = JSON.stringify({ Callback: `${receiver.url}/consultas`, Activo: true })
    assert.equal((await app.call('POST', '/v3/appnotificaciones/consulta.recibida', { body })).status, 201)
    const printed = JSON.parse((await rodado('consulta', '--a', 'AB-1', '--nombre', 'Eva', '--json')).out)
    assert.deepEqual(
      printed.Apps.map(({ App, Entrega, Status }: Record<string, unknown>) => ({ App, Entrega, Status })),
      [{ App: 'Gestor Uno', Entrega: 'entregada', Status: 200 }],
    )
    const [delivery] = await receiver.waitFor(1)
    assert.equal(JSON.parse(delivery?.body ?? '').Consulta.Interesado.Nombre, 'Eva')
    assert.equal((await app.get(printed.Location)).status, 200)

    receiver.answer(500)
    assert.match((await rodado('consulta', '--a', 'AB-1')).out, /not delivered yet: /)
    await server.store.query(sql`update webhooks set paused_until = now() + interval '1 hour'`)
    const paused = await rodado('consulta', '--a', 'AB-1')
    assert.match(
      paused.out,
      /Gestor Uno: event \w+, not tried yet: its webhook only failed, and is left alone until \d{4}-/,
    )
    await server.store.query(sql`update webhooks set paused_until = null`)
  })

  it('consulta: what is wrong is named', async () => {
    const other = (await makeAgencia(depsOf(server), app.app)).agencia
    await makePublicacion(server.store, app.app, other, { externalId: 'ab-1' })
    for (const [args, code, message] of [
      [[], 2, /--a is needed/],
      [['--a', 'nada'], 1, /no listing nada/],
      [['--a', 'AB-1'], 1, /2 listings.*--agencia/],
      [['--a', 'AB-1', '--email', 'no'], 2, /Email/],
      [['--a', 'AB-1', '--modo', 'x'], 2, /--modo/],
      [['--a', 'AB-1', '--modo', 'prueba'], 1, /no listing/],
    ] as const) {
      const ran = await rodado('consulta', ...args)
      assert.equal(ran.code, code, ran.err)
      assert.match(ran.err, message)
    }
    assert.equal((await rodado('consulta', '--a', 'AB-1', '--agencia', other.adminMail)).code, 0)
  })

  it('sitio: made, listed and revoked; the key is shown once and is good at once', async () => {
    const made = JSON.parse((await rodado('sitio', 'create', '--nombre', 'Portal', '--json')).out)
    assert.deepEqual(Object.keys(made), ['SitioKey'])
    const text = (await rodado('sitio', 'create', '--modo', 'prueba')).out
    assert.match(text, /SitioKey {2}sitio_[\w-]{43}\n/)
    const list = JSON.parse((await rodado('sitio', 'list', '--json')).out)
    assert.deepEqual(
      list.map(({ Nombre, Modo, Revocada }: Record<string, unknown>) => [Nombre, Modo, Revocada]),
      [
        ['Portal', 'produccion', null],
        ['Sitio', 'prueba', null],
      ],
    )
    assert.ok(!JSON.stringify(list).includes(made.SitioKey))
    const revoked = JSON.parse((await rodado('sitio', 'revoke', String(list[0].Id), '--json')).out)
    assert.ok(revoked.Revocada)
    assert.match((await rodado('sitio', 'list')).out, /revoked {2}Portal/)
    for (const args of [[], ['x'], ['create', '--modo', 'x'], ['create', '--nombre', ' '], ['revoke'], ['revoke', 'x']])
      assert.equal((await rodado('sitio', ...args)).code, 2, args.join(' '))
    assert.equal((await rodado('sitio', 'revoke', '999')).code, 1)
  })
})
