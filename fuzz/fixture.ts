import { leaveAgencia } from '../src/resources/agencias/associations.ts'
import { CONFIGURED } from '../tests/isolation/expectations.ts'
import { MARK, MARK_OF_TEST } from '../tests/isolation/fixture.ts'
import { ABSENT, createRecords, type Records } from '../tests/isolation/records.ts'
import { depsOf, newMail } from '../tests/support/agencia.ts'
import { type ServerOptions, startServer, type TestApp, type TestServer } from '../tests/support/server.ts'
import { steppingClock } from '../tests/support/stepping-clock.ts'
import { isSite } from './check.ts'
import type { Keys } from './encode.ts'
import type { FuzzRequest, Whose } from './requests.ts'

const OWN_AGENCIES = 6
/** A server with an app under test, and other apps whose records it must neither see nor change. */
export interface Fixture {
  server: TestServer
  /** The credentials for a request. Operations of test mode need an app in test mode. */
  keysFor(request: FuzzRequest): Keys
  /** The owners whose rows must not change. */
  foreign: { apps: number[]; agencias: number[] }
  /** Replaces the placeholders of a request. */
  fill(request: FuzzRequest): (text: string) => string
  /** Restores what requests have used up: detached agencies, webhooks, and one more agency with its records. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** `more`: further options of the server. */
export async function openFixture(more: ServerOptions = {}): Promise<Fixture> {
  const env = { INVITES_PER_DAY: '1000000', ...more.env }
  const server = await startServer({ nowMs: steppingClock(), ...more, env })
  const [app, foreign, test] = [
    await server.newApp(),
    await server.newApp({ nombre: MARK }),
    await server.newApp({ nombre: MARK_OF_TEST, modo: 'prueba' }),
  ]
  const tester = await server.newApp({ modo: 'prueba' })
  const { sitioKey } = await server.newSitio()
  const configure = async (whose: TestApp) => {
    const body = JSON.stringify({ Callback: 'https://crm.example/avisos', Activo: true })
    for (const topic of CONFIGURED) {
      const path = `/v3/appnotificaciones/${topic}`
      const { status } = await whose.call('POST', path, { body })
      if (status !== 201) await whose.call('PUT', path, { body }) // a request may have suspended it
    }
  }
  for (const each of [app, foreign, test]) await configure(each)

  const own: Records[] = []
  for (let made = 0; made < OWN_AGENCIES; made++) own.push(await createRecords(server, app))
  const theirs = await createRecords(server, foreign, MARK)
  const tests = await createRecords(server, test, MARK_OF_TEST)
  const testers = await createRecords(server, tester)
  await assertVisible(foreign, theirs, MARK)
  await assertVisible(test, tests, MARK_OF_TEST)
  const detached = await createRecords(server, app)
  await leaveAgencia(depsOf(server), app.app, detached.mail)
  const pending = newMail('pendiente')
  await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: pending }) })
  const of: Record<Whose, Records[]> = {
    own,
    foreign: [theirs],
    test: [tests],
    detached: [detached],
    absent: [ABSENT],
    pending: [{ ...ABSENT, mail: pending }],
  }
  const keysOf = async (whose: TestApp): Promise<Keys> => ({
    appKey: whose.app.appKey,
    secret: whose.secret,
    token: await tokenOf(server, whose),
    sitioKey,
  })
  const [keys, testKeys] = [await keysOf(app), await keysOf(tester)]
  let fresh = 0
  let renewals = 0
  let cursor = ''

  return {
    server,
    keysFor: ({ target }) => (isTestMode(target) ? testKeys : keys),
    foreign: { apps: [foreign.app.id, test.app.id], agencias: [theirs.id, tests.id] },
    fill({ target, about: { whose, which } }) {
      // A site sees every app of its mode, so only the other mode is foreign to it.
      const strange = isSite(target) ? tests : theirs
      const mine = whose === 'own' && isTestMode(target) ? [testers] : of[whose]
      const records = whose === 'foreign' ? strange : (mine[which % mine.length] as Records)
      return (text) =>
        text.replace(/«([\w-]+)»/g, (all, name: string) => {
          if (name === 'new-mail') return `nueva${++fresh}@agencia.test`
          if (name === 'new-ext') return `NUEVA-${++fresh}`
          if (name === 'today') return new Date().toISOString().slice(0, 10)
          if (name === 'cursor') return cursor
          if (name === 'app-key') return keys.appKey
          if (name === 'app-secret') return keys.secret
          const [, others, plain = ''] = /^(foreign-)?(\w+)$/.exec(name) ?? []
          return String((others ? strange : records)[plain as keyof Records] ?? all)
        })
    },
    async renew() {
      own[renewals++ % own.length] = await createRecords(server, app)
      for (const [at, { mail }] of own.entries())
        if ((await app.get(`/v3/agencias/${mail}`)).status !== 200) own[at] = await createRecords(server, app)
      await configure(app)
      cursor =
        new URLSearchParams((await app.get('/v3/eventos')).json._links.next.href.split('?')[1]).get('cursor') ?? ''
    },
    stop: () => server.stop(),
  }
}

const isTestMode = (target: string): boolean => target.includes('/v3/prueba/')

/** Checks that the owner sees the mark: otherwise its absence elsewhere proves nothing. */
async function assertVisible(owner: TestApp, { mail }: Records, mark: string): Promise<void> {
  const { text } = await owner.get(`/v3/agencias/${mail}`)
  if (!text.includes(mark)) throw new Error(`its owner does not see ${mark}: ${text}`)
}

async function tokenOf({ app: fastify }: TestServer, { app, secret }: TestApp): Promise<string> {
  const answer = await fastify.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.appKey,
      client_secret: secret,
    }).toString(),
  })
  return answer.json().access_token
}
