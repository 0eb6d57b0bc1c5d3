import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { answerRegistration } from '../../tests/support/authenticator.ts'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { untilBlocked } from '../../tests/support/until-blocked.ts'
import { createPasskeys } from '../accounts/passkeys.ts'
import { offerSetup, removeTotp, secondFactorOf, setUp } from '../accounts/second-factor.ts'
import { endSessions, ensureAccount } from '../accounts/store.ts'
import { defaultBrand } from '../brand/brand.ts'
import { createSeal } from '../store/sealed.ts'
import { addPasskey, lockOwnAccount, securePhone } from './credentials.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const publicUrl = 'https://rodado.test'

describe('the second factor of an account', () => {
  const seal = createSeal(Buffer.alloc(32, 7))
  const clock = () => NOW
  const passkeys = createPasskeys({ publicUrl, nameOf: () => 'Rodado', seal, clock })
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())
  const depsOf = ({ store }: TestDatabase) => ({
    store,
    seal,
    clock,
    passkeys,
    config: { publicUrl, brand: defaultBrand({ publicUrl }) },
  })

  const accountOf = (name: string) => ensureAccount(database.store, 'produccion', `${name}@rodado.test`)
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: NOW.getTime() })

  it('a passkey that is added while the phone is removed comes with recovery codes', async () => {
    const { store } = database
    const account = await accountOf('llave')
    const offered = { ...account, session: 'one' }
    await setUp(store, seal, offered, codeOf(offerSetup(seal, offered).secret), NOW)
    const answer = answerRegistration(await passkeys.offerRegistration(store, account), publicUrl)
    let adding: ReturnType<typeof addPasskey> | undefined
    await store.transaction(async (tx) => {
      await lockOwnAccount(tx, account)
      await removeTotp(tx, account.id)
      adding = addPasskey(depsOf(database), account, answer, 'Notebook')
      await Promise.race([adding, untilBlocked(store)])
    })
    assert.equal((await adding)?.codes?.length, 10)
    assert.deepEqual(await secondFactorOf(store, account.id), { totp: false, passkeys: 1, recovery: 10 })
  })

  it('409: a session that has ended adds neither a phone nor a passkey', async () => {
    const { store } = database
    const account = await accountOf('cerrada')
    const offered = { ...account, session: 'one' }
    const { secret } = offerSetup(seal, offered)
    const answer = answerRegistration(await passkeys.offerRegistration(store, account), publicUrl)
    await endSessions(store, account.id)
    const deps = depsOf(database)
    await assert.rejects(securePhone(deps, account, offered.session, codeOf(secret)), { status: 409 })
    await assert.rejects(addPasskey(deps, account, answer, 'Notebook'), { status: 409 })
    assert.deepEqual(await secondFactorOf(store, account.id), { totp: false, passkeys: 0, recovery: 0 })
  })
})
