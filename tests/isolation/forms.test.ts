import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openJournal } from '../../fuzz/journal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { steppingClock } from '../support/stepping-clock.ts'
import { FILLED, FORMS, THEIRS } from './forms.ts'
import { ROLES } from './pages.ts'
import { createUsers, type Users } from './users.ts'

describe('isolation: every form, by the role of who sends it', () => {
  let server: TestServer
  let cast: Users
  let journal: Awaited<ReturnType<typeof openJournal>>

  before(async () => {
    server = await startServer({ nowMs: steppingClock() })
    cast = await createUsers(server, await server.newApp())
    journal = await openJournal(server.store)
  })
  after(() => server.stop())

  it('every form has a line, and every line a form', () => {
    const declared = server.routes
      .filter(({ method, url }) => method === 'POST' && !/^\/(v3|interno|oauth)\//.test(url))
      .map(({ url }) => url)
    assert.deepEqual(declared.sort(), [...FORMS.keys()].sort())
  })

  for (const [url, expected] of FORMS) {
    const others = ROLES.filter((role) => expected[role] !== THEIRS)
    if (others.length === 0) continue
    it(`POST ${url}: refused to ${others.join(', ')}, and nothing is changed`, async () => {
      for (const role of others) {
        const answer = await cast.visitors[role].post(cast.pathOf(url), FILLED[url] ?? {})
        assert.deepEqual([cast.told(answer), await journal.take()], [expected[role], []], role)
      }
    })
  }

  it('the journal these are judged by does note a change: one’s own name', async () => {
    const { status } = await cast.visitors.staff.post('/cuenta/nombre', { Nombre: 'Otra', Apellido: 'Paz' })
    assert.deepEqual([status, await journal.take()], [303, ['accounts']])
  })
})
