import sql from 'sql-template-tag'
import { disableApp } from '../../src/apps/store.ts'
import { leaveAgencia } from '../../src/resources/agencias/associations.ts'
import { publishEvent } from '../../src/webhooks/events.ts'
import { depsOf } from '../support/agencia.ts'
import type { Answer } from '../support/caller.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../support/server.ts'
import { until } from '../support/until.ts'
import { CONFIGURED, EXPECTED, pathOf } from './expectations.ts'
import { ABSENT, createRecords, type Records } from './records.ts'

/** Part of every readable text of a foreign agency. */
export const MARK = 'Zorzal Ajeno'
export const MARK_OF_TEST = 'Chajá Ajeno'
export const MARK_OF_OTHER_TEST = 'Tero Ajeno'

/** Every app of the matrix has a webhook for it, so that its log is not empty. */
const EVENT_TOPIC = 'consulta.recibida'
/** A cursor needs an event before it and one after it. */
const EVENTS = 3

/** Apps in every relation to an agency, and the records that each can name. */
export interface MatrixFixture {
  server: TestServer
  owner: TestApp
  /** Has its own agency, unrelated to the owner's. */
  other: TestApp
  test: TestApp
  /** Another app in test mode. */
  otherTest: TestApp
  /** Was associated with an agency and has left it. */
  former: TestApp
  disabled: TestApp
  sitio: TestSitio
  testSitio: TestSitio
  theirs: Records
  /** The agency that the former app has left. */
  left: Records
  /** An address that the owner has invited and that has not registered. */
  invited: Records
  /** The records of the other app and of the test apps. */
  own: Records
  ofTest: Records
  ofOtherTest: Records
  /** The routes on which the former app saw the mark while it was associated. */
  sawBefore: Set<string>
}

export async function openMatrix(): Promise<MatrixFixture> {
  const server = await startServer()
  const [owner, other, former, disabled] = await Promise.all([1, 2, 3, 4].map(() => server.newApp()))
  const [test, otherTest] = [await server.newApp({ modo: 'prueba' }), await server.newApp({ modo: 'prueba' })]
  if (!owner || !other || !former || !disabled) throw new Error('an app is missing')
  await disableApp(server.store, disabled.app.appKey, true)
  await until(async () => (await disabled.get('/v3')).status === 401)
  const webhook = { Callback: 'https://crm.example/avisos' }
  const [body, marked] = [JSON.stringify(webhook), JSON.stringify({ ...webhook, Description: MARK })]
  for (const topic of CONFIGURED) await owner.call('POST', `/v3/appnotificaciones/${topic}`, { body: marked })
  for (const app of [other, test, otherTest, former])
    await app.call('POST', `/v3/appnotificaciones/${EVENT_TOPIC}`, { body })
  const left = await createRecordsAndEvents(server, former, MARK)
  const sawBefore = await visibleTo(former, left)
  await leaveAgencia(depsOf(server), former.app, left.mail)
  // The own records come first, so that a foreign cursor lies after all of them.
  const [own, theirs] = [await createRecordsAndEvents(server, other), await createRecordsAndEvents(server, owner, MARK)]
  const ofTest = await createRecordsAndEvents(server, test, MARK_OF_TEST)
  const ofOtherTest = await createRecordsAndEvents(server, otherTest, MARK_OF_OTHER_TEST)
  const invited = { ...ABSENT, mail: 'zzz2@agencia.test' }
  const invitation = JSON.stringify({ AdminMail: invited.mail, Nombre: MARK, AdminNombre: MARK, Mensaje: MARK })
  const answer = await owner.call('POST', '/v3/agencias', { body: invitation })
  if (answer.status !== 202) throw new Error(`the invitation failed: ${answer.text}`)
  const [apps, records] = [
    { owner, other, test, otherTest, former, disabled },
    { theirs, left, invited, own, ofTest, ofOtherTest, sawBefore },
  ]
  const sitios = { sitio: await server.newSitio(), testSitio: await server.newSitio({ modo: 'prueba' }) }
  return { server, ...apps, ...sitios, ...records }
}

/** An agency with its records, and events about it for the app. */
export const createRecordsAndEvents = async (server: TestServer, app: TestApp, mark?: string): Promise<Records> =>
  createEvents(server, app, await createRecords(server, app, mark), mark)

/** Publishes events about the inquiry. The records name the middle one: ids of one millisecond are in any order. */
async function createEvents(
  { store, config }: TestServer,
  { app }: TestApp,
  records: Records,
  title = 'Una agencia',
): Promise<Records> {
  const { id, mail, sid } = records
  const agencia = { id, adminMail: mail, href: `/v3/agencias/${mail}`, title }
  const event = { appId: app.id, topic: EVENT_TOPIC, timeZone: config.timeZone, sid, agencia } as const
  const ids: string[] = []
  for (let times = 0; times < EVENTS; times++)
    ids.push(await store.transaction((tx) => publishEvent(tx, { ...event, moment: new Date() })))
  // The feed waits for every transaction that is older, also of another test.
  await until(async () => {
    const [row] = await store.query<{ shown: boolean }>(
      sql`select bool_and(xid < pg_snapshot_xmin(pg_current_snapshot())) as shown from events where id = any(${ids})`,
    )
    return row?.shown
  })
  return { ...records, event: ids.sort()[1] ?? '' }
}

/** The routes on which the app sees the mark of these records. */
async function visibleTo(app: TestApp, records: Records): Promise<Set<string>> {
  const seen = new Set<string>()
  for (const [route, { foreign, sitio }] of EXPECTED)
    if (route.startsWith('GET') && foreign && !sitio)
      if ((await callAbout(app, route, records)).text.includes(MARK)) seen.add(route)
  return seen
}

interface CallOptions {
  /** Overrides the route's method, for HEAD and OPTIONS. */
  method?: string
  query?: string
  body?: unknown
}

/** Calls a route with these records, which may belong to different tenants. */
export function callAbout(
  who: Pick<TestApp, 'call'>,
  route: string,
  records: Records,
  { query, body, method: override }: CallOptions = {},
): Promise<Answer> {
  const [method = '', url = ''] = route.split(' ')
  const expectation = EXPECTED.get(route) ?? {}
  const sent = override ? undefined : (body ?? expectation.body)
  const topic = url.includes('/entregas') && { topic: EVENT_TOPIC }
  const params = { ...paramsOf(url, records), ...expectation.params, ...topic }
  const path = pathOf(url, { params, query: query ?? expectation.query ?? '' })
  return who.call(override ?? method, path, sent === undefined ? {} : { body: JSON.stringify(sent) })
}

const paramsOf = (url: string, { mail, sid, ext, place, event, aviso }: Records): Record<string, string> => ({
  adminMail: mail,
  sid,
  externalid: ext,
  id: url.includes('/sucursales/') ? place : url.includes('/avisos/') ? aviso : event,
})

/** The kind of record that a path parameter names. */
export const recordOf = (url: string, name: string): keyof Records | undefined => {
  if (name === 'id' && !/\/(sucursales|avisos|entregas)\//.test(url)) return undefined
  const names = { adminMail: 'mail', sid: 'sid', externalid: 'ext', id: 'event' } as const
  if (!(name in names)) return undefined
  if (name === 'id') return url.includes('/sucursales/') ? 'place' : url.includes('/avisos/') ? 'aviso' : 'event'
  return names[name as keyof typeof names]
}

/** Headers that differ between any two responses. */
const OF_THE_MOMENT = ['x-request-id', 'date', 'ratelimit']
/** Headers that depend on the body, which may contain the requested identifier. */
const OF_THE_BYTES = ['content-length', 'etag']

/** A response without what may differ: request id, times and the requested identifiers. */
export function masked(
  { status, headers, text, bytes }: Pick<Answer, 'status' | 'headers' | 'text' | 'bytes'>,
  ...requested: Records[]
): string {
  const shown = withoutIds(text, requested)
  const isEchoed = shown !== text
  const seen = Object.entries(headers).flatMap(([name, value]) => {
    if (OF_THE_MOMENT.includes(name)) return []
    if (!isEchoed || !OF_THE_BYTES.includes(name)) return `${name}: ${withoutIds(value, requested)}`
    // Compares only its form.
    return `${name}: ${value === String(bytes.length) ? '‹as it is›' : value.replace(/[\w-]/g, '·')}`
  })
  return `${status}\n${seen.join('\n')}\n\n${shown}`
}

function withoutIds(text: string, requested: Records[]): string {
  let shown = text
  for (const records of requested)
    for (const name of ['mail', 'helper', 'sid', 'ext', 'event'] as const)
      shown = shown.replaceAll(records[name], '‹id›').replaceAll(records[name].toLowerCase(), '‹id›')
  return shown
    .replace(/(\/(?:avisos|sucursales\/[^/"]+)\/)\d+/g, '$1‹number›')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '‹moment›')
    .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, '‹id›')
    .replace(/\b\d{5,}\b/g, '‹number›')
}
