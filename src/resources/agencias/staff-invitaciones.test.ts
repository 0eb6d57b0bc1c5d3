import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, newMail } from '../../../tests/support/agencia.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { untilBlocked } from '../../../tests/support/until-blocked.ts'
import { resendInvitacion, revokeOpenInvitacion } from './staff-invitaciones.ts'

describe('the invitations of all apps', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())

  it('an invitation that is revoked while it is sent again stays revoked', async () => {
    const deps = depsOf(server)
    const { client } = await server.newApp()
    const mail = newMail()
    await client.invitarAgencia({ AdminMail: mail })
    const stored = () =>
      server.store.query<{ id: number; estado: string }>(sql`
        select id, estado from invitaciones where admin_mail = ${mail}`)
    const [{ id } = { id: 0 }] = await stored()
    let resending: Promise<boolean> | undefined
    await server.store.transaction(async (tx) => {
      assert.equal(await revokeOpenInvitacion({ ...deps, store: tx }, id), true)
      resending = resendInvitacion(deps, id)
      await untilBlocked(server.store)
    })
    assert.equal(await resending, false)
    assert.deepEqual(await stored(), [{ id, estado: 'revocada' }])
  })
})
