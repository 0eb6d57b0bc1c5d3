import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { makePublicacion } from '../../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { visitor } from '../../../tests/support/visitor.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { consentOf } from '../../resources/consultas/consent.ts'

const CONSENT = consentOf('Rodado')
const FORM = {
  Nombre: 'Lucía',
  Telefono: '341 555-0134',
  Interes: 'financiacion',
  Comentario: '¿Sigue disponible?\r\nGracias',
  Consentimiento: CONSENT.version,
}

describe('/aviso/{id}/consultar', () => {
  let server: TestServer
  let app: TestApp
  let agencia: Agencia
  let now = 0
  before(async () => {
    server = await startServer({ nowMs: () => now, env: { TRUST_PROXY: '127.0.0.0/8' } })
    app = await server.newApp()
    agencia = (await makeAgencia(depsOf(server), app.app)).agencia
  })
  after(() => server.stop())

  /** A listing nobody has asked about, and its page; limits begin anew. */
  async function listed(estado = 'Activa') {
    now += 86_400_000
    const { id } = await makePublicacion(server.store, app.app, agencia)
    if (estado !== 'Activa')
      await server.store.query(sql`
        update publicaciones set estado = ${estado}, suspensiones = ${estado === 'Suspendida' ? ['app'] : []} where id = ${id}`)
    const path = `/aviso/${id}/consultar`
    const stored = () =>
      server.store.query<Record<string, string | null>>(sql`
        select sid, origen_lead, interesado, consentimiento, sitio_id, repite from consultas where publicacion_id = ${id} order by sid`)
    return { id, path, stored }
  }
  const envioOf = (text: string) => /name="Envio" value="([\w-]{22})"/.exec(text)?.[1] ?? ''

  it('200: the car, who offers it, the form and the text that is agreed to', async () => {
    const { path } = await listed()
    const { status, text, headers } = await visitor(server).get(path)
    assert.equal(status, 200)
    for (const words of ['Fiat Cronos 1.3 Drive 2022', '18.500.000', 'Automotores del Sur', CONSENT.texto])
      assert.ok(text.includes(words), words)
    assert.doesNotMatch(headers['content-security-policy'] ?? '', /script/)
    assert.equal(headers['cache-control'], 'no-store')
    const [row] = await server.store.query<{ texto: string }>(
      sql`select texto from consent_texts where version = ${CONSENT.version}`,
    )
    assert.equal(row?.texto, CONSENT.texto)
  })

  it('303: sent, it is an inquiry like any other, with the consent; the page after it may be loaded again', async () => {
    const { path, stored } = await listed()
    const ana = visitor(server)
    await ana.get(path)
    const { status, headers } = await ana.post(path, FORM)
    assert.deepEqual([status, headers.location], [303, `${path}/gracias`])
    const rows = await stored()
    assert.equal(rows.length, 1)
    const { interesado, origen_lead, consentimiento, sitio_id } = rows[0] ?? {}
    assert.deepEqual([origen_lead, consentimiento, sitio_id], ['form', CONSENT.version, null])
    const { Interes, Nombre, Apellido, Telefono, Comentario } = JSON.parse(interesado ?? '')
    assert.deepEqual(
      { Interes, Nombre, Apellido, Telefono, Comentario },
      {
        Interes: 'financiacion',
        Nombre: 'Lucía',
        Apellido: '',
        Telefono: '341 555-0134',
        Comentario: '¿Sigue disponible?\nGracias',
      },
    )
    for (let at = 0; at < 2; at++) assert.match((await ana.get(`${path}/gracias`)).text, /Enviamos su consulta/)
    assert.equal((await stored()).length, 1)
  })

  it('303: pressed twice, it is one; changed and sent again, it is a second, linked to the first', async () => {
    const { path, stored } = await listed()
    const ana = visitor(server)
    const Envio = envioOf((await ana.get(path)).text)
    assert.ok(Envio)
    const sent = { ...FORM, Envio }
    await Promise.all([ana.post(path, sent), ana.post(path, sent), ana.post(path, sent)])
    assert.equal((await stored()).length, 1)
    assert.equal((await ana.post(path, { ...sent, Comentario: 'Otra cosa' })).status, 303)
    const [first, second] = await stored()
    assert.equal(second?.repite, first?.sid)
  })

  it('400: every fault beside its field, what was typed is still there, nothing is stored', async () => {
    const { path, stored } = await listed()
    await visitor(server).get(path)
    const typed = { Nombre: '', Telefono: 'llámeme', Email: 'no es', Comentario: 'Hola <b>', Interes: 'robo' }
    const { status, text } = await visitor(server).post(path, typed)
    assert.equal(status, 400)
    for (const name of ['Nombre', 'Telefono', 'Email', 'Interes', 'Consentimiento'])
      assert.match(text, new RegExp(`id="campo-${name}-error"`), name)
    for (const words of ['llámeme', 'no es', 'Hola &lt;b>']) assert.ok(text.includes(words), words)
    assert.match(text, /Error: Consultar/)
    const silent = await visitor(server).post(path, { ...FORM, Telefono: '' })
    assert.equal(silent.status, 400)
    assert.match(silent.text, /Indique un correo o un teléfono/)
    assert.deepEqual(await stored(), [])
  })

  it('400: a text that nobody was shown is not agreed to', async () => {
    const { path } = await listed()
    const { status, text } = await visitor(server).post(path, { ...FORM, Consentimiento: 'si' })
    assert.equal(status, 400)
    assert.match(text, /acepte el uso de sus datos/)
    const nul = await visitor(server).post(path, { ...FORM, Consentimiento: '\0' })
    assert.equal(nul.status, 400)
    assert.match(nul.text, /acepte el uso de sus datos/)
  })

  it('303 and nothing stored: a program that fills in what nobody sees', async () => {
    const { path, stored } = await listed()
    assert.equal((await visitor(server).post(path, { ...FORM, Web: 'https://spam.test' })).status, 303)
    assert.deepEqual(await stored(), [])
  })

  it('200: a suspended or archived listing says so and takes the inquiry', async () => {
    for (const estado of ['Suspendida', 'Archivada']) {
      const { path, stored } = await listed(estado)
      assert.match((await visitor(server).get(path)).text, /Este auto no está publicado\./)
      assert.equal((await visitor(server).post(path, FORM)).status, 303)
      assert.equal((await stored()).length, 1)
    }
  })

  it('404: a listing that is not, whatever its number looks like', async () => {
    for (const id of ['1', '0', '-1', 'x', '99999999999999', '1e3', '%00', '100001%20']) {
      const { status, text } = await visitor(server).get(`/aviso/${id}/consultar`)
      assert.ok(status === 404 || status === 400, `${id} ${status}`)
      if (status === 404) assert.match(text, /No encontramos/)
    }
    assert.equal((await visitor(server).post('/aviso/1/consultar', FORM)).status, 404)
    assert.equal((await visitor(server).get('/aviso/1/consultar/gracias')).status, 404)
  })

  it('403: a form that another site had a browser send', async () => {
    const { path, stored } = await listed()
    const { status } = await visitor(server).post(path, FORM, { 'sec-fetch-site': 'cross-site' })
    assert.equal(status, 403)
    assert.deepEqual(await stored(), [])
  })

  it('429: the eleventh from one address keeps what was typed; a minute later it is taken', async () => {
    const { path } = await listed()
    const send = (at: number) => visitor(server).post(path, { ...FORM, Comentario: `número ${at}` })
    for (let at = 0; at < 10; at++) assert.equal((await send(at)).status, 303)
    const { status, text, headers } = await send(11)
    assert.deepEqual([status, headers['retry-after']], [429, '60'])
    assert.ok(text.includes('número 11'))
    now += 60_000
    assert.equal((await send(11)).status, 303)
  })

  it('303: what could not be stored does not count against the limits', async () => {
    const { path, stored } = await listed()
    const send = async () => (await visitor(server).post(path, FORM)).status
    // PostgreSQL refuses the row.
    await server.store.query(sql`alter table consultas add constraint outage check (false) not valid`)
    try {
      for (let at = 0; at < 10; at++) assert.equal(await send(), 500)
    } finally {
      await server.store.query(sql`alter table consultas drop constraint outage`)
    }
    assert.equal(await send(), 303)
    assert.equal((await stored()).length, 1)
  })

  it('303, 429: one address does not use up what a listing takes from all, nor a listing what an address may send', async () => {
    const { path } = await listed()
    const { path: another } = await listed()
    const send = async (to: string, ip: string) =>
      (await visitor(server).post(to, { ...FORM, Comentario: ip }, { 'x-forwarded-for': ip })).status
    const statuses: number[] = []
    for (let at = 0; at < 110; at++) statuses.push(await send(path, '192.0.2.1'))
    assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [10, 429])
    for (let at = 0; at < 90; at++) assert.equal(await send(path, `198.51.100.${at}`), 303)
    for (let at = 0; at < 10; at++) assert.equal(await send(path, '192.0.2.2'), 429)
    assert.equal(await send(another, '192.0.2.2'), 303)
  })

  it('test mode: the page says so, and the inquiry stays there', async () => {
    const tester = await server.newApp({ modo: 'prueba' })
    const there = (await makeAgencia(depsOf(server), tester.app)).agencia
    now += 86_400_000
    const { id } = await makePublicacion(server.store, tester.app, there)
    assert.match((await visitor(server).get(`/aviso/${id}/consultar`)).text, /Modo de prueba/)
    assert.equal((await visitor(server).post(`/aviso/${id}/consultar`, FORM)).status, 303)
    const rows = await server.store.query<{ modo: string }>(
      sql`select modo from consultas where publicacion_id = ${id}`,
    )
    assert.deepEqual(rows, [{ modo: 'prueba' }])
  })
})
