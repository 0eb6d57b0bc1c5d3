import { disableApp } from '../../src/apps/store.ts'
import { leaveAgencia } from '../../src/resources/agencias/associations.ts'
import { publishEvent } from '../../src/webhooks/events.ts'
import { depsOf } from '../support/agencia.ts'
import type { Answer } from '../support/caller.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../support/server.ts'
import { until } from '../support/until.ts'
import { CONFIGURED, EXPECTED, pathOf } from './expectations.ts'
import { ABSENT, createRecords, type Records } from './records.ts'

/** Stands in whatever can be read of an agency that is not the asker's. */
export const MARK = 'Zorzal Ajeno'
export const MARK_OF_TEST = 'Chajá Ajeno'
export const MARK_OF_OTHER_TEST = 'Tero Ajeno'

/** What every app of the matrix has a webhook for, so that its log is not empty and something can be sent again. */
const TOLD_TOPIC = 'consulta.recibida'
/** What a cursor names has one before it and one after it. */
const TOLD_TIMES = 3

/** Apps in every relation to an agency that there is, and what each of them could name. */
export interface MatrixFixture {
  server: TestServer
  owner: TestApp
  /** Has an agency of its own, and nothing to do with the owner's. */
  other: TestApp
  test: TestApp
  /** Another one of test mode. */
  otherTest: TestApp
  /** Was associated once, and is no longer. */
  former: TestApp
  disabled: TestApp
  sitio: TestSitio
  testSitio: TestSitio
  theirs: Records
  /** The agency that the former app left. */
  left: Records
  /** An address that the owner has invited and that has not registered. */
  invited: Records
  /** The other app's own, and the test app's own. */
  own: Records
  ofTest: Records
  ofOtherTest: Records
  /** Where the former app saw the mark of what it has left, while it was its own. */
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
    await app.call('POST', `/v3/appnotificaciones/${TOLD_TOPIC}`, { body })
  const left = await createRecordsAndEvents(server, former, MARK)
  const sawBefore = await visibleTo(former, left)
  await leaveAgencia(depsOf(server), former.app, left.mail)
  // One's own come first: a cursor of another's then stands after all of them.
  const [own, theirs] = [await createRecordsAndEvents(server, other), await createRecordsAndEvents(server, owner, MARK)]
  const ofTest = await createRecordsAndEvents(server, test, MARK_OF_TEST)
  const ofOtherTest = await createRecordsAndEvents(server, otherTest, MARK_OF_OTHER_TEST)
  const invited = { ...ABSENT, mail: 'zzz2@agencia.test' }
  const invitation = JSON.stringify({ AdminMail: invited.mail, Nombre: MARK, AdminNombre: MARK, Mensaje: MARK })
  const answer = await owner.call('POST', '/v3/agencias', { body: invitation })
  if (answer.status !== 202) throw new Error(`nobody was invited: ${answer.text}`)
  const [apps, things] = [
    { owner, other, test, otherTest, former, disabled },
    { theirs, left, invited, own, ofTest, ofOtherTest, sawBefore },
  ]
  const sitios = { sitio: await server.newSitio(), testSitio: await server.newSitio({ modo: 'prueba' }) }
  return { server, ...apps, ...sitios, ...things }
}

/** An agency of an app's, with all that it has, of which the app was told. */
export const createRecordsAndEvents = async (server: TestServer, app: TestApp, mark?: string): Promise<Records> =>
  tell(server, app, await createRecords(server, app, mark), mark)

/** Tells the app of the inquiry; the event that is named by its things is the second of those. */
async function tell(
  { store, config }: TestServer,
  { app }: TestApp,
  things: Records,
  title = 'Una agencia',
): Promise<Records> {
  const { id, mail, sid } = things
  const agencia = { id, adminMail: mail, href: `/v3/agencias/${mail}`, title }
  const told = { appId: app.id, topic: TOLD_TOPIC, timeZone: config.timeZone, sid, agencia } as const
  const ids: string[] = []
  for (let times = 0; times < TOLD_TIMES; times++)
    ids.push(await store.transaction((tx) => publishEvent(tx, { ...told, moment: new Date() })))
  return { ...things, event: ids[1] ?? '' }
}

/** Where that app sees the mark of those things. */
async function visibleTo(app: TestApp, things: Records): Promise<Set<string>> {
  const seen = new Set<string>()
  for (const [route, { foreign, sitio }] of EXPECTED)
    if (route.startsWith('GET') && foreign && !sitio)
      if ((await callAbout(app, route, things)).text.includes(MARK)) seen.add(route)
  return seen
}

export interface Question {
  /** Another one than the route's: those that follow from it. */
  method?: string
  query?: string
  body?: unknown
}

/** Asks a route about those things; a leaveAgencia of them can be of somebody else. */
export function callAbout(
  who: Pick<TestApp, 'call'>,
  route: string,
  things: Records,
  { query, body, method: asked }: Question = {},
): Promise<Answer> {
  const [method = '', url = ''] = route.split(' ')
  const expectation = EXPECTED.get(route) ?? {}
  const sent = asked ? undefined : (body ?? expectation.body)
  const topic = url.includes('/entregas') && { topic: TOLD_TOPIC }
  const params = { ...paramsOf(url, things), ...expectation.params, ...topic }
  const path = pathOf(url, { params, query: query ?? expectation.query ?? '' })
  return who.call(asked ?? method, path, sent === undefined ? {} : { body: JSON.stringify(sent) })
}

const paramsOf = (url: string, { mail, sid, ext, place, event, aviso }: Records): Record<string, string> => ({
  adminMail: mail,
  sid,
  externalid: ext,
  id: url.includes('/sucursales/') ? place : url.includes('/avisos/') ? aviso : event,
})

/** Which of the things a parameter of a path names. */
export const recordOf = (url: string, name: string): keyof Records | undefined => {
  if (name === 'id' && !/\/(sucursales|avisos|entregas)\//.test(url)) return undefined
  const names = { adminMail: 'mail', sid: 'sid', externalid: 'ext', id: 'event' } as const
  if (!(name in names)) return undefined
  if (name === 'id') return url.includes('/sucursales/') ? 'place' : url.includes('/avisos/') ? 'aviso' : 'event'
  return names[name as keyof typeof names]
}

/** What differs between any two answers. */
const OF_THE_MOMENT = ['x-request-id', 'date', 'ratelimit']
/** What follows from the bytes of the body: where these name what was asked for, it differs with them. */
const OF_THE_BYTES = ['content-length', 'etag']

/** An answer without what must differ: the request's id, the moment, and the identifiers that were asked for. */
export function masked(
  { status, headers, text, bytes }: Pick<Answer, 'status' | 'headers' | 'text' | 'bytes'>,
  ...asked: Records[]
): string {
  const shown = withoutIds(text, asked)
  const isEchoed = shown !== text
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    if (OF_THE_MOMENT.includes(name)) return []
    if (!isEchoed || !OF_THE_BYTES.includes(name)) return `${name}: ${withoutIds(value, asked)}`
    // It is there, and in the form it always has.
    return `${name}: ${value === String(bytes.length) ? '‹as it is›' : value.replace(/[\w-]/g, '·')}`
  })
  return `${status}\n${kept.join('\n')}\n\n${shown}`
}

function withoutIds(text: string, asked: Records[]): string {
  let shown = text
  for (const things of asked)
    for (const name of ['mail', 'helper', 'sid', 'ext', 'event'] as const)
      shown = shown.replaceAll(things[name], '‹id›').replaceAll(things[name].toLowerCase(), '‹id›')
  return shown
    .replace(/(\/(?:avisos|sucursales\/[^/"]+)\/)\d+/g, '$1‹number›')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '‹moment›')
    .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, '‹id›')
    .replace(/\b\d{5,}\b/g, '‹number›')
}
