import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { digestOf } from '../../fuzz/journal.ts'
import type { Answer } from '../support/caller.ts'
import { makeDeveloper } from '../support/developer.ts'
import { everLater } from '../support/ever-later.ts'
import { type Visitor, visitor } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { furnishAndTell, MARK } from './stage.ts'
import { ABSENT, type Things } from './things.ts'

/** A place in the query or the form of a page where something can be named. */
interface Place {
  who: 'agency' | 'developer'
  path: string
  name: string
  thing: keyof Things
  /** What else is asked for. */
  more?: Record<string, string>
  /** Sent as a form. */
  post?: boolean
  /** The identifier within the value. */
  value?: (id: string) => string
  /** A place in time: one's own is not answered otherwise than what is not there. */
  isTime?: boolean
}

const LOG = '/portal/:appKey/entregas'
const AGAIN = `${LOG}/reenviar`
const TRY = '/portal/:appKey/probar'
const OF_AGENCIES = ['apps', 'colaboradores', 'consultas', 'datos', 'publicaciones', 'sucursales']

const PLACES: Place[] = [
  ...OF_AGENCIES.map((page): Place => ({ who: 'agency', path: `/cuenta/${page}`, name: 'agencia', thing: 'id' })),
  { who: 'agency', path: '/cuenta/consultas', name: 'antes', thing: 'sid', isTime: true },
  ...(['event', 'sid', 'mail'] as const).flatMap((thing): Place[] => [
    { who: 'developer', path: LOG, name: 'q', thing },
    { who: 'developer', path: AGAIN, name: 'q', thing, more: { previa: 'si' } },
    { who: 'developer', path: AGAIN, name: 'q', thing, post: true },
  ]),
  { who: 'developer', path: LOG, name: 'antes', thing: 'event', isTime: true },
  { who: 'developer', path: LOG, name: 'despues', thing: 'event', isTime: true },
  { who: 'developer', path: '/portal/:appKey/eventos', name: 'antes', thing: 'event', isTime: true },
  { who: 'developer', path: TRY, name: 'ruta', thing: 'mail', value: (mail) => `/v3/agencias/${mail}` },
  { who: 'developer', path: TRY, name: 'ruta', thing: 'mail', value: (mail) => `/v3/consultas/${mail}` },
  {
    ...{ who: 'developer', path: TRY, name: 'ruta', thing: 'mail', post: true, more: { metodo: 'PUT', cuerpo: '{}' } },
    value: (mail) => `/v3/operadores/${mail}`,
  },
]

describe('isolation: another’s identifiers in queries and forms of pages', () => {
  let server: TestServer
  let appKey: string
  let own: Things
  let theirs: Things
  let people: Record<Place['who'], Visitor>
  let strangers: Record<Place['who'], Visitor>
  let strangersKey: string
  let theirApp: number
  /** All that is another's, before anybody asked. */
  let untouched: string
  before(async () => {
    server = await startServer({ nowMs: everLater() })
    const [app, other] = [await server.newApp(), await server.newApp()]
    const body = JSON.stringify({ Callback: 'https://crm.example/avisos' })
    for (const each of [app, other]) await each.call('POST', '/v3/appnotificaciones/consulta.recibida', { body })
    own = await furnishAndTell(server, app)
    theirs = await furnishAndTell(server, other, MARK)
    ;[appKey, strangersKey] = [app.app.appKey, other.app.appKey]
    const peopleOf = async (whose: typeof app, { mail }: Things) => ({
      agency: await visitor(server).enter(mail),
      developer: (await makeDeveloper(server, whose)).visitor,
    })
    theirApp = other.app.id
    ;[people, strangers] = [await peopleOf(app, own), await peopleOf(other, theirs)]
    untouched = await digestOf(server.store, { apps: [theirApp], agencias: [theirs.id] })
  })
  after(() => server.stop())

  function ask(who: Visitor, key: string, { path, name, more, post, value }: Place, id: string): Promise<Answer> {
    const at = path.replace(':appKey', key)
    const query = new URLSearchParams({ [name]: value?.(id) ?? id, ...more })
    return post ? who.post(at, Object.fromEntries(query)) : who.get(`${at}?${query}`)
  }

  /** Without what was asked for, and what is of the moment; the number of an agency is known by its name. */
  const masked = ({ status, headers, text }: Answer, id: string): string => {
    const said = [status, headers.location ?? '', text].join('\n').replace(/agencia=\d+/g, 'agencia=‹id›')
    const shown = /^\d+$/.test(id) ? said : said.replaceAll(encodeURIComponent(id), '‹id›').replaceAll(id, '‹id›')
    return shown
      .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, '‹id›')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|SVC-HMAC \w+:[\w+/=]+|\b[0-9a-f]{16,}\b/g, '‹proof›')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?|\d\d:\d\d(:\d\d)?|hace [^<]*/g, '‹moment›')
      .replace(/\b\d+ ms\b/g, '‹ms›')
  }

  for (const place of PLACES)
    it(`${place.post ? 'POST' : 'GET'} ${place.path}: another’s ${place.thing} in ${place.name} is as good as none`, async () => {
      const { who, thing } = place
      const absentId = place.isTime ? besides(String(theirs[thing])) : thing === 'id' ? '999999' : String(ABSENT[thing])
      const foreign = await ask(people[who], appKey, place, String(theirs[thing]))
      const absent = await ask(people[who], appKey, place, absentId)
      assert.ok(!foreign.text.includes(MARK), 'tells of what is not its own')
      assert.equal(masked(foreign, String(theirs[thing])), masked(absent, absentId))
      if (place.isTime || place.post) return // what a form did is seen in the store
      const mine = await ask(people[who], appKey, place, String(own[thing]))
      assert.notEqual(
        masked(mine, String(own[thing])),
        masked(absent, absentId),
        'one’s own is not found: this shows nothing',
      )
    })

  it('nothing of another’s was changed by any of it', async () => {
    assert.equal(await digestOf(server.store, { apps: [theirApp], agencias: [theirs.id] }), untouched)
  })

  it('whose they are see the mark in the same places', async () => {
    const shown = await Promise.all(
      // What would be sent again is counted there, and not shown.
      PLACES.filter(({ path, post, isTime }) => !post && !isTime && path !== AGAIN).map(async (place) => {
        const { text } = await ask(strangers[place.who], strangersKey, place, String(theirs[place.thing]))
        return text.includes(MARK) ? [] : `${place.path} ${place.name}=${place.thing}`
      }),
    )
    assert.deepEqual(shown.flat(), [])
  })
})

/** The id next to that one: what is not there, at the same moment. */
const besides = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
