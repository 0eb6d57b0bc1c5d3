import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import { encodeCursor } from '../../http/links.ts'
import { continueFeeds } from '../../store/feed.ts'
import { ulid } from '../../ulid.ts'
import { type EventRow, feedSql, insertEvents } from '../../webhooks/events.ts'
import { createLogMonths } from '../../webhooks/sweep.ts'

const FEED = '/v3/eventos'

describe('GET /v3/eventos', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())

  const row = (payload: object | string, to = app): EventRow => ({
    id: ulid(Date.now()),
    appId: to.app.id,
    agenciaId: null,
    topic: 'webhook.prueba',
    sid: null,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    traceparent: null,
  })
  const tell = (...events: EventRow[]) => server.store.transaction((tx) => insertEvents(tx, events))
  const next = (answer: { json: { _links: { next: { href: string } } } }) => answer.json._links.next.href
  /** Follows the feed from a link until so many have come: an older transaction elsewhere may hold them back a moment. */
  const follow = async (href: string, count: number) => {
    const seen: { N: number }[] = []
    let at = href
    await until(async () => {
      const answer = await app.get(at)
      assert.equal(answer.status, 200)
      at = next(answer)
      seen.push(...answer.json._entries)
      return seen.length >= count
    })
    return { numbers: seen.map(({ N }) => N), at }
  }

  it('200: oldest first, a hundred a page, next always there', async () => {
    app = await server.newApp()
    const none = await app.get(FEED)
    assert.deepEqual(none.json._entries, [])
    assert.equal(none.json._links.self.href, FEED)
    await tell(...Array.from({ length: 250 }, (_, N) => row({ N })))
    await until(async () => (await app.get(FEED)).json._entries.length > 0)
    const first = await app.get(FEED)
    const second = await app.get(next(first))
    const third = await app.get(next(second))
    const fourth = await app.get(next(third))
    assert.deepEqual(
      [first, second, third, fourth].map(({ json }) => json._entries.length),
      [100, 100, 50, 0],
    )
    assert.equal(next(fourth), next(third), 'nothing new: the same place')
    assert.deepEqual(
      (await follow(next(none), 250)).numbers,
      Array.from({ length: 250 }, (_, N) => N),
    )
  })

  it('200: each entry is the payload byte for byte', async () => {
    app = await server.newApp()
    const odd = '{"b":1.50,"a":"\\u00f1","n":1e3,  "N":0}'
    await tell(row(odd))
    await until(async () => (await app.get(FEED)).text.includes(`"_entries":[${odd}]}`))
  })

  it('200: an event that commits late is never skipped, and stands where it will always stand', async () => {
    app = await server.newApp()
    const other = await server.newApp()
    let href = FEED
    await server.store.transaction(async (late) => {
      await insertEvents(late, [row({ N: 1 })]) // begun first, committed last
      await tell(row({ N: 2 }))
      const between = await app.get(FEED)
      assert.deepEqual(between.json._entries, [], 'what is later waits for what is earlier')
      href = next(between)
    })
    await tell(row({ N: 3 }))
    assert.deepEqual((await follow(href, 3)).numbers, [1, 2, 3])
    assert.deepEqual((await follow(FEED, 3)).numbers, [1, 2, 3])
    assert.deepEqual((await other.get(FEED)).json._entries, [])
  })

  it('200: following next during concurrent writes yields each event once', async () => {
    app = await server.newApp()
    const reader = follow(FEED, 200)
    await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        for (let n = 0; n < 10; n++) await tell(row({ N: writer * 10 + n }))
      }),
    )
    const { numbers } = await reader
    assert.equal(numbers.length, 200)
    assert.equal(new Set(numbers).size, 200)
    for (let writer = 0; writer < 20; writer++) {
      const own = numbers.filter((N) => Math.floor(N / 10) === writer)
      assert.deepEqual(
        own,
        [...own].sort((a, b) => a - b),
        'in the order they were committed',
      )
    }
  })

  it('200: fin is now; what commits after it comes', async () => {
    app = await server.newApp()
    await tell(row({ N: 1 }))
    await follow(FEED, 1)
    const end = await app.get(`${FEED}?cursor=fin`)
    assert.deepEqual(end.json._entries, [])
    assert.equal(end.json._links.self.href, `${FEED}?cursor=fin`)
    await tell(row({ N: 2 }))
    assert.deepEqual((await follow(next(end), 1)).numbers, [2])
  })

  it('200: what is written and not yet committed when fin is asked for comes too', async () => {
    app = await server.newApp()
    let href = ''
    await server.store.transaction(async (tx) => {
      await insertEvents(tx, [row({ N: 1 })])
      href = next(await app.get(`${FEED}?cursor=fin`))
    })
    assert.deepEqual((await follow(href, 1)).numbers, [1])
  })

  it('200: only what this app was told, whatever the cursor', async () => {
    const owner = await server.newApp()
    app = await server.newApp()
    await tell(row({ N: 1 }, owner), row({ N: 2 }))
    assert.deepEqual((await follow(FEED, 1)).numbers, [2])
    const { json } = await owner.get(FEED)
    assert.deepEqual(json._entries, [{ N: 1 }])
    assert.deepEqual(
      (await app.get(json._links.next.href)).json._entries.filter(({ N }: { N: number }) => N === 1),
      [],
    )
  })

  it('200: what happens in the trade is there, whether or not anyone listens', async () => {
    app = await server.newApp()
    const { mail } = await makeAgencia(depsOf(server), app.app)
    await until(async () => (await app.get(FEED)).json._entries.length === 1)
    const [event] = (await app.get(FEED)).json._entries
    assert.deepEqual(Object.keys(event), ['Id', 'Topic', 'Version', 'Momento', 'Agencia', 'AdminMail'])
    assert.deepEqual([event.Topic, event.AdminMail], ['agencia.registrada', mail])
  })

  it('304: nothing new costs nothing; 406: there is no Ref form', async () => {
    app = await server.newApp()
    const { headers } = await app.get(FEED)
    assert.equal((await app.get(FEED, { 'if-none-match': headers.etag ?? '' })).status, 304)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal((await app.get(FEED, { accept: REF })).status, 406)
  })

  it('400: a cursor that we never gave', async () => {
    app = await server.newApp()
    const huge = (xid: string, position: string) => encodeCursor({ xid, position })
    for (const cursor of [
      'x',
      'FIN',
      '%00',
      "1'--",
      'MS4x=',
      'MS4xMQ\n',
      huge('-1', '0'),
      huge('1e3', '0'),
      huge('008', '0'), // PostgreSQL reads it as octal
      huge('1', '01'),
      huge('99999999999999999999', '1'),
      huge('1', '9999999999999999999'),
      'a'.repeat(1000),
    ]) {
      const { status, json } = await app.get(`${FEED}?cursor=${encodeURIComponent(cursor)}`)
      assert.equal(status, 400, cursor)
      assert.deepEqual(Object.keys(json.Errors), ['cursor'])
    }
    assert.equal((await app.get(`${FEED}?cursor=${huge('18446744073709551615', '9223372036854775807')}`)).status, 200)
  })

  it('200: in a store restored on another server the feed goes on, and cursors stay good', async () => {
    const restored = await startServer()
    try {
      app = await restored.newApp()
      const add = (N: number) => restored.store.transaction((tx) => insertEvents(tx, [row({ N })]))
      const read = async (href: string) => (await app.get(href)).json._entries.map(({ N }: { N: number }) => N)
      for (const N of [1, 2]) await add(N)
      // As the dump of a server that had counted further would have left them.
      await restored.store.query(sql`update events set xid = (xid::text::bigint + 5000000000)::text::xid8`)
      assert.deepEqual(await read(FEED), [])
      await continueFeeds(restored.store)
      await until(async () => (await read(FEED)).length === 2)
      const at = next(await app.get(FEED))
      await add(3)
      await until(async () => (await read(at)).length === 1)
      assert.deepEqual([await read(at), await read(FEED)], [[3], [1, 2, 3]])
      const end = next(await app.get(`${FEED}?cursor=fin`))
      await continueFeeds(restored.store) // at the next start there is nothing to do
      await add(4)
      await until(async () => (await read(end)).length === 1)
      assert.deepEqual(await read(FEED), [1, 2, 3, 4])
    } finally {
      await restored.stop()
    }
  })

  it('reading a page merges the indexes of the months and sorts nothing, however many events came lately', async () => {
    await createLogMonths(server.store, new Date())
    const ids = Array.from({ length: 5_000 }, () => ulid(Date.now()))
    await server.store.query(sql`
      insert into events (id, app_id, topic, payload) select id, 1, 'x', repeat('x', 500) from unnest(${ids}::text[]) id`)
    await server.store.query(sql`analyze events`) // it then knows of no event after the position
    const plan = await server.store.query<Record<string, string>>(sql`
      explain ${feedSql(1, { xid: '9000000000', position: '7' }, 100)}`)
    const text = plan.map((line) => Object.values(line)[0]).join('\n')
    assert.match(text, /^Limit[\s\S]*Merge Append/)
    assert.match(text, /Index Scan using events_other_app_id_xid_position_idx/)
    assert.doesNotMatch(text, /-> {2}Sort|Seq Scan/)
    assert.match(text, /xid < pg_snapshot_xmin/, 'the functions are written into the statement')
  })
})
