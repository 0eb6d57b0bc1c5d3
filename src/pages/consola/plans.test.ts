import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { listAudit } from '../../accounts/audit.ts'
import { countFailedEmails, listEmails } from '../../mail/mail-log.ts'
import { listPublicacionesForStaff } from '../../resources/publicaciones/staff.ts'
import type { Db } from '../../store/db.ts'

describe('what is rare among very many is found by an index', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
    await server.store.query(sql`
      insert into audit_log (via, act) select case when n = 1 then 'comando' else 'agencia' end, 'consulta.leer'
      from generate_series(1, 20000) n`)
    await server.store.query(sql`analyze audit_log`)
  })
  after(() => server.stop())

  /** How PostgreSQL goes about the statement that a list is read with. */
  async function planOf(read: (db: Db) => Promise<unknown>): Promise<string> {
    let plan = ''
    await read({
      ...server.store,
      async query(statement) {
        const lines = await server.store.query<Record<string, string>>(sql`explain ${statement}`)
        plan += lines.map((line) => line['QUERY PLAN']).join('\n')
        return []
      },
    })
    return plan
  }

  it('acts of the audit log, by where they were done', async () => {
    assert.match(await planOf((db) => listAudit(db, { via: 'comando' }, { limit: 25 })), /audit_log_via/)
  })

  it('listings under an ExternalId, whatever the agency', async () => {
    const plan = await planOf((db) => listPublicacionesForStaff(db, { externalId: 'A-1' }, { limit: 25 }))
    assert.match(plan, /publicaciones_external_id/)
  })

  it('emails that failed, or were stored for want of a mail server', async () => {
    for (const [estado, index] of Object.entries({
      fallida: /mails_failed.*mails_receipt_unsent/s,
      guardada: /mails_kept.*mails_receipt_unsent/s,
    })) {
      const plan = await planOf((db) => listEmails(db, { estado: estado as 'fallida' }, { limit: 25 }))
      assert.match(plan, index)
    }
  })

  it('emails that failed lately, among all that failed', async () => {
    await server.store.query(sql`
      insert into mails (kind, to_address, sealed, estado, settled_at,
        receipt_id, receipt_to, receipt_due_at, receipt_estado, receipt_settled_at)
      select 'consulta', 'ana@agencia.test', '', 'fallida', at, n, 'eva@example.com', at, 'fallida', at
      from generate_series(1, 20000) n, lateral (select now() - make_interval(days => n / 100) as at) as settled`)
    await server.store.query(sql`analyze mails`)
    const plan = await planOf((db) => countFailedEmails(db, 7))
    assert.match(plan, /mails_failed_at.*mails_receipt_failed_at/s)
  })
})
