import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { makeAccount, PASSWORD, visitor } from '../../../tests/support/visitor.ts'
import { newLink } from '../../accounts/links.ts'
import { firstStaffToken, listStaff } from '../../accounts/staff.ts'
import { ensureAccount } from '../../accounts/store.ts'

const FORM = { Email: 'Primera@Mercado.test', Nombre: 'Sol', Apellido: 'Vega', Clave: PASSWORD }

describe('joining the staff', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())

  it('303: the first link makes the first account, once; every other first link ends with it', async () => {
    const tokens = [await firstStaffToken(server.store), await firstStaffToken(server.store)]
    const [token, another] = tokens.map((each) => `/personal/${each}`) as [string, string]
    const [one, two] = [visitor(server), visitor(server)]
    const page = await one.get(token)
    assert.ok(page.status === 200 && page.text.includes('Cree su cuenta'))
    const wrong = await one.post(token, { ...FORM, Email: 'no', Apellido: '', Clave: 'corta' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /Hay 3 datos que corregir/)
    const both = await Promise.all([
      one.post(token, FORM),
      two.post(another, { ...FORM, Email: 'segunda@mercado.test' }),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), [303, 410])
    assert.equal(both.find(({ status }) => status === 303)?.headers.location, '/entrar/codigo')
    assert.equal((await listStaff(server.store)).length, 1)
    const winner = both[0].status === 303 ? one : two
    assert.match((await winner.get('/entrar/codigo')).text, /Proteja su cuenta/)
    for (const path of [token, another]) assert.equal((await visitor(server).get(path)).status, 410)
    assert.equal(await firstStaffToken(server.store), undefined)
  })

  it('303: the invited person chooses a name and a password, for that address alone', async () => {
    await makeStaff(server)
    const { id } = await ensureAccount(server.store, 'produccion', 'invitada@mercado.test')
    const path = `/personal/${await newLink(server.store, { purpose: 'personal', accountId: id, hours: 1 })}`
    assert.match((await visitor(server).get(path)).text, /invitada@mercado\.test/)
    const { status } = await visitor(server).post(path, { ...FORM, Email: 'other@mercado.test' })
    assert.equal(status, 303)
    const staff = await listStaff(server.store)
    assert.ok(staff.some(({ email }) => email === 'invitada@mercado.test'))
    assert.ok(!staff.some(({ email }) => email === 'other@mercado.test'))
  })

  it('303: old sessions of the person who joins end, and nobody but the session that joined is shown its secret', async () => {
    const email = 'copiada@mercado.test'
    const account = await makeAccount(server, { email })
    const [owner, copied] = [await visitor(server).enter(email), await visitor(server).enter(email)]
    const token = await newLink(server.store, { purpose: 'personal', accountId: account.id, hours: 1 })
    assert.equal((await owner.post(`/personal/${token}`)).headers.location, '/entrar/codigo')
    for (const path of ['/entrar/codigo', '/cuenta'])
      assert.equal((await copied.get(path)).headers.location?.split('?')[0], '/entrar', path)
    const secretOf = ({ text }: { text: string }) => /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? assert.fail(text)
    const offered = secretOf(await owner.get('/entrar/codigo'))
    assert.equal(secretOf(await owner.get('/entrar/codigo')), offered)
    assert.notEqual(secretOf(await (await visitor(server).enter(email)).get('/entrar/codigo')), offered)
  })

  it('303: who has an account signs in first, and nobody else can accept', async () => {
    const account = await makeAccount(server, { email: 'conocida@mercado.test' })
    await makeAccount(server, { email: 'ajena@mercado.test' })
    const path = `/personal/${await newLink(server.store, { purpose: 'personal', accountId: account.id, hours: 1 })}`
    const nobody = await visitor(server).get(path)
    assert.ok(nobody.text.includes(`name="volver" value="${path}"`))
    const forged = await visitor(server).post(path, FORM)
    assert.ok(forged.status === 200 && forged.text.includes('entre con su contraseña'))
    const foreign = await visitor(server).enter('ajena@mercado.test')
    assert.equal((await foreign.get(path)).status, 403)
    assert.equal((await foreign.post(path)).status, 403)
    const own = visitor(server)
    const entered = await own.post('/entrar', { Email: account.email, Clave: PASSWORD, volver: path })
    assert.equal(entered.headers.location, path)
    assert.match((await own.get(path)).text, /Aceptar/)
    assert.equal((await own.post(path)).headers.location, '/entrar/codigo')
    assert.equal((await own.get('/cuenta')).headers.location?.split('?')[0], '/entrar/codigo')
    assert.equal((await own.post(path)).status, 410)
    const [row] = await server.store.query<{ act: string }>(
      sql`select act from audit_log where account_id = ${account.id}`,
    )
    assert.equal(row?.act, 'personal.sumarse')
  })

  it('400: the mail of an account with a password is not taken over by the first link', async () => {
    const fresh = await startServer()
    try {
      const account = await makeAccount(fresh, { email: 'agencia@mercado.test' })
      const path = `/personal/${await firstStaffToken(fresh.store)}`
      const taken = await visitor(fresh).post(path, { ...FORM, Email: account.email, Clave: 'otra frase larga' })
      assert.equal(taken.status, 400)
      assert.match(taken.text, /Ya hay una cuenta con ese correo/)
      const own = await visitor(fresh).enter(account.email)
      assert.equal((await own.post(path)).status, 303, 'the link is still good for its owner')
      assert.deepEqual(
        (await listStaff(fresh.store)).map(({ email }) => email),
        [account.email],
      )
    } finally {
      await fresh.stop()
    }
  })

  it('403: the staff is of production', async () => {
    const fresh = await startServer()
    try {
      await makeAccount(fresh, { email: 'prueba@mercado.test', modo: 'prueba' })
      const path = `/personal/${await firstStaffToken(fresh.store)}`
      const person = await visitor(fresh).enter('prueba@mercado.test')
      assert.equal((await person.get(path)).status, 403)
      assert.equal((await person.post(path)).status, 403)
      assert.deepEqual(await listStaff(fresh.store), [])
    } finally {
      await fresh.stop()
    }
  })

  it('404, 410: an unknown and an expired link say what to do', async () => {
    const unknown = await visitor(server).get(`/personal/${'x'.repeat(43)}`)
    assert.equal(unknown.status, 404)
    assert.match(unknown.text, /rodado user create/)
    const { id } = await ensureAccount(server.store, 'produccion', 'late@mercado.test')
    const late = await newLink(server.store, { purpose: 'personal', accountId: id, hours: 0 })
    assert.equal((await visitor(server).get(`/personal/${late}`)).status, 410)
  })
})
