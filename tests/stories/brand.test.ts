import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { run } from '../../src/cli/run.ts'
import { startServer } from '../secrets/watched.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import type { TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { makeAccount, visitor } from '../support/visitor.ts'

const PUBLIC_URL = 'https://autos.test'

describe('story: a marketplace has its own name, in the command, on two nodes, in emails and documents', () => {
  let mailbox: Mailbox
  let server: TestServer
  let other: TestServer
  let env: Record<string, string>
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rodado-brand-'))
    mailbox = await openMailbox()
    server = await startServer({ env: { PUBLIC_URL }, worker: { smtpUrl: `${mailbox.url}?tls=opcional` } })
    const { connection, masterKey } = server
    other = await startServer({ env: { PUBLIC_URL }, connection, masterKey })
    const { host = '', port, user, password, database } = connection
    const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
    const own = `postgres://${user}${secret}@/${database}?host=${encodeURIComponent(host)}${port ? `&port=${port}` : ''}`
    env = { DATABASE_URL: connection.connectionString ?? own, MASTER_KEY: masterKey.toString('hex'), PUBLIC_URL }
  })
  after(async () => {
    await other?.stop()
    await server?.stop()
    await mailbox?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function rodado(...args: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()]
    const code = await run(args, { out, err, env })
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
  }
  const titleAt = async (at: TestServer) => /<title>(.*)<\/title>/.exec((await visitor(at).get('/')).text)?.[1]

  it('until then it has our name, and the documents are as published', async () => {
    assert.deepEqual([await titleAt(server), await titleAt(other)], ['Rodado', 'Rodado'])
    assert.equal((await rodado('marca', 'show')).out.split('\n')[0], 'Name       Rodado')
    const { json } = await visitor(server).get('/openapi.json')
    assert.equal(json.info.title, 'API para apps asociadas')
  })

  it('rodado marca set: both nodes show it, without a restart', async () => {
    const set = await rodado(
      ...['marca', 'set', '--nombre', 'Autoplaza Ñ', '--color', '#8a1c4a', '--soporte', 'ayuda@autos.test'],
      ...['--remitente', 'Autoplaza, avisos <avisos@autos.test>', '--enlace', 'Términos=https://autos.test/terminos'],
      ...['--enlace', 'Privacidad=https://autos.test/privacidad', '--json'],
    )
    assert.equal(set.code, 0, set.err)
    assert.equal(JSON.parse(set.out).Nombre, 'Autoplaza Ñ')
    for (const node of [server, other]) await until(async () => (await titleAt(node)) === 'Autoplaza Ñ')
    for (const path of ['/', '/docs', '/docs/guia', '/problemas', '/entrar']) {
      const { text } = await visitor(other).get(path)
      assert.match(text, /<link rel="stylesheet" href="\/assets\/marca\/colores\/8a1c4a-[0-9a-f]{6}\.css\?v=/, path)
      assert.match(text, /href="https:\/\/autos\.test\/privacidad"/, path)
      assert.doesNotMatch(text, /<title>[^<]*Rodado/, path)
    }
  })

  it('every document names it, with its support and its terms', async () => {
    for (const path of ['/openapi.json', '/openapi-3.0.json', '/interno/openapi.json']) {
      const { info } = (await visitor(other).get(path)).json
      assert.match(info.title, /^API del? (sitio de )?Autoplaza Ñ/, path)
      assert.deepEqual(
        info.contact,
        { name: 'Autoplaza Ñ', url: `${PUBLIC_URL}/docs`, email: 'ayuda@autos.test' },
        path,
      )
      assert.equal(info.termsOfService, 'https://autos.test/terminos', path)
    }
  })

  it('an email is from it, by its name and in its colour', async () => {
    await makeAccount(server, { email: 'ana@agencia.test' })
    assert.ok((await visitor(server).post('/clave', { Email: 'ana@agencia.test' })).status < 400)
    const [received] = await mailbox.waitFor('ana@agencia.test')
    assert.ok(received)
    assert.deepEqual([received.from, received.mail.from?.name], ['avisos@autos.test', 'Autoplaza, avisos'])
    assert.equal(received.mail.subject, 'Elija una contraseña nueva para su cuenta de Autoplaza Ñ')
    assert.equal(received.header('reply-to'), 'ayuda@autos.test')
    const { html = '', text = '' } = received.mail
    assert.ok(html.includes('Autoplaza Ñ') && html.includes('background-color:#8a1c4a'))
    for (const form of [html, text]) {
      assert.ok(form.includes('https://autos.test/terminos'))
      assert.doesNotMatch(form, /Rodado/)
    }
  })

  it('its logos and favicon are on pages of both nodes and in emails, at addresses that never change', async () => {
    const draw = (width: number, height: number, background: string) =>
      sharp({ create: { width, height, channels: 3, background } })
    const at = (name: string) => join(folder, name)
    await writeFile(at('logo.jpg'), await draw(1000, 200, '#8a1c4a').jpeg().toBuffer())
    await writeFile(at('dark.webp'), await draw(400, 100, '#ffd600').webp().toBuffer())
    await writeFile(at('icon.png'), await draw(64, 64, '#8a1c4a').png().toBuffer())
    await writeFile(at('logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const refused = await rodado('marca', 'set', '--logo', at('logo.svg'))
    assert.deepEqual([refused.code, /SVG is not accepted/.test(refused.err)], [1, true])
    const files = ['--logo', at('logo.jpg'), '--logo-oscuro', at('dark.webp'), '--favicon', at('icon.png')]
    const set = await rodado('marca', 'set', ...files, '--json')
    assert.equal(set.code, 0, set.err)
    const { logo, logoOscuro, favicon } = JSON.parse(set.out).Imagenes
    assert.deepEqual([logo.Ancho, logo.Alto, logoOscuro.Ancho, favicon.Ancho], [640, 128, 400, 64])
    for (const node of [server, other]) {
      await until(async () => (await visitor(node).get('/')).text.includes(`/assets/marca/${favicon.Hash}.png`))
      const { text } = await visitor(node).get('/')
      assert.match(
        text,
        new RegExp(`<img class="logo on-light" src="/assets/marca/${logo.Hash}.png" alt="Autoplaza Ñ"`),
      )
      assert.match(text, new RegExp(`<img class="logo on-dark" src="/assets/marca/${logoOscuro.Hash}.png"`))
    }

    await makeAccount(server, { email: 'beto@agencia.test' })
    await visitor(server).post('/clave', { Email: 'beto@agencia.test' })
    const [received] = await mailbox.waitFor('beto@agencia.test')
    const [, address = ''] =
      /<img class="on-light" src="([^"]+)" alt="Autoplaza Ñ"/.exec(received?.mail.html ?? '') ?? []
    assert.equal(address, `${PUBLIC_URL}/assets/marca/${logo.Hash}.png`)

    assert.equal((await rodado('marca', 'set', '--logo', '', '--logo-oscuro', '')).code, 0)
    await until(async () => !(await visitor(other).get('/')).text.includes(logo.Hash))
    const image = await visitor(other).get(new URL(address).pathname)
    assert.equal(image.status, 200, 'emails still show it')
    const { headers } = image
    assert.deepEqual(
      [headers['content-type'], headers['cache-control'], headers['x-content-type-options']],
      ['image/png', 'public, max-age=31536000, immutable', 'nosniff'],
    )
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
  })

  it('a colour that cannot be read is refused with its ratio; an empty value restores the default', async () => {
    const refused = await rodado('marca', 'set', '--color', '#ffd600')
    assert.equal(refused.code, 2)
    assert.match(
      refused.err,
      /--color: .* contrast is 1\.28:1, and 4\.5:1 is needed\. The nearest colour that is readable is #[0-9a-f]{6}/,
    )
    assert.equal((await rodado('marca', 'set')).code, 2)
    assert.equal((await rodado('marca', 'set', '--enlace', 'x')).code, 2)
    assert.equal((await rodado('marca', 'set', '--nombre', '', '--color', '')).code, 0)
    for (const node of [server, other]) await until(async () => (await titleAt(node)) === 'Rodado')
    assert.doesNotMatch((await visitor(server).get('/')).text, /marca\/colores/)
  })
})
