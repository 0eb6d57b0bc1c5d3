import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { depsOf, FORM, invitedToken, makeAgencia, newMail } from '../../tests/support/agencia.ts'
import { makePublicacion } from '../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { steppingClock } from '../../tests/support/stepping-clock.ts'
import { makeAccount, PASSWORD, visitor } from '../../tests/support/visitor.ts'
import { consentOf } from '../resources/consultas/consent.ts'

const MARKS = '\u0301\u0327'

describe('forms of the pages', () => {
  let server: TestServer
  let app: TestApp
  let inquiry: string
  before(async () => {
    server = await startServer({ nowMs: steppingClock() })
    app = await server.newApp()
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    inquiry = `/aviso/${(await makePublicacion(server.store, app.app, agencia)).id}/consultar`
    await visitor(server).get(inquiry) // stores the text that is agreed to
  })
  after(() => server.stop())

  /** The longest text that String.normalize sees during a request. */
  async function longestNormalized(context: TestContext, ask: () => Promise<unknown>): Promise<number> {
    const spy = context.mock.method(String.prototype, 'normalize')
    await ask()
    spy.mock.restore()
    return Math.max(0, ...spy.mock.calls.map(({ this: text }) => String(text).length))
  }

  /** Three images, and the agencies of an endpoint. */
  const LARGER: [RegExp, number][] = [
    [/^\/consola\/marca\/imagenes$/, 3 * 262_144 + 8192],
    [/\/webhooks\/:topic\/(destinos|editar)/, 393_216],
  ]
  it('every form declares its own limit, and none is over 64 KiB but those of images and of lists of agencies', () => {
    const forms = server.routes.filter(({ method, url }) => method === 'POST' && !/^\/(v3|interno)\//.test(url))
    assert.ok(forms.length > 70)
    for (const { url, bodyLimit } of forms)
      assert.ok(bodyLimit && bodyLimit <= (LARGER.find(([path]) => path.test(url))?.[1] ?? 65_536), url)
    const limits = new Map(forms.map(({ url, bodyLimit }) => [url, bodyLimit]))
    for (const url of ['/entrar', '/entrar/codigo', '/clave', '/clave/:token', '/oauth/token'])
      assert.equal(limits.get(url), 4096, url)
  })

  it('413: a form over its limit is refused with a page', async () => {
    for (const [path, bytes] of [
      ['/entrar', 4097],
      ['/salir', 1025],
      [inquiry, 65_537],
    ] as const)
      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
        const answer = await visitor(server).post(path, 'x'.repeat(bytes), { 'content-type': type })
        assert.equal(answer.status, 413, path)
        assert.match(answer.text, /<h1>Lo que envió es demasiado grande<\/h1>/)
      }
  })

  it('303: the body of a form with files is not read before its sender is known', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const head = [
      'POST /consola/marca/imagenes HTTP/1.1',
      `Host: ${hostname}`,
      'Content-Type: multipart/form-data; boundary=x',
    ]
    socket.write([...head, 'Content-Length: 700000', '', ''].join('\r\n'))
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 303 [\s\S]*location: \/entrar\?/)
    socket.destroy()
  })

  it('400: a form of more than a hundred fields is refused with a page', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=`).join('&')
    const many = await visitor(server).post('/entrar', fields(101))
    assert.equal(many.status, 400)
    assert.match(many.text, /Un formulario puede tener hasta 100 campos\./)
    assert.match((await visitor(server).post('/entrar', fields(100))).text, /no son correctos/)
  })

  it('400: a NUL in a form is removed, however it is written', async () => {
    for (const nul of ['%00', '%%0000', '%\u000000'])
      assert.equal((await visitor(server).post(inquiry, `Consentimiento=${nul}`)).status, 400, nul)
  })

  it('303: the longest valid inquiry fits, however its characters are encoded', async () => {
    const wide = (count: number) => '𝒜'.repeat(count)
    const longest = {
      Nombre: wide(100),
      Apellido: wide(100),
      Telefono: '341 555-0134',
      Interes: 'compra',
      Email: `${'a'.repeat(60)}@correo.test`,
      Comentario: wide(2000),
      Consentimiento: consentOf('Rodado').version,
    }
    assert.equal((await visitor(server).post(inquiry, longest)).status, 303)
  })

  it('400: an inquiry that is too long is shown again with the field named', async (context) => {
    const form = { Nombre: 'Ana', Telefono: '341 555-0134', Comentario: MARKS.repeat(1500) }
    const ask = async () => {
      const { status, text } = await visitor(server).post(inquiry, {
        ...form,
        Consentimiento: consentOf('Rodado').version,
      })
      assert.equal(status, 400)
      assert.ok(text.includes('Su mensaje: Puede tener hasta 2000 caracteres.'))
    }
    assert.ok((await longestNormalized(context, ask)) <= 20_000)
  })

  it('400: at sign-in a long mail or password is named, and a long password not normalised', async (context) => {
    const email = newMail()
    await makeAccount(server, { email })
    const refused = async (form: Record<string, string>, words: string) => {
      const { status, text } = await visitor(server).post('/entrar', form)
      assert.equal(status, 400)
      assert.ok(text.includes(words), words)
    }
    await refused(
      { Email: `${'a'.repeat(254)}@correo.test`, Clave: PASSWORD },
      'El correo puede tener hasta 254 caracteres.',
    )
    const long = { Email: email, Clave: 'x'.repeat(801) }
    const longest = await longestNormalized(context, () =>
      refused(long, 'La contraseña puede tener hasta 200 caracteres.'),
    )
    assert.ok(longest < long.Clave.length, `${longest} characters were normalised`)
  })

  it('400: a long region or city is not searched in the catalogue', async () => {
    const token = await invitedToken(depsOf(server), app.app, { AdminMail: newMail() })
    const form = { ...(FORM as Record<string, string>), Ciudad: 'san '.repeat(51) }
    const { status, text } = await visitor(server).post(`/registro/${token}`, form)
    assert.equal(status, 400)
    assert.match(text, /Puede tener hasta 200 caracteres\./)
    const suggested = await visitor(server).get(`/sugerencias/ciudades?Region=&Ciudad=${'san+'.repeat(51)}`)
    assert.deepEqual([suggested.status, suggested.text], [200, ''])
  })
})
