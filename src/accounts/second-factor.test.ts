import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { createSeal } from '../store/sealed.ts'
import {
  type Offered,
  offerSetup,
  removeTotp,
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactorOf,
  setUp,
  showCode,
  useRecoveryCode,
} from './second-factor.ts'
import { addStaff, removeStaff } from './staff.ts'
import { ensureAccount, findAccountById } from './store.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const later = (steps: number) => new Date(NOW.getTime() + steps * 30_000)

describe('the second factor', () => {
  let database: TestDatabase
  const seal = createSeal(Buffer.alloc(32, 7))
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())
  const db = () => database.store
  let made = 0

  async function somebody(): Promise<Offered> {
    const account = await ensureAccount(db(), 'produccion', `sol${++made}@rodado.test`)
    await addStaff(db(), account.id)
    return { ...account, version: account.version + 1, session: 'one' }
  }

  const codeOf = (secret: string, at: Date) =>
    new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: at.getTime() })

  async function secured() {
    const account = await somebody()
    const { secret } = offerSetup(seal, account)
    const recovery = await setUp(db(), seal, account, codeOf(secret, NOW), NOW)
    assert.ok(recovery)
    return { account, recovery, code: (at: Date) => codeOf(secret, at) }
  }

  it('a code of six signs that are no digits is a wrong one, whatever bytes it has', async () => {
    const { account } = await secured()
    for (const code of ['\u1e5c\u2dbc\ua6ed\u1873\u{13301}', 'ññññññ', '', '٣٣٣٣٣٣', '12345', '1234567'])
      assert.equal(await showCode(db(), seal, account.id, code, NOW), false, code)
  })

  it('is what RFC 6238 says, and offered as telephones read it', async () => {
    const account = await somebody()
    const { secret, uri } = offerSetup(seal, account, 'Autos: del Ñandú & Cía')
    assert.match(secret, /^[A-Z2-7]{32}$/)
    const read = new URL(uri)
    assert.deepEqual(
      [read.protocol, read.host, read.searchParams.get('secret'), read.searchParams.get('issuer')],
      ['otpauth:', 'totp', secret, 'Autos del Ñandú & Cía'],
    )
    assert.ok(decodeURIComponent(uri).includes(account.email))
    // RFC 6238, appendix B, the last six of eight digits.
    const vector = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    assert.equal(codeOf(vector, new Date(59_000)), '287082')
  })

  it('the offer is the same until the account changes, and no other account or session has it', async () => {
    const [one, two] = [await somebody(), await somebody()]
    assert.deepEqual(offerSetup(seal, one), offerSetup(seal, one))
    assert.notEqual(offerSetup(seal, one).secret, offerSetup(seal, two).secret)
    assert.notEqual(offerSetup(seal, one).secret, offerSetup(seal, { ...one, version: one.version + 1 }).secret)
    assert.notEqual(offerSetup(seal, one).secret, offerSetup(seal, { ...one, session: 'two' }).secret)
  })

  it('is set up with a code of it, and gives ten different recovery codes', async () => {
    const account = await somebody()
    const { secret } = offerSetup(seal, account)
    assert.equal(await setUp(db(), seal, account, '000000', NOW), undefined)
    assert.deepEqual(await secondFactorOf(db(), account.id), { totp: false, passkeys: 0, recovery: 0 })
    const codes = await setUp(db(), seal, account, codeOf(secret, NOW), NOW)
    assert.equal(new Set(codes).size, 10)
    for (const code of codes ?? []) assert.match(code, /^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    assert.deepEqual(await secondFactorOf(db(), account.id), { totp: true, passkeys: 0, recovery: 10 })
  })

  it('the database holds neither the secret nor a recovery code, and a row’s secret opens in no other row', async () => {
    const [one, two] = [await secured(), await secured()]
    const [row] = await db().query<{ all: string; sealed: Buffer }>(
      sql`select s::text as all, sealed_totp as sealed from second_factors s where account_id = ${one.account.id}`,
    )
    assert.ok(!row?.all.includes(offerSetup(seal, one.account).secret))
    assert.ok(!row?.all.includes(one.recovery[0] as string))
    await db().query(sql`update second_factors set sealed_totp = ${row?.sealed} where account_id = ${two.account.id}`)
    await assert.rejects(showCode(db(), seal, two.account.id, one.code(later(1)), later(1)))
  })

  it('a code is good once, also for two who show it at the same moment, and never one of an earlier step', async () => {
    const { account, code } = await secured()
    assert.equal(await showCode(db(), seal, account.id, code(NOW), NOW), false, 'the one that set it up')
    const both = await Promise.all([1, 2].map(() => showCode(db(), seal, account.id, code(later(1)), later(1))))
    assert.deepEqual(both.sort(), [false, true])
    assert.equal(await showCode(db(), seal, account.id, code(NOW), later(1)), false)
  })

  it('a clock that is one step off is understood, one that is two off is not', async () => {
    const { account, code } = await secured()
    assert.equal(await showCode(db(), seal, account.id, code(later(8)), later(10)), false)
    assert.equal(await showCode(db(), seal, account.id, code(later(12)), later(10)), false)
    assert.equal(await showCode(db(), seal, account.id, code(later(9)), later(10)), true)
    assert.equal(
      await showCode(db(), seal, account.id, `${code(later(11)).slice(0, 3)} ${code(later(11)).slice(3)}`, later(10)),
      true,
    )
  })

  it('a recovery code is good once and for its owner alone, however it is typed', async () => {
    const [one, two] = [await secured(), await secured()]
    const [first = '', second = ''] = one.recovery
    assert.equal(await useRecoveryCode(db(), seal, two.account.id, first), false)
    const typed = first.toUpperCase().replaceAll('-', ' ')
    const both = await Promise.all([1, 2].map(() => useRecoveryCode(db(), seal, one.account.id, typed)))
    assert.deepEqual(both.sort(), [false, true])
    assert.deepEqual(await secondFactorOf(db(), one.account.id), { totp: true, passkeys: 0, recovery: 9 })
    const renewed = await renewRecoveryCodes(db(), seal, one.account.id)
    assert.equal(await useRecoveryCode(db(), seal, one.account.id, second), false)
    assert.equal(await useRecoveryCode(db(), seal, one.account.id, renewed[0] as string), true)
  })

  it('once reset, nothing of it is good, sessions end, and another secret is offered', async () => {
    const { account, code, recovery } = await secured()
    await db().query(sql`update staff set sealed_totp = '\\x01' where account_id = ${account.id}`)
    assert.equal(await resetSecondFactor(db(), account.id), true)
    const former = await db().query(sql`select sealed_totp from staff where account_id = ${account.id}`)
    assert.deepEqual(former, [{ sealed_totp: null }], 'what a node of the previous version reads')
    assert.equal(await resetSecondFactor(db(), account.id), false)
    assert.equal(await showCode(db(), seal, account.id, code(later(1)), later(1)), false)
    assert.equal(await useRecoveryCode(db(), seal, account.id, recovery[0] as string), false)
    const after = await findAccountById(db(), account.id)
    assert.equal(after?.version, account.version + 1)
    assert.ok(after && offerSetup(seal, { ...account, ...after }).secret !== offerSetup(seal, account).secret)
  })

  it('a removed phone takes the recovery codes with it, where there is no passkey', async () => {
    const { account, code } = await secured()
    assert.equal((await findAccountById(db(), account.id))?.secured, true)
    assert.equal(await db().transaction((tx) => removeTotp(tx, account.id)), true)
    assert.equal(await showCode(db(), seal, account.id, code(later(1)), later(1)), false)
    assert.deepEqual(await secondFactorOf(db(), account.id), { totp: false, passkeys: 0, recovery: 0 })
    assert.equal((await findAccountById(db(), account.id))?.secured, false)
  })

  it('leaving the staff and coming back ends sessions and keeps the second factor', async () => {
    const { account, code } = await secured()
    await secured() // somebody has to stay
    assert.equal(await db().transaction((tx) => removeStaff(tx, account.id)), true)
    await addStaff(db(), account.id)
    assert.equal(await showCode(db(), seal, account.id, code(later(1)), later(1)), true)
    const { version } = (await findAccountById(db(), account.id)) ?? assert.fail()
    assert.equal(version, account.version + 2, 'sessions ended when they left, and when they came back')
    await addStaff(db(), account.id)
    assert.equal((await findAccountById(db(), account.id))?.version, version, 'sessions stay open')
  })
})
