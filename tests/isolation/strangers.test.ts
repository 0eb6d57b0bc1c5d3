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
/** Pages of the staff, and pages that name a record. */
const THEIRS = ROUTES.filter((route) => route.includes(' /consola') || /:(appKey|id|sid)/.test(route))

describe('isolation: members of another agency and of another app', () => {
  let server: TestServer
  let users: Users
  /** In the roles that the owners have. */
  let strangers: Record<'agency' | 'vendedor' | 'developer' | 'desarrollador', Visitor>
  before(async () => {
    server = await startServer({ nowMs: steppingClock() })
    users = await createUsers(server, await server.newApp())
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

  /** The response without request id and requested path. */
  const masked = ({ status, headers, text }: Answer, path: string): string =>
    [
      status,
      headers.location?.replaceAll(encodeURIComponent(path), '‹path›').replaceAll(path, '‹path›'),
      headers['content-type'],
      text.replaceAll(path, '‹path›'),
    ].join('\n')

  it('there are pages and forms to compare', () => assert.ok(THEIRS.length > 60, String(THEIRS.length)))

  it('303: staff without a second factor can open no page and send no form', async () => {
    for (const route of ROUTES) {
      const { status, headers } = await ask(users.visitors.passwordOnly, route, users.pathOf(route.split(' ')[1] ?? ''))
      assert.deepEqual([status, headers.location?.split('?')[0]], [303, '/entrar/codigo'], route)
    }
  })

  for (const route of THEIRS) {
    const url = route.split(' ')[1] ?? ''
    it(`404 ${route}: for members of another agency or app, as for an absent record`, async () => {
      for (const [role, stranger] of Object.entries(strangers)) {
        const [path, absent] = [users.pathOf(url), users.absentOf(url)]
        const answer = await ask(stranger, route, path)
        // What needs an administrator is refused to others before any lookup.
        const expected = role !== 'agency' && url.startsWith('/cuenta/') ? [403, 404] : [404]
        assert.ok(expected.includes(answer.status), `${role}: ${answer.status} ${answer.headers.location ?? ''}`)
        assert.equal(masked(answer, path), masked(await ask(stranger, route, absent), absent), role)
      }
    })
  }
})
