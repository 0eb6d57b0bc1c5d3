import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia, newMail } from '../support/agencia.ts'
import type { Answer } from '../support/caller.ts'
import { makeDeveloper } from '../support/developer.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { steppingClock } from '../support/stepping-clock.ts'
import { makeAccount, type Visitor, visitor } from '../support/visitor.ts'
import { EXPECTED } from './expectations.ts'
import { FILLED } from './forms.ts'
import { createUsers, type Users } from './users.ts'

const ROUTES = [...EXPECTED.keys()].filter((route) => /^(GET|POST) \/(cuenta|portal|consola)(\/|$)/.test(route))
/** All that is the staff's, and whatever names something which is somebody's. */
const THEIRS = ROUTES.filter((route) => route.includes(' /consola') || /:(appKey|id|sid)/.test(route))

describe('isolation: people of another agency and of another app', () => {
  let server: TestServer
  let cast: Users
  /** They have the same roles as those whose things these are. */
  let strangers: Record<'agency' | 'vendedor' | 'developer' | 'desarrollador', Visitor>
  before(async () => {
    server = await startServer({ nowMs: steppingClock() })
    cast = await createUsers(server, await server.newApp())
    const theirs = await server.newApp()
    const { account, agencia } = await makeAgencia(depsOf(server), theirs.app)
    const helper = await makeAccount(server, { email: newMail('ayuda') })
    await server.store.query(sql`insert into operadores values (${agencia.id}, ${helper.id}, 'vendedor')`)
    strangers = {
      agency: await visitor(server).enter(account.email),
      vendedor: await visitor(server).enter(helper.email),
      developer: (await makeDeveloper(server, theirs)).visitor,
      desarrollador: (await makeDeveloper(server, theirs, { rol: 'desarrollador' })).visitor,
    }
  })
  after(() => server.stop())

  const ask = (who: Visitor, route: string, path: string): Promise<Answer> =>
    route.startsWith('GET') ? who.get(path) : who.post(path, FILLED[route.split(' ')[1] ?? ''] ?? {})

  /** An answer without what must differ: the request's id, and the address that was asked for. */
  const masked = ({ status, headers, text }: Answer, path: string): string =>
    [
      status,
      headers.location?.replaceAll(encodeURIComponent(path), '‹path›').replaceAll(path, '‹path›'),
      headers['content-type'],
      text.replaceAll(path, '‹path›'),
    ].join('\n')

  it('there are pages and forms to look at', () => assert.ok(THEIRS.length > 60, String(THEIRS.length)))

  it('303: one of the staff who has not shown the second factor gets no page and has no form taken', async () => {
    for (const route of ROUTES) {
      const { status, headers } = await ask(cast.visitors.halfway, route, cast.pathOf(route.split(' ')[1] ?? ''))
      assert.deepEqual([status, headers.location?.split('?')[0]], [303, '/entrar/codigo'], route)
    }
  })

  for (const route of THEIRS) {
    const url = route.split(' ')[1] ?? ''
    it(`404 ${route}: to the people of another agency and of another app, as if it were not there`, async () => {
      for (const [role, stranger] of Object.entries(strangers)) {
        const [path, absent] = [cast.pathOf(url), cast.absentOf(url)]
        const answer = await ask(stranger, route, path)
        // What only an administrator does is refused to whoever is none before anything is looked for.
        const expected = role !== 'agency' && url.startsWith('/cuenta/') ? [403, 404] : [404]
        assert.ok(expected.includes(answer.status), `${role}: ${answer.status} ${answer.headers.location ?? ''}`)
        assert.equal(masked(answer, path), masked(await ask(stranger, route, absent), absent), role)
      }
    })
  }
})
