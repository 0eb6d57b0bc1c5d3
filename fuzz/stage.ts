import sql from 'sql-template-tag'
import type { Modo } from '../src/apps/app.ts'
import { part } from '../src/resources/agencias/detach.ts'
import { setPackage } from '../src/resources/agencias/packages.ts'
import { CONFIGURED } from '../tests/isolation/expectations.ts'
import { makeAgencia, needsOf, newMail } from '../tests/support/agencia.ts'
import { keepConsulta } from '../tests/support/consulta.ts'
import { ROOMY } from '../tests/support/listing.ts'
import { makeAccount } from '../tests/support/people.ts'
import { makePublicacion } from '../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../tests/support/server.ts'
import { isSite, MARK, MARK_OF_TEST } from './check.ts'
import type { Asked, Whose } from './requests.ts'
import type { Keys } from './wire.ts'

/** What requests can name of one agency. */
type Things = Record<'mail' | 'helper' | 'sid' | 'ext' | 'place' | 'event' | 'aviso', string> & { id: number }

const OWN_AGENCIES = 6
/** What is not there at all, in a form in which it could be. */
const ABSENT: Things = {
  id: 0,
  mail: 'nadie@agencia.test',
  helper: 'nadie2@agencia.test',
  sid: '01JNG3Y4Z5A6B7C8D9E0F1G2H3',
  ext: 'NO-ESTA',
  place: '2147483647',
  event: '01JNG3Y4Z5A6B7C8D9E0F1G2H3',
  aviso: '2147483647',
}

/** A server with an app under test, and with others whose things it must neither see nor touch. */
export interface Stage {
  server: TestServer
  keys: Keys
  /** Whose rows must stay as they are. */
  foreign: { apps: number[]; agencias: number[] }
  /** Puts the stage's things in place of their names. */
  fill(asked: Asked): (text: string) => string
  /** Brings back a little of what requests have used up: one agency with all it has, and the webhooks. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** Limits by address and app are other tests' business: to this clock every request comes a second after the last. */
function everLater(): () => number {
  let now = 0
  return () => (now += 1000)
}

export async function openStage(): Promise<Stage> {
  const server = await startServer({ nowMs: everLater(), env: { INVITES_PER_DAY: '1000000' } })
  const [app, foreign, test] = [
    await server.newApp(),
    await server.newApp({ nombre: MARK }),
    await server.newApp({ nombre: MARK_OF_TEST, modo: 'prueba' }),
  ]
  const { sitioKey } = await server.newSitio()
  const configure = async (whose: TestApp) => {
    const body = JSON.stringify({ Callback: 'https://crm.example/avisos' })
    for (const topic of CONFIGURED) await whose.call('POST', `/v3/appnotificaciones/${topic}`, { body })
  }
  for (const each of [app, foreign, test]) await configure(each)

  const own: Things[] = []
  for (let made = 0; made < OWN_AGENCIES; made++) own.push(await furnish(server, app))
  const theirs = await furnish(server, foreign, MARK)
  const tests = await furnish(server, test, MARK_OF_TEST)
  const detached = await furnish(server, app)
  await part(needsOf(server), app.app, detached.mail)
  const pending = newMail('pendiente')
  await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: pending }) })
  const of: Record<Whose, Things[]> = {
    ...{ own, foreign: [theirs], test: [tests], detached: [detached], absent: [ABSENT] },
    pending: [{ ...ABSENT, mail: pending }],
  }
  const keys = { appKey: app.app.appKey, secret: app.secret, token: await tokenOf(server, app), sitioKey }
  let fresh = 0
  let turn = 0
  let cursor = ''

  return {
    server,
    keys,
    foreign: { apps: [foreign.app.id, test.app.id], agencias: [theirs.id, tests.id] },
    fill({ target, about: { whose, which } }) {
      // To a site all of production is its own; what it must not find is the other mode's.
      const strange = isSite(target) ? tests : theirs
      const things = whose === 'foreign' ? strange : (of[whose][which % of[whose].length] as Things)
      return (text) =>
        text.replace(/«([\w-]+)»/g, (all, name: string) => {
          if (name === 'new-mail') return `nueva${++fresh}@agencia.test`
          if (name === 'new-ext') return `NUEVA-${++fresh}`
          if (name === 'today') return new Date().toISOString().slice(0, 10)
          if (name === 'cursor') return cursor
          const [, others, plain = ''] = /^(foreign-)?(\w+)$/.exec(name) ?? []
          return String((others ? strange : things)[plain as keyof Things] ?? all)
        })
    },
    async renew() {
      own[turn++ % own.length] = await furnish(server, app)
      await configure(app)
      cursor =
        new URLSearchParams((await app.get('/v3/eventos')).json._links.next.href.split('?')[1]).get('cursor') ?? ''
    },
    stop: () => server.stop(),
  }
}

/** An agency with somebody who helps, a package, a listing, an inquiry, a branch and an event. */
async function furnish(server: TestServer, app: TestApp, mark = ''): Promise<Things> {
  const { store } = server
  const { agencia, mail } = await makeAgencia(needsOf(server), app.app, mark ? { Nombre: mark } : {})
  const modo: Modo = app.app.modo
  const helper = await makeAccount(server, { email: newMail('ayuda'), modo, ...(mark && { nombre: mark }) })
  await store.query(sql`insert into operadores values (${agencia.id}, ${helper.id}, 'vendedor')`)
  await setPackage(store, agencia.id, ROOMY)
  const aviso = await makePublicacion(store, app.app, agencia, mark ? { descripcion: mark } : {})
  const { externalId } = aviso
  const interesado = mark ? { Comentario: mark, Nombre: mark } : {}
  const { sid } = await keepConsulta(store, { agencia, fuente: app.app, externalId, interesado })
  const body = JSON.stringify({ Nombre: mark || 'Casa central' })
  const place = await app.call('POST', `/v3/sucursales/${mail}`, { body })
  const [event] = await store.query<{ id: string }>(sql`select id from events where agencia_id = ${agencia.id} limit 1`)
  return {
    ...{ id: agencia.id, mail, helper: helper.email, sid, ext: externalId, aviso: String(aviso.id) },
    place: place.headers.location?.split('/').at(-1) ?? '',
    event: event?.id ?? '',
  }
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
