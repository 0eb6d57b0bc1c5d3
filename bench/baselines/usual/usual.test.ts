import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { callerFor, send } from '../../../tests/support/caller.ts'
import { insertConsulta } from '../../../tests/support/consulta.ts'
import { hook, LOOPBACK } from '../../../tests/support/deliveries.ts'
import { freePort } from '../../../tests/support/free-port.ts'
import { makePublicacion } from '../../../tests/support/publicacion.ts'
import { openReceiver } from '../../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { baseline, end, startHelper, untilReady } from '../../server-process.ts'
import { usualConfig } from '../../usual.ts'

describe('the usual server, which ours is compared with', () => {
  let server: TestServer
  let folder: string
  let file: string
  let child: ChildProcess
  let url: string
  let app: TestApp
  before(async () => {
    server = await startServer({ env: LOOPBACK })
    app = await server.newApp()
    folder = await mkdtemp(join(tmpdir(), 'rodado-usual-'))
    const { connection, config, masterKey } = server
    const environment = { MASTER_KEY: masterKey.toString('hex'), PUBLIC_URL: config.publicUrl, RATE_PER_SECOND: '1000' }
    file = await usualConfig({ folder, connection, environment })
    const port = await freePort()
    child = spawn(process.execPath, [baseline('usual/server.js'), file, String(port)], { stdio: 'ignore' })
    await untilReady(port, child)
    url = `http://127.0.0.1:${port}`
  })
  after(async () => {
    await end(child)
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const usual = () => callerFor(url, app.app.appKey, app.secret)

  it('200, 304, 401: the same colours, an ETag that holds, and no answer without a signature', async () => {
    const [ours, theirs] = [await app.get('/v3/colores'), await usual().get('/v3/colores')]
    assert.equal(theirs.status, 200)
    assert.deepEqual(theirs.json._entries, ours.json._entries)
    const again = await usual().get('/v3/colores', { 'if-none-match': theirs.headers.etag ?? '' })
    assert.equal(again.status, 304)
    const wrong = await callerFor(url, app.app.appKey, 'otro').get('/v3/colores')
    assert.deepEqual([wrong.status, wrong.json.Extensions.Codigo], [401, 'firma-invalida'])
  })

  it('200: a page of inquiries and one of them say what ours say, and the Total is exact', async () => {
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    for (let nth = 0; nth < 30; nth++) await insertConsulta(server.store, { agencia, fuente: app.app })
    for (const path of [`/v3/consultas/${agencia.adminMail}`, `/v3/consultas/${agencia.adminMail}?pagina=2`]) {
      const [ours, theirs] = [await app.get(path), await usual().get(path)]
      assert.equal(theirs.json.Total, 30)
      assert.deepEqual(
        theirs.json._entries,
        ours.json._entries.map((entry: object, nth: number) => sharedMembers(entry, theirs.json._entries[nth])),
      )
      assert.deepEqual([theirs.json.Desde, theirs.json.Hasta], [ours.json.Desde, ours.json.Hasta])
      const one = ours.json._entries[0]._links.self.href
      const { json } = await usual().get(one)
      assert.deepEqual(json, sharedMembers(ours.json._entries[0], json))
    }
    assert.equal((await usual().get('/v3/consultas/nadie@agencia.test')).status, 404)
  })

  it('201: an inquiry is stored once under one key, with its event, delivery and e-mails; the worker delivers it', async () => {
    const receiver = await openReceiver()
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    const { id: Aviso } = await makePublicacion(server.store, app.app, agencia)
    await hook(server, app, 'consulta.recibida', receiver.url)
    const { sitioKey } = await server.newSitio()
    const headers = {
      authorization: `Bearer ${sitioKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    const post = (Email: string) => {
      const body = JSON.stringify({ Aviso, OrigenLead: 'form', Interesado: { Nombre: 'Lucía', Email } })
      return send(url, '/interno/v1/consultas', { method: 'POST', headers, body })
    }
    const first = await post('lucia@correo.test')
    assert.equal(first.status, 201, first.text)
    const second = await post('lucia@correo.test')
    assert.deepEqual([second.status, second.headers.location], [201, first.headers.location])
    assert.equal((await post('otra@correo.test')).status, 409)

    const sid = first.headers.location?.split('/').at(-1)
    const [stored] = await server.store.query(sql`
      select (select count(*)::int from consultas where agencia_id = ${agencia.id}) as consultas,
        (select count(*)::int from events e join deliveries d on d.id = e.id where e.sid = ${sid}) as deliveries,
        (select count(*)::int from mails where sid = ${sid}) as emails`)
    assert.deepEqual(stored, { consultas: 1, deliveries: 1, emails: 2 })

    const worker = await startHelper('./baselines/usual/worker.js', [file], 'any', join(folder, 'worker.log'))
    await worker.ask('deliver')
    await worker.stop()
    assert.equal(receiver.received.length, 1)
    const [delivered] = await server.store.query(sql`
      select estado, attempts from deliveries where id = ${receiver.received[0]?.id}`)
    assert.deepEqual(delivered, { estado: 'entregada', attempts: 1 })
    await receiver.close()
  })

  it('200: an upload makes, changes and leaves alone as ours does; 401 repetida when its signature comes again', async () => {
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    await server.store.query(sql`
      insert into paquetes (agencia_id, nombre, desde, hasta, alta)
      values (${agencia.id}, 'Todo', '2020-01-01', '2049-12-31', 10)`)
    const path = `/v3/publicaciones/${agencia.adminMail}/lote`
    const rows = (Importe: number) =>
      JSON.stringify(['A-1', 'A-2'].map((ExternalId) => row(ExternalId, ExternalId === 'A-1' ? Importe : 1)))
    const upload = async (body: string) => (await usual().call('POST', path, { body })).json.Resumen
    const [none, body] = [{ Archivadas: 0, Rechazadas: 0 }, rows(5)]
    assert.deepEqual(await upload(body), { Creadas: 2, Modificadas: 0, SinCambios: 0, ...none })
    assert.deepEqual(await upload(body), { Creadas: 0, Modificadas: 0, SinCambios: 2, ...none })
    assert.deepEqual(await upload(rows(6)), { Creadas: 0, Modificadas: 1, SinCambios: 1, ...none })
    const sent = { method: 'POST', headers: usual().signed('POST', path, { body }), body }
    assert.equal((await send(url, path, sent)).status, 200)
    assert.equal((await send(url, path, sent)).json.Extensions.Codigo, 'repetida')
  })
})

const CAR = { Marca: 'FIAT', Modelo: 'Cronos', Version: '1.3', VersionYear: 2022, Kilometraje: 100, Color: 'blanco' }

const row = (ExternalId: string, Importe: number) => ({ ExternalId, ...CAR, Precio: { Moneda: 'ARS', Importe } })

/** The members of our entry that theirs has: a new member of ours need not be added to a baseline. */
const sharedMembers = (ours: object, theirs: Record<string, unknown> = {}): object =>
  Object.fromEntries(
    Object.entries(ours)
      .filter(([name]) => name in theirs)
      .map(([name, value]) => [
        name,
        name === 'Interesado' ? sharedMembers(value, theirs[name] as typeof theirs) : value,
      ]),
  )
