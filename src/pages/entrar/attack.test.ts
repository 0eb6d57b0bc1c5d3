import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { until } from '../../../tests/support/until.ts'
import { makeAccount, PASSWORD, type Visitor, visitor } from '../../../tests/support/visitor.ts'

/** Nobody who tries passwords or codes keeps their owner out. */
describe('sign-in under attack', () => {
  let server: TestServer
  let now = 0
  before(async () => {
    server = await startServer({ nowMs: () => now, env: { TRUST_PROXY: '127.0.0.1' } })
  })
  after(() => server.stop())

  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const enter = async (who: Visitor, email: string, ip: string, Clave = PASSWORD) =>
    (await who.post('/entrar', { Email: email, Clave }, from(ip))).status
  const ATTACKERS = Array.from({ length: 20 }, (_, i) => `198.51.100.${i}`)

  /** Ten wrong passwords from each address; what the last of each was answered. */
  async function attack(email: string, addresses = ATTACKERS.slice(0, 4)): Promise<Set<number>> {
    const last = new Map<string, number>()
    for (let round = 0; round < 10; round++)
      await Promise.all(addresses.map(async (ip) => last.set(ip, await enter(visitor(server), email, ip, 'no es'))))
    return new Set(last.values())
  }

  it('303: after 200 wrong passwords from 20 addresses the owner enters, known or not; the attackers are refused', async () => {
    await makeAccount(server, { email: 'ana@uno.test' })
    const known = await visitor(server).enter('ana@uno.test')
    await known.post('/salir')
    assert.deepEqual([...(await attack('ana@uno.test', ATTACKERS))], [429])

    assert.equal(await enter(known, 'ana@uno.test', '203.0.113.1'), 303)
    assert.equal(await enter(known, 'ana@uno.test', ATTACKERS[0] ?? ''), 303, 'from the address of an attacker too')
    assert.equal(await enter(visitor(server), 'ana@uno.test', '203.0.113.2'), 303)
    const [attacker = ''] = ATTACKERS
    assert.equal(await enter(visitor(server), 'ana@uno.test', attacker), 429, 'an attacker with the right password')
    const reset = await visitor(server).post('/clave', { Email: 'ana@uno.test' }, from('203.0.113.2'))
    assert.equal(reset.status, 200)
  })

  it('429: one attempt of a network is checked at a time and twenty wait; another network has its turn', async () => {
    now += 86_400_000
    await makeAccount(server, { email: 'ana@turno.test' })
    const network = (nth: number) => `2001:db8:7:${nth.toString(16)}::1`
    const attempt = (nth: number) => enter(visitor(server), `nadie${nth}@turno.test`, network(nth), 'no es')
    const answers: number[] = []
    const noted = (answer: Promise<number>) => answer.then((status) => answers.push(status))
    const pending: Promise<number>[] = []
    await server.store.transaction(async (tx) => {
      await tx.query(sql`lock table accounts in access exclusive mode`)
      pending.push(...Array.from({ length: 22 }, (_, nth) => noted(attempt(nth))))
      await until(() => answers.length > 0)
      // More than the attempts that one address has: they are refused before they count.
      for (let nth = 0; nth < 11; nth++) {
        const refused = await visitor(server).post(
          '/entrar',
          { Email: 'ana@turno.test', Clave: PASSWORD },
          from(network(30)),
        )
        assert.equal(refused.status, 429)
        assert.match(refused.text, /Hay otros intentos de entrar desde su red en curso/)
      }
      pending.push(noted(enter(visitor(server), 'ana@turno.test', '203.0.113.9')))
      const blocked = sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%from accounts where email%'`
      await until(async () => (await server.store.query(blocked)).length === 2) // one of each network
    })
    await Promise.all(pending)
    assert.deepEqual(answers.sort(), [303, ...Array(21).fill(400), 429])
    assert.equal(await enter(visitor(server), 'ana@turno.test', network(30)), 303)
  })

  it('429: an account that does not exist is refused and slowed like one that does', async () => {
    now += 86_400_000
    await makeAccount(server, { email: 'ana@dos.test' })
    for (const email of ['ana@dos.test', 'nadie@dos.test']) {
      await attack(email)
      const statuses = []
      for (let i = 0; i < 4; i++) statuses.push(await enter(visitor(server), email, '203.0.113.1', 'no es'))
      assert.deepEqual(statuses, [400, 400, 400, 429], email)
      now += 86_400_000
    }
  })

  it('303: staff enter with password and code, from a known browser and from a new address', async () => {
    now += 86_400_000
    const staff = await makeStaff(server)
    const known = staff.visitor
    await known.post('/salir')
    await attack(staff.email)
    for (const who of [known, visitor(server)]) {
      assert.equal(await enter(who, staff.email, '203.0.113.1'), 303)
      await server.store.query(sql`update second_factors set totp_step = 0 where account_id = ${staff.account.id}`)
      const code = await who.post('/entrar/codigo', { Codigo: staff.code() }, from('203.0.113.1'))
      assert.deepEqual([code.status, code.headers.location], [303, '/consola'])
    }
  })

  it('303, 429: wrong codes of somebody who knows the password stop a new browser, not a known one', async () => {
    now += 86_400_000
    const staff = await makeStaff(server)
    const known = staff.visitor
    await known.post('/salir')
    const statuses = []
    for (const ip of ATTACKERS) {
      const thief = visitor(server)
      assert.equal(await enter(thief, staff.email, ip), 303)
      statuses.push((await thief.post('/entrar/codigo', { Codigo: '000000' }, from(ip))).status)
    }
    assert.deepEqual(statuses, [...Array(6).fill(400), ...Array(14).fill(429)])

    const showCode = async (who: Visitor) => {
      await enter(who, staff.email, '203.0.113.1')
      await server.store.query(sql`update second_factors set totp_step = 0 where account_id = ${staff.account.id}`)
      return (await who.post('/entrar/codigo', { Codigo: staff.code() }, from('203.0.113.1'))).status
    }
    assert.equal(await showCode(visitor(server)), 429)
    assert.equal(await showCode(known), 303)
  })

  it('429: a staff password alone makes no browser known', async () => {
    now += 86_400_000
    const staff = await makeStaff(server)
    const thief = visitor(server)
    const { headers } = await thief.post('/entrar', { Email: staff.email, Clave: PASSWORD })
    assert.doesNotMatch(headers['set-cookie'] ?? '', /rodado_device/)
    for (let i = 0; i < 6; i++) await thief.post('/entrar/codigo', { Codigo: '000000' })
    assert.equal((await thief.post('/entrar/codigo', { Codigo: '000000' })).status, 429)
  })

  it('429: a known browser has attempts at its own accounts only', async () => {
    now += 86_400_000
    const email = 'ana@tres.test'
    await makeAccount(server, { email })
    await makeAccount(server, { email, modo: 'prueba', clave: 'clave del ensayo' })
    await makeAccount(server, { email: 'otra@tres.test' })
    const [test, other] = [visitor(server), await visitor(server).enter('otra@tres.test')]
    assert.equal(await enter(test, email, '203.0.113.9', 'clave del ensayo'), 303)
    const [ip = ''] = ATTACKERS
    for (let i = 0; i < 10; i++) assert.equal(await enter(visitor(server), email, ip, 'no es'), 400)
    assert.equal(await enter(test, email, ip, 'clave del ensayo'), 303)
    assert.equal(await enter(test, email, ip), 400, 'the same address in production is another account')
    assert.equal(await enter(other, email, ip), 429)
  })

  it('429: a new password makes every other browser unknown, and the one that set it stays known', async () => {
    now += 86_400_000
    const email = 'ana@cuatro.test'
    await makeAccount(server, { email })
    const [here, elsewhere] = [await visitor(server).enter(email), await visitor(server).enter(email)]
    await here.post('/cuenta/clave', { ClaveActual: PASSWORD, Clave: 'otra frase larga' })
    const [ip = ''] = ATTACKERS
    for (let i = 0; i < 10; i++) await enter(visitor(server), email, ip, 'no es')
    assert.equal(await enter(here, email, ip, 'otra frase larga'), 303)
    assert.equal(await enter(elsewhere, email, ip, 'otra frase larga'), 429)
  })

  it('303: wrong passwords of strangers do not keep somebody who is signed in from changing theirs', async () => {
    now += 86_400_000
    const email = 'ana@cinco.test'
    await makeAccount(server, { email })
    const ana = await visitor(server).enter(email)
    await attack(email)
    const ip = from(ATTACKERS[0] ?? '')
    const changed = await ana.post('/cuenta/clave', { ClaveActual: PASSWORD, Clave: 'otra frase larga' }, ip)
    assert.deepEqual([changed.status, changed.headers.location], [303, '/cuenta/acceso'])
    for (let i = 0; i < 10; i++)
      assert.equal((await ana.post('/cuenta/clave', { ClaveActual: 'no es', Clave: 'x' }, ip)).status, 400)
    assert.equal((await ana.post('/cuenta/clave', { ClaveActual: 'no es', Clave: 'x' }, ip)).status, 429)
  })
})
