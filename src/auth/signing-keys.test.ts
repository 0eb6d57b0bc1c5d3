import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import pino from 'pino'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { until } from '../../tests/support/until.ts'
import { openStore } from '../store/db.ts'
import { type Listener, openListener } from '../store/listener.ts'
import { createSeal } from '../store/sealed.ts'
import { openSigningKeys, rotateSigningKey, type SigningKeys } from './signing-keys.ts'
import { createTokens, type Tokens } from './token.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe('keys that sign tokens', () => {
  const seal = createSeal(Buffer.alloc(32, 1))
  let database: TestDatabase
  let listener: Listener
  let keys: SigningKeys
  let tokens: Tokens
  let passedMs = 0
  before(async () => {
    database = await createDatabase()
    const { connection, store } = database
    listener = openListener({ connection, log: pino({ level: 'silent' }) })
    keys = await openSigningKeys(store, seal, listener, () => performance.now() + passedMs)
    // The clock of the tokens stays, so that only their key can end them.
    tokens = createTokens(keys, 'http://rodado.test', () => new Date('2026-03-09T12:00:00Z'))
  })
  after(async () => {
    keys.close()
    await listener.close()
    await database.drop()
  })
  const kids = () => keys.published().map(({ kid }) => kid)
  const issue = async () => {
    const token = await tokens.issue('app', 1)
    return { token, kid: decodeProtectedHeader(token).kid }
  }

  it('rotated: the new key is published first, signs ten minutes later, and the former verifies for an hour more', async () => {
    const former = await issue()
    const [created] = await rotateSigningKey(database.store, seal, false)
    await until(() => kids().length === 2)
    assert.deepEqual(kids(), [created?.kid, former.kid])
    assert.equal((await issue()).kid, former.kid, 'verifiers may not know the new one yet')

    passedMs = 11 * MINUTE_MS
    const next = await issue()
    assert.equal(next.kid, created?.kid)
    for (const { token } of [former, next]) assert.equal((await tokens.verify(token))?.appKey, 'app')
    assert.equal(kids().length, 2)

    passedMs += HOUR_MS
    assert.deepEqual(kids(), [created?.kid])
    assert.equal(await tokens.verify(former.token), undefined)
    assert.equal((await tokens.verify(next.token))?.appKey, 'app')
    passedMs = 0
  })

  it('revoked while the table cannot be read: read again until it can, without another notification', async (t) => {
    let failed = 0
    const observe = () => (error?: unknown) => {
      if (error) failed++
    }
    const store = openStore({ connection: database.connection, max: 1, lockTimeoutMs: 50, observe })
    t.after(() => store.close())
    let notify: (payload: string) => void = () => undefined
    const silent = { on: (_: string, heard: typeof notify) => void (notify = heard), onGap: () => undefined }
    const own = await openSigningKeys(store, seal, silent)
    t.after(own.close)
    const [created] = await rotateSigningKey(database.store, seal, true)
    await database.store.transaction(async (tx) => {
      await tx.query(sql`lock table signing_keys in access exclusive mode`)
      notify('')
      await until(() => failed > 0)
    })
    await until(() => own.published()[0]?.kid === created?.kid)
  })

  it('revoked while the listener reaches no database: read by way of the pool', async (t) => {
    const { connection, store } = database
    const direct = { host: '/nonexistent', user: 'u', database: 'd' }
    const disconnected = openListener({ connection, direct, log: pino({ level: 'silent' }) })
    t.after(() => disconnected.close())
    const own = await openSigningKeys(store, seal, disconnected)
    t.after(own.close)
    const [created] = await rotateSigningKey(store, seal, true)
    await until(() => own.published()[0]?.kid === created?.kid)
  })

  it('revoked: the new key signs at once, and tokens of all former ones are refused, also those seen before', async () => {
    const former = await issue()
    assert.ok(await tokens.verify(former.token))
    const [created, ...others] = await rotateSigningKey(database.store, seal, true)
    assert.deepEqual(others, [])
    await until(async () => (await tokens.verify(former.token)) === undefined)
    assert.deepEqual(kids(), [created?.kid])
    assert.equal((await issue()).kid, created?.kid)
  })
})
