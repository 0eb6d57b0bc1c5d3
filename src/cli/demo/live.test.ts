import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import sql from 'sql-template-tag'
import { PAGES, type ROLES } from '../../../tests/isolation/pages.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { until } from '../../../tests/support/until.ts'
import { type Visitor, visitor } from '../../../tests/support/visitor.ts'
import { fillDemo } from './fill.ts'
import { keepMoving } from './live.ts'
import { findDemo } from './record.ts'
import type { Access } from './teams.ts'

/** The last bar of an uptime without data. */
const TODAY_UNKNOWN = /<rect class="unknown"[^>]*><title>[^<]*<\/title><\/rect>(?=<\/svg>)/g

describe('the demo', () => {
  let server: TestServer
  let access: Access
  before(async () => {
    const photos = join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'demo-photos')
    server = await startServer({ worker: {}, env: { PHOTOS_URL: pathToFileURL(photos).href } })
    ;({ access } = await fillDemo(server, server.config, () => undefined))
  })
  after(() => server.stop())

  /** Who opens a page, of those whom it answers. */
  const roleOf = (path: string): (typeof ROLES)[number] =>
    path.startsWith('/consola')
      ? 'staff'
      : path.startsWith('/portal')
        ? 'developer'
        : /^\/(cuenta|ir)\b/.test(path)
          ? 'agency'
          : 'anonymous'

  it('200: no page that a menu or an address leads to is empty', async () => {
    const visitors: Partial<Record<(typeof ROLES)[number], Visitor>> = {
      anonymous: visitor(server),
      agency: await visitor(server).enter(access.agencias[0] ?? '', access.password),
      developer: await visitor(server).enter(access.developer, access.password),
      staff: (await makeStaff(server)).visitor,
    }
    const empty: string[] = []
    let opened = 0
    for (const [url, statuses] of PAGES) {
      const path = url.replace(':appKey', access.appKey)
      const role = roleOf(path)
      // Pages of one record are opened from these.
      if (path.includes(':') || statuses[role] !== '200') continue
      const { status, text } = (await visitors[role]?.get(path)) ?? assert.fail(role)
      assert.equal(status, 200, path)
      opened += 1
      // On the status page: an uptime that is not known, except of today, which has none in the first minutes of a day.
      if (/class="(empty|unknown)"/.test(text.replaceAll(TODAY_UNKNOWN, ''))) empty.push(path)
    }
    assert.deepEqual(empty, [])
    assert.ok(opened > 50, `${opened} pages`)
  })

  it('200: the status page has the uptime and latency of three months and past incidents, as the console lists them', async () => {
    const { text } = await visitor(server).get('/estado')
    assert.match(text, /<h3>[^<]+ \(demo\)<\/h3>/)
    const [facts] = await server.store.query<Record<string, number>>(sql`
      select (select count(*) from incidents where ended_at is not null) as ended,
        (select count(distinct hora) from heartbeats) as hours, (select sum(deliveries) from delivery_latency) as deliveries,
        (select count(*) from alerts where estado = 'entregada') as alerts,
        (select count(*) from consulta_history where act = 'nota') as notes, (select count(*) from consulta_reminders) as reminders`)
    const { ended, hours = 0, deliveries = 0, alerts, notes = 0, reminders = 0 } = facts ?? {}
    assert.deepEqual({ ended, alerts }, { ended: 4, alerts: 4 })
    assert.ok(hours > 89 * 24 && deliveries > 1_000 && notes > 20 && reminders > 5, JSON.stringify(facts))
  })

  it('200, 404: the cars have drawn photos, and we serve copies of them as of other photos', async () => {
    const [car] = await server.store.query<{ id: number; fotos: string[] }>(
      sql`select id, fotos from publicaciones where estado = 'Activa' limit 1`,
    )
    assert.ok(
      car?.fotos.every((href) => href.startsWith('https://')),
      'as the API takes them',
    )
    const paths = car?.fotos.map((href) => new URL(href).pathname) ?? []
    assert.equal(paths.length, 3)
    for (const path of paths) {
      const { status, headers, text } = await visitor(server).get(path)
      assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml'])
      assert.match(headers['cache-control'] ?? '', /immutable/)
      assert.match(text, /^<svg xmlns/)
    }
    const { text } = await visitor(server).get(`/aviso/${car?.id}`)
    const [copy = ''] = /\/fotos\/[0-9a-f]{64}\/640\.jpg/.exec(text) ?? []
    const served = await visitor(server).get(copy)
    assert.deepEqual([served.status, served.headers['content-type']], [200, 'image/jpeg'])
    for (const name of ['sedan-ff0000-4.svg', 'cohete-ff0000-1.svg', 'sedan-red-1.svg'])
      assert.equal((await visitor(server).get(`/dibujos/${name}`)).status, 404)
  })

  describe('--vivo', () => {
    const webhooks = async () => {
      const demo = (await findDemo(server.store)) ?? assert.fail('there is no demo')
      return server.store.query<{ callback: string }>(sql`
        select w.topic, w.callback, a.private_callbacks, w.failures from webhooks w join apps a on a.id = w.app_id
        where a.id = ${demo.apps[0]} order by 1`)
    }
    /** Starts it; `receiver` is the address of its receiver. */
    async function start(say: (line: string) => void = () => undefined) {
      const demo = (await findDemo(server.store)) ?? assert.fail('there is no demo')
      const stop = new AbortController()
      const ended = keepMoving(server, {
        config: { ...server.config, publicUrl: server.url },
        demo,
        say,
        signal: stop.signal,
        paceMs: 100,
        failures: { refused: 0, outage: 0 },
      })
      const receiver = await until(async () => {
        const [{ callback = '' } = {}] = await webhooks()
        return callback.startsWith('http://127.0.0.1:') && callback
      })
      return { ended, receiver, stop: () => stop.abort() }
    }

    it('inquiries arrive and are delivered to a receiver here until the signal; then the webhooks are as before', async () => {
      const before = await webhooks()
      const lines: string[] = []
      const live = await start((line) => void lines.push(line))
      await until(() => lines.filter((each) => each === 'delivery    200').length >= 3)
      live.stop()
      await live.ended
      assert.ok(lines.filter((line) => line.startsWith('inquiry')).length >= 3, lines.join('\n'))
      assert.deepEqual(await webhooks(), before)
    })

    it('goes on after requests that are no deliveries', async () => {
      const before = await webhooks()
      const live = await start()
      for (const body of ['no es JSON', 'null', '{"Consulta":{"_links":{"self":{"href":5}}}}'])
        assert.equal((await fetch(live.receiver, { method: 'POST', body })).status, 200)
      live.stop()
      await live.ended
      assert.deepEqual(await webhooks(), before)
    })

    it('the webhooks are as before, also if what is left cannot be delivered', async () => {
      const before = await webhooks()
      const live = await start()
      await server.store.query(sql`
        create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
      await server.store.query(sql`
        create trigger refuse before update of due_at on deliveries for each statement execute function refuse()`)
      live.stop()
      await assert.rejects(live.ended, /refused/)
      await server.store.query(sql`drop function refuse cascade`)
      assert.deepEqual(await webhooks(), before)
    })
  })
})
