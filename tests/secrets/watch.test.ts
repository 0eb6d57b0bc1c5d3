import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Counter } from 'prom-client'
import sql from 'sql-template-tag'
import { fault, invalid } from '../../src/http/problems.ts'
import { enqueueEmail } from '../../src/mail/email.ts'
import type { TestServer } from '../support/server.ts'
import { makeStaff } from '../support/staff.ts'
import { makeAccount, visitor } from '../support/visitor.ts'
import { marksIn } from './traces.ts'
import { startServer } from './watched.ts'

const STORIES = fileURLToPath(new URL('../stories/', import.meta.url))
const [SECRET, SURNAME] = ['un-secreto-para-el-webhook', 'Ibirapitá']

/** Leaks, and what the watch reports. */
const LEAKS: [string, RegExp, (server: TestServer, secret: string) => Promise<unknown>][] = [
  ['a log line', /a log line holds/, async ({ app }, secret) => app.log.trace({ secret }, 'leaked')],
  ['a log line, in base64', /a log line holds/, async ({ app }, secret) => app.log.info(`x${btoa(`yz${secret}q`)}`)],
  ['a log line, a surname', /a log line holds Apellido: Ibirapitá/, async ({ app }) => app.log.info(`hola ${SURNAME}`)],
  [
    'a metric',
    /a metric holds/,
    async ({ metrics }, secret) =>
      new Counter({ name: 'leaked', help: 'x', labelNames: ['of'], registers: [metrics] }).inc({ of: secret }),
  ],
  [
    'a column',
    /the store holds apps\.contacto/,
    ({ store }, secret) => store.query(sql`update apps set contacto = ${secret}`),
  ],
  [
    'a column that is not listed',
    /the store holds apps\.contacto Apellido/,
    ({ store }) => store.query(sql`update apps set contacto = ${SURNAME}`),
  ],
  [
    'an email',
    /an email holds/,
    ({ store, seal }, secret) =>
      store.transaction((tx) =>
        enqueueEmail(tx, seal, { kind: 'clave', to: 'a@b.test', subject: 's', text: secret, html: '' }),
      ),
  ],
  ['a refusal', /400 GET \/v3\/habla holds/, (server) => server.newApp().then((app) => app.get('/v3/habla'))],
]

describe('secrets: the watch over the stories', () => {
  let stories: string[]
  before(async () => {
    stories = (await readdir(STORIES)).filter((name) => name.endsWith('.test.ts'))
  })

  it('every story is watched', async () => {
    assert.ok(stories.length >= 10)
    for (const name of stories) {
      const text = await readFile(`${STORIES}${name}`, 'utf8')
      assert.match(text, /import \{ startServer \} from '\.\.\/secrets\/watched\.ts'/, name)
      assert.doesNotMatch(text, /import \{[^}]*startServer[^}]*\} from '\.\.\/support\/server\.ts'/, name)
    }
  })

  it('finds a mark in base64 at any offset, in hex, in a URL and in JSON', () => {
    const mark = 'contraseña "rara" 0042'
    const marks = { mark }
    for (const before of ['', 'a', 'ab', 'abc'])
      for (const after of ['', 'x', 'xy', 'xyz'])
        for (const form of ['base64', 'base64url', 'hex'] as const)
          assert.deepEqual(marksIn(Buffer.from(before + mark + after).toString(form), marks), ['mark'], form)
    assert.deepEqual(marksIn(encodeURIComponent(mark), marks), ['mark'])
    assert.deepEqual(marksIn(JSON.stringify({ mark }), marks), ['mark'])
    assert.deepEqual(marksIn('contraseña rara 0042', marks), [])
    assert.deepEqual([marksIn('una semana', { ana: 'Ana' }), marksIn('de Ana.', { ana: 'Ana' })], [[], ['ana']])
  })

  it('a server without a leak passes', async () => {
    const server = await openWatched()
    await server.stop()
  })

  it('a story in which nothing happens fails', async () => {
    const server = await startServer()
    await assert.rejects(server.stop(), /this shows nothing/)
  })

  for (const [where, says, leak] of LEAKS)
    it(`found in ${where}`, async () => {
      const server = await openWatched()
      await leak(server, SECRET)
      await assert.rejects(server.stop(), says)
    })

  it('knows the second factor, session and password of a user who signs in', async () => {
    for (const leaked of ['session', 'Clave', 'sealed']) {
      const server = await startServer()
      const staff = await makeStaff(server)
      const secrets = { session: staff.visitor.cookie().split('=')[1], Clave: 'una frase larga', sealed: staff.totp }
      server.app.log.info(secrets[leaked as keyof typeof secrets])
      await assert.rejects(server.stop(), new RegExp(`a log line holds ${leaked}`))
    }
  })

  /** A server whose app has a webhook with a secret and an inquiry. */
  async function openWatched(): Promise<TestServer> {
    const server = await startServer({
      routes: (v3) =>
        v3.get('/habla', () => {
          throw invalid({ _: [fault('formato', `dice ${SECRET}`)] })
        }),
    })
    await makeAccount(server, { email: 'alguien@correo.test', apellido: SURNAME })
    const app = await server.newApp()
    const body = JSON.stringify({ Callback: 'https://crm.example/avisos', Secret: SECRET })
    const made = await app.call('POST', '/v3/appnotificaciones/consulta.recibida', { body })
    assert.equal(made.status, 201)
    assert.equal((await visitor(server).get('/entrar')).status, 200)
    return server
  }
})
