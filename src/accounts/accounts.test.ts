import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { CHEAP } from '../../tests/support/cheap-passwords.ts'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { createSeal } from '../store/sealed.ts'
import { endLinks, newLink, readLink, useLink } from './links.ts'
import { createPasskeys } from './passkeys.ts'
import { COST, checkPassword, hashPassword, isPasswordOf, passwordFault, setPasswordCost } from './password.ts'
import { createAccount, endSessions, ensureAccount, findAccount, findAccountById, setPassword } from './store.ts'

const ANA = { modo: 'produccion', email: 'Ana@Agencia.test', nombre: 'Ana', apellido: 'Paz' } as const

describe('accounts', () => {
  let database: TestDatabase
  let hash: string
  before(async () => {
    setPasswordCost(COST)
    ;[database, hash] = await Promise.all([createDatabase(), hashPassword('una frase larga')])
  })
  after(() => {
    setPasswordCost(CHEAP)
    return database.drop()
  })
  const db = () => database.store

  const ana = async () =>
    (await createAccount(db(), { ...ANA, passwordHash: hash })) ?? (await findAccount(db(), 'produccion', ANA.email))

  it('one mail is one account in each mode, without case', async () => {
    const account = await ana()
    assert.ok(account?.hasPassword)
    assert.equal(account.email, 'ana@agencia.test')
    assert.equal(await createAccount(db(), { ...ANA, passwordHash: hash }), undefined)
    const other = await createAccount(db(), {
      ...ANA,
      modo: 'prueba',
      passwordHash: await hashPassword('otra frase larga'),
    })
    assert.notEqual(other?.id, account.id)
    assert.equal((await findAccount(db(), 'prueba', 'ANA@agencia.test'))?.id, other?.id)
  })

  it('two that register one mail at once: one is made', async () => {
    const twin = { ...ANA, email: 'twin@agencia.test', passwordHash: hash }
    const made = await Promise.all([createAccount(db(), twin), createAccount(db(), twin), createAccount(db(), twin)])
    assert.equal(made.filter(Boolean).length, 1)
  })

  it('an account that was only invited has no password, opens to nobody, and is completed when the person comes', async () => {
    const invited = await ensureAccount(db(), 'produccion', 'Luz@agencia.test')
    assert.equal(invited.hasPassword, false)
    assert.equal((await ensureAccount(db(), 'produccion', 'luz@agencia.test')).id, invited.id)
    assert.equal(await checkPassword(db(), 'luz@agencia.test', 'there is nobody here'), undefined)
    assert.equal(await isPasswordOf(db(), invited, 'there is nobody here'), false)
    const made = await createAccount(db(), { ...ANA, email: 'luz@agencia.test', passwordHash: hash })
    assert.deepEqual([made?.id, made?.hasPassword, made?.nombre], [invited.id, true, 'Ana'])
  })

  it('the password decides between production and test; what is the same in both opens the one preferred', async () => {
    await ana()
    const email = 'dos@agencia.test'
    await createAccount(db(), { ...ANA, email, passwordHash: hash })
    await createAccount(db(), { ...ANA, email, modo: 'prueba', passwordHash: await hashPassword('clave de prueba') })
    assert.equal((await checkPassword(db(), email, 'una frase larga'))?.modo, 'produccion')
    assert.equal((await checkPassword(db(), ' DOS@agencia.test ', 'clave de prueba'))?.modo, 'prueba')
    assert.equal(await checkPassword(db(), email, 'ninguna de las dos'), undefined)
    const test = await findAccount(db(), 'prueba', email)
    await setPassword(db(), test?.id ?? 0, hash)
    assert.equal((await checkPassword(db(), email, 'una frase larga'))?.modo, 'produccion')
    assert.equal((await checkPassword(db(), email, 'una frase larga', 'prueba'))?.modo, 'prueba')
  })

  it('a password is Argon2id, never kept as it is, and the same however its letters were composed', async () => {
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const email = 'tilde@agencia.test'
    await createAccount(db(), { ...ANA, email, passwordHash: await hashPassword('camión de carga') })
    assert.ok(await checkPassword(db(), email, 'camión de carga'.normalize('NFD')))
    const [row] = await db().query<{ all: string }>(sql`select string_agg(a::text, ' ') as all from accounts a`)
    assert.ok(!row?.all.includes('camión'))
  })

  it('a password is normalised once, and not at all where it is too long to be one', async (context) => {
    const normalized = context.mock.method(String.prototype, 'normalize')
    const called = async (act: () => unknown) => {
      normalized.mock.resetCalls()
      return [await act(), normalized.mock.callCount()]
    }
    const account = await findAccount(db(), 'produccion', 'tilde@agencia.test')
    assert.ok(account)
    const long = '\u0301\u0327'.repeat(401)
    assert.deepEqual(await called(() => passwordFault(long)), ['La contraseña puede tener hasta 200 caracteres.', 0])
    assert.deepEqual(await called(() => checkPassword(db(), account.email, long)), [undefined, 0])
    assert.deepEqual(await called(() => isPasswordOf(db(), account, long)), [false, 0])
    assert.deepEqual(await called(() => passwordFault('camión de carga')), [undefined, 1])
    assert.equal((await called(() => checkPassword(db(), account.email, 'camión')))[1], 1)
  })

  it('a new password and "cerrar todas" raise the version', async () => {
    const account = await ana()
    const id = account?.id ?? 0
    const before = (await findAccountById(db(), id))?.version ?? 0
    assert.equal((await setPassword(db(), id, hash)).version, before + 1)
    assert.equal((await endSessions(db(), id)).version, before + 2)
  })

  it('a chosen password is long, and neither the mail nor what everyone tries', () => {
    for (const good of ['una frase larga', '#%&*@!?^~+=-)', '#%&*@!?^~+=-)a', '1234#%&*@!?^'])
      assert.equal(passwordFault(good, 'ana@agencia.test'), undefined, good)
    for (const bad of [
      '!?!?!?!?!?!?',
      '--12345678--',
      'corta',
      '1234567890',
      'aaaaaaaaaaaa',
      'aaaaaaaaaa!?.',
      'contraseña123',
      'qwertyuiop',
      'x'.repeat(201),
      'ana@agencia.test',
    ])
      assert.ok(passwordFault(bad, 'ana@agencia.test'), bad)
  })

  it('an answer of a passkey that cannot be stored is none', async () => {
    const passkeys = createPasskeys({
      publicUrl: 'https://rodado.test',
      nameOf: () => 'Rodado',
      seal: createSeal(randomBytes(32)),
      clock: () => new Date(),
    })
    for (const id of ['\0', 'é', '', 1, null, ['a']]) {
      const { token } = await passkeys.offerSignIn(db())
      assert.equal(await passkeys.check(db(), { token, response: JSON.stringify({ id }) }), undefined)
    }
  })

  describe('one-time links', () => {
    it('is read as often as one likes and used once, also by ten at the same moment', async () => {
      const accountId = (await ana())?.id ?? 0
      const token = await newLink(db(), { purpose: 'clave', accountId, hours: 1 })
      assert.match(token, /^[\w-]{43}$/)
      assert.equal((await readLink(db(), token, 'clave'))?.state, 'open')
      assert.equal((await readLink(db(), token, 'clave'))?.state, 'open')
      const used = await Promise.all(Array.from({ length: 10 }, () => useLink(db(), token, 'clave')))
      assert.equal(used.filter(Boolean).length, 1)
      assert.equal((await readLink(db(), token, 'clave'))?.state, 'used')
    })

    it('is good for its purpose and its time only, and its token is not in the database', async () => {
      const accountId = (await ana())?.id ?? 0
      const token = await newLink(db(), { purpose: 'clave', accountId, hours: 1 })
      assert.equal(await readLink(db(), token, 'colaborar'), undefined)
      assert.equal(await useLink(db(), token, 'colaborar'), undefined)
      const past = await newLink(db(), { purpose: 'clave', accountId, hours: -1 })
      assert.equal((await readLink(db(), past, 'clave'))?.state, 'expired')
      assert.equal(await useLink(db(), past, 'clave'), undefined)
      assert.equal(await readLink(db(), 'unknown', 'clave'), undefined)
      const [row] = await db().query<{ all: string }>(sql`select string_agg(l::text, ' ') as all from account_links l`)
      assert.ok(!row?.all.includes(token))
    })

    it('ends with the others of its account when one of them has done its work', async () => {
      const accountId = (await ana())?.id ?? 0
      const [one, two] = [
        await newLink(db(), { purpose: 'clave', accountId, hours: 1 }),
        await newLink(db(), { purpose: 'clave', accountId, hours: 1 }),
      ]
      assert.ok(await useLink(db(), one, 'clave'))
      await endLinks(db(), { accountId, purpose: 'clave' })
      assert.equal(await useLink(db(), two, 'clave'), undefined)
    })
  })

  it('a password of the shipped list of common ones is refused, in upper case too', () => {
    for (const common of ['riverplate', 'Teamo123', 'argentina1', '1q2w3e4r5t'])
      assert.match(passwordFault(common) ?? '', /es muy común/, common)
    assert.equal(passwordFault('riverplate es mi cuadro'), undefined)
  })
})
