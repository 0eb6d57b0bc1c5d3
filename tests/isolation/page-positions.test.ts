import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { digestOf } from '../../fuzz/journal.ts'
import type { Answer } from '../support/caller.ts'
import { makeDeveloper } from '../support/developer.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { steppingClock } from '../support/stepping-clock.ts'
import { type Visitor, visitor } from '../support/visitor.ts'
import { type Crawled, crawl } from './crawl.ts'
import { createRecordsAndEvents, MARK } from './fixture.ts'
import { keyOf, NO_IDENTIFIERS, PLACES, type Place } from './page-positions.ts'
import { PAGES } from './pages.ts'
import { ABSENT, createRecords, type Records } from './records.ts'

/** No link leads there, because an app's only key cannot be revoked. */
const UNSEEN = [
  // Neither of the two has a second factor, and passkeys need https.
  '/cuenta/telefono/quitar',
  '/cuenta/llaves/:id/quitar',
  '/cuenta/llaves/nueva',
  '/cuenta/colaboradores/:id/retirar', // nobody is invited
  '/portal/:appKey/claves/:id/revocar',
]

const titleOf = ({ post, path, record, name, more }: Place): string =>
  `${post ? 'POST' : 'GET'} ${path}${more?.formato ? ' as a file' : ''}: another’s ${record} in ${name}`

describe('isolation: foreign identifiers in queries and forms of pages', () => {
  let server: TestServer
  let appKey: string
  let own: Records
  let theirs: Records
  let deps: Record<Place['who'], Visitor>
  let strangers: Record<Place['who'], Visitor>
  let strangersKey: string
  let theirApp: number
  /** A digest of all foreign records before the first request. */
  let untouched: Map<string, string>
  before(async () => {
    server = await startServer({ nowMs: steppingClock() })
    const [app, other] = [await server.newApp(), await server.newApp()]
    const body = JSON.stringify({ Callback: 'https://crm.example/avisos' })
    for (const each of [app, other])
      for (const path of ['', '/destinos'])
        await each.call('POST', `/v3/appnotificaciones/consulta.recibida${path}`, { body })
    own = await createRecordsAndEvents(server, app)
    theirs = await createRecordsAndEvents(server, other, MARK)
    await helpsElsewhere(server, own.mail, await createRecords(server, app))
    ;[appKey, strangersKey] = [app.app.appKey, other.app.appKey]
    const peopleOf = async (whose: typeof app, { mail }: Records) => ({
      agency: await visitor(server).enter(mail),
      developer: (await makeDeveloper(server, whose)).visitor,
    })
    theirApp = other.app.id
    await makeDeveloper(server, app, { rol: 'desarrollador' }) // somebody to remove
    ;[deps, strangers] = [await peopleOf(app, own), await peopleOf(other, theirs)]
    untouched = await digestOf(server.store, { apps: [theirApp], agencias: [theirs.id] })
  })
  after(() => server.stop())

  function ask(who: Visitor, key: string, { path, name, more, post, value }: Place, id: string): Promise<Answer> {
    const at = path.replace(':appKey', key).replace(':topic', 'consulta.recibida').replace(':destino', '2')
    const query = new URLSearchParams({ [name]: value?.(id) ?? id, ...more })
    return post ? who.post(at, Object.fromEntries(query)) : who.get(`${at}?${query}`)
  }

  /** The response without the requested id and times. */
  const masked = ({ status, headers, text }: Answer, id: string): string => {
    const said = [status, headers.location ?? '', text].join('\n').replace(/(agencia|operador)=\d+/g, '$1=‹id›')
    const shown = /^\d+$/.test(id) ? said : said.replaceAll(encodeURIComponent(id), '‹id›').replaceAll(id, '‹id›')
    return shown
      .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, '‹id›')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|SVC-HMAC \w+:[\w+/=]+|\b[0-9a-f]{16,}\b/g, '‹proof›')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?|\d\d:\d\d(:\d\d)?|hace [^<]*/g, '‹moment›')
      .replace(/=~[\w-]+/g, '=‹id›') // a sealed email address
      .replace(/\b[\d.]+ ms\b/g, '‹ms›')
      .replace(/\b\d+ bytes\b|\bcontent-length: \d+/g, '‹length›') // depends on the identifier
  }

  /** The forms and links of both roles. */
  async function offered(): Promise<Crawled> {
    const both = await Promise.all([
      crawl(deps.agency, '/cuenta', server.routes),
      crawl(deps.developer, `/portal/${appKey}`, server.routes),
    ])
    return {
      names: new Set(both.flatMap(({ names }) => [...names])),
      pages: new Set(both.flatMap(({ pages }) => [...pages])),
    }
  }

  it('every field and parameter of the pages has a position, or a reason why it names no record', async () => {
    const { names, pages } = await offered()
    const places = new Set(PLACES.map(keyOf))
    const reasonFor = (name: string) => [name, name.split(' ')[2] ?? ''].find((each) => NO_IDENTIFIERS.has(each))
    const unknown = [...names].filter((name) => !places.has(name) && !reasonFor(name))
    assert.deepEqual(unknown, [], 'offered, and in neither list')
    const used = new Set([...names].flatMap((name) => reasonFor(name) ?? []))
    const stale = [...NO_IDENTIFIERS.keys()].filter((name) => !used.has(name))
    assert.deepEqual(stale, [], 'has a reason, and is offered nowhere')
    const theirs = [...PAGES.keys()].filter((url) => /^\/(cuenta|portal\/)/.test(url))
    assert.deepEqual(
      theirs.filter((url) => !pages.has(url)),
      UNSEEN,
      'pages that no link led to',
    )
  })

  for (const place of PLACES)
    it(`${titleOf(place)}: a foreign record gets the answer of an absent one`, async () => {
      const { who, record } = place
      const absentId = place.isTime
        ? besides(String(theirs[record]))
        : record === 'id'
          ? '999999'
          : String(ABSENT[record])
      const foreign = await ask(deps[who], appKey, place, String(theirs[record]))
      const absent = await ask(deps[who], appKey, place, absentId)
      assert.ok(!foreign.text.includes(MARK), 'contains a foreign record')
      assert.equal(masked(foreign, String(theirs[record])), masked(absent, absentId))
      if (place.isTime || place.post || place.ownIsUnsaid) return // the effect of a form is checked in the database
      const mine = await ask(deps[who], appKey, place, String(own[record]))
      assert.notEqual(
        masked(mine, String(own[record])),
        masked(absent, absentId),
        'one’s own is not found: this shows nothing',
      )
    })

  it('no foreign record was changed', async () => {
    assert.deepEqual(await digestOf(server.store, { apps: [theirApp], agencias: [theirs.id] }), untouched)
  })

  it('the owners see the mark in the same positions', async () => {
    const shown = await Promise.all(
      // Deliveries to resend are only counted, and a file does not contain everything.
      PLACES.filter(({ post, isTime, more }) => !post && !isTime && !more).map(async (place) => {
        const { text } = await ask(strangers[place.who], strangersKey, place, String(theirs[place.record]))
        return text.includes(MARK) ? [] : `${place.path} ${place.name}=${place.record}`
      }),
    )
    assert.deepEqual(shown.flat(), [])
  })
})

/** A link to switch agencies appears only for members of two. */
const helpsElsewhere = ({ store }: TestServer, mail: string, elsewhere: Records) =>
  store.query(sql`
    insert into operadores select ${elsewhere.id}, id, 'vendedor' from accounts where email = ${mail}`)

/** The adjacent id: an absent record of the same moment. */
const besides = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
