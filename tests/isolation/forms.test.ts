import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openJournal } from '../../fuzz/journal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { steppingClock } from '../support/stepping-clock.ts'
import { FILLED, FORMS, THEIRS } from './forms.ts'
import { ROLES } from './pages.ts'
import { createUsers, type Users } from './users.ts'

describe('isolation: every form as every role', () => {
  let server: TestServer
  let users: Users
  let journal: Awaited<ReturnType<typeof openJournal>>

  before(async () => {
    server = await startServer({ nowMs: steppingClock() })
    users = await createUsers(server, await server.newApp())
    journal = await openJournal(server.store)
  })
  after(() => server.stop())

  it('the table has every form and no other', () => {
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
        const answer = await users.visitors[role].post(users.pathOf(url), FILLED[url] ?? {})
        assert.deepEqual([users.summaryOf(answer), await journal.take()], [expected[role], []], role)
      }
    })
  }

  it('the journal records a change of the own name', async () => {
    const { status } = await users.visitors.staff.post('/cuenta/nombre', { Nombre: 'Otra', Apellido: 'Paz' })
    assert.deepEqual([status, await journal.take()], [303, ['accounts']])
  })
})
