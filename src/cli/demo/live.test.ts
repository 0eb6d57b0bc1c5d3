import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import sql from 'sql-template-tag'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { type Visitor, visitor } from '../../../tests/support/visitor.ts'
import { type Access, fillDemo } from './fill.ts'
import { keepMoving } from './live.ts'
import { findDemo } from './record.ts'

describe('the demo', () => {
  let server: TestServer
  let access: Access
  before(async () => {
    const photos = join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'demo-photos')
    server = await startServer({ worker: {}, env: { PHOTOS_URL: pathToFileURL(photos).href } })
    ;({ access } = await fillDemo(server, server.config, () => undefined))
  })
  after(() => server.stop())

  /** The pages of those paths whose lists have nothing to show. */
  async function emptyOf(who: Visitor, base: string, paths: string): Promise<string[]> {
    const found: string[] = []
    for (const path of paths.trim().split(/\s+/)) {
      const { status, text } = await who.get(base + (path === '.' ? '' : path))
      assert.equal(status, 200, base + path)
      if (/class="empty/.test(text)) found.push(base + path)
    }
    return found
  }

  it('200: no first screen of portal, account and console is empty', async () => {
    const developer = await visitor(server).enter(access.developer, access.password)
    const portal = '. /entregas /eventos /llamadas /uso /uso?por=dia /webhooks /claves /equipo'
    assert.deepEqual(await emptyOf(developer, `/portal/${access.appKey}`, portal), [])
    const agency = await visitor(server).enter(access.agencias[0] ?? '', access.password)
    const account = '. /consultas /publicaciones /apps /sucursales /colaboradores'
    assert.deepEqual(await emptyOf(agency, '/cuenta', account), [])
    const staff = (await makeStaff(server)).visitor
    const console =
      '. /agencias /agencias?estado=invitadas /apps /consultas /publicaciones /entregas /correos /auditoria /personal /sitios /supresiones'
    assert.deepEqual(await emptyOf(staff, '/consola', console), [])
  })

  it('200, 404: the cars have drawn photos, and we serve copies of them as of other photos', async () => {
    const [car] = await server.store.query<{ id: number; fotos: string[] }>(
      sql`select id, fotos from publicaciones where estado = 'Activa' limit 1`,
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

  it('--vivo: inquiries arrive and are delivered to a receiver here until the signal; then the webhooks are as before', async () => {
    const demo = await findDemo(server.store)
    assert.ok(demo)
    const webhooks = () =>
      server.store.query(sql`
        select w.topic, w.callback, w.private_callbacks, w.failures from webhooks w where app_id = ${demo.apps[0]} order by 1`)
    const before = await webhooks()
    const stop = new AbortController()
    const lines: string[] = []
    const say = (line: string) => {
      lines.push(line)
      if (lines.filter((each) => each === 'delivery  200').length >= 3) stop.abort()
    }
    const config = { ...server.config, publicUrl: server.url }
    await keepMoving(server, {
      config,
      demo,
      say,
      signal: stop.signal,
      paceMs: 100,
      failures: { refused: 0, outage: 0 },
    })
    assert.ok(lines.filter((line) => line.startsWith('inquiry')).length >= 3, lines.join('\n'))
    assert.deepEqual(await webhooks(), before)
  })
})
