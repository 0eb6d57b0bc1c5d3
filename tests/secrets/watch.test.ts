import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Counter } from 'prom-client'
import sql from 'sql-template-tag'
import { fault, invalid } from '../../src/http/problems.ts'
import { enqueueEmail } from '../../src/mail/email.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { makeStaff } from '../support/staff.ts'
import { makeAccount, visitor } from '../support/visitor.ts'
import { marksIn } from './traces.ts'
import { startServer } from './watched.ts'

const STORIES = fileURLToPath(new URL('../stories/', import.meta.url))
const [SECRET, SURNAME] = ['un-secreto-para-el-webhook', 'Ibirapitá']

/** Leaks, and what the watch reports. `secret` is that of the app. */
const LEAKS: [string, RegExp, (server: TestServer, secret: string) => Promise<unknown>][] = [
  ['a log line', /^a log line holds Secret: un-secreto/, async ({ app }) => app.log.trace({ SECRET }, 'leaked')],
  [
    'a log line, in base64',
    /^a log line holds sealed app-secret/,
    async ({ app }, secret) => app.log.info(`x${btoa(`yz${secret}q`)}`),
  ],
  [
    'a log line, a surname',
    /^a log line holds Apellido: Ibirapitá/,
    async ({ app }) => app.log.info(`hola ${SURNAME}`),
  ],
  [
    'a metric',
    /^a metric holds/,
    async ({ metrics }) =>
      new Counter({ name: 'leaked', help: 'x', labelNames: ['of'], registers: [metrics] }).inc({ of: SECRET }),
  ],
  [
    'a column',
    /^the store holds apps\.contacto Secret/,
    ({ store }) => store.query(sql`update apps set contacto = ${`${SECRET} ${SURNAME}`}`),
  ],
  ['a column that is not listed', /^the store holds apps\.contacto Apellido/, async () => undefined],
  [
    'an email',
    /^an email holds/,
    ({ store, seal }) =>
      store.transaction((tx) =>
        enqueueEmail(tx, seal, { kind: 'clave', to: 'a@b.test', subject: 's', text: SECRET, html: '' }),
      ),
  ],
  ['a refusal', /^400 GET \/v3\/habla holds/, (server) => server.newApp().then((app) => app.get('/v3/habla'))],
]

/** What the watch reports when the server stops. */
async function foundBy(server: TestServer): Promise<string[]> {
  const error = await server.stop().catch((thrown) => thrown)
  assert.ok(error instanceof assert.AssertionError)
  return error.actual as string[]
}

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
    const { server } = await openWatched()
    await server.stop()
  })

  it('a story in which nothing happens fails', async () => {
    const server = await startServer()
    await assert.rejects(server.stop(), /this shows nothing/)
  })

  it(`finds a leak in ${LEAKS.map(([where]) => where).join('; ')}`, async () => {
    const { server, app } = await openWatched()
    for (const [, , leak] of LEAKS) await leak(server, app.secret)
    const found = await foundBy(server)
    for (const [where, reported] of LEAKS)
      assert.ok(
        found.some((each) => reported.test(each)),
        `${where}: ${found.join('; ')}`,
      )
  })

  it('knows the second factor, session and password of a user who signs in', async () => {
    const server = await startServer()
    const staff = await makeStaff(server)
    const secrets = { session: staff.visitor.cookie().split('=')[1], Clave: 'una frase larga', sealed: staff.totp }
    for (const secret of Object.values(secrets)) server.app.log.info(secret)
    const found = await foundBy(server)
    for (const name of Object.keys(secrets))
      assert.ok(
        found.some((each) => each.startsWith(`a log line holds ${name}`)),
        `${name}: ${found.join('; ')}`,
      )
  })

  /** A server whose app has a webhook with a secret and an inquiry. */
  async function openWatched(): Promise<{ server: TestServer; app: TestApp }> {
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
    return { server, app }
  }
})
