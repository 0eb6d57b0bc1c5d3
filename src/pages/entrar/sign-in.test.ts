import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { makeAccount, PASSWORD, visitor } from '../../../tests/support/visitor.ts'
import { openContents } from '../../mail/email.ts'

describe('sign-in', () => {
  let server: TestServer
  let now = 0
  before(async () => {
    server = await startServer({ nowMs: () => now })
  })
  after(() => server.stop())
  /** Each test has a day of its own, so that limits say something only where they are asked about. */
  const nextDay = () => {
    now += 86_400_000
  }

  /** The emails to an address, oldest first. */
  async function emailsTo(to: string) {
    const rows = await server.store.query<{ kind: string; sealed: Buffer }>(sql`
      select kind, sealed from mails where to_address = ${to} order by id`)
    return rows.map(({ kind, sealed }) => ({ kind, ...openContents(server.seal, sealed) }))
  }
  const resetPathIn = (text = '') => /\/clave\/[\w-]{43}/.exec(text)?.[0] ?? ''

  it('303: the right password opens a session, which ends with /salir', async () => {
    await makeAccount(server, { email: 'ana@uno.test' })
    const ana = visitor(server)
    const answer = await ana.post('/entrar', { Email: ' Ana@Uno.test ', Clave: PASSWORD })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/cuenta'])
    assert.match(
      answer.headers['set-cookie'] ?? '',
      /^rodado_session=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000,/,
    )
    assert.equal((await ana.get('/cuenta')).status, 200)
    assert.equal((await ana.get('/entrar')).headers.location, '/cuenta')
    assert.equal((await ana.post('/salir')).headers.location, '/entrar?salio=si')
    assert.equal((await ana.get('/cuenta')).headers.location, '/entrar?volver=%2Fcuenta')
  })

  it('303: after /salir a copy of the cookie opens nothing, and the person’s other sessions go on', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@copia.test' })
    const [ana, elsewhere] = [visitor(server), await visitor(server).enter('ana@copia.test')]
    const { headers } = await ana.post('/entrar', { Email: 'ana@copia.test', Clave: PASSWORD })
    const copy = visitor(server, /rodado_session=[^;]+/.exec(headers['set-cookie'] ?? '')?.[0])
    assert.equal((await copy.get('/cuenta')).status, 200)
    await ana.post('/salir')
    assert.equal((await copy.get('/cuenta')).status, 303)
    assert.equal((await elsewhere.get('/cuenta')).status, 200)
    assert.equal((await copy.post('/salir')).status, 303, 'leaving twice is leaving')
  })

  it('every cookie is Secure and has the __Host- prefix where the public address is https', async () => {
    const secure = await startServer({ env: { PUBLIC_URL: 'https://rodado.test' } })
    try {
      await makeAccount(secure, { email: 'ana@uno.test' })
      const ana = visitor(secure)
      const given = [
        await ana.post('/entrar', { Email: 'ana@uno.test', Clave: PASSWORD }),
        await ana.post('/cuenta/sesiones'),
        await ana.get('/docs/guia?lenguaje=php'),
        await ana.post('/salir'),
      ].flatMap(({ headers }) => headers['set-cookie']?.split(',') ?? [])
      const names = ['session', 'device', 'session', 'device', 'hecho'].map((name) => `rodado_${name}`)
      assert.deepEqual(
        given.map((cookie) => cookie.split('=')[0]),
        [...names, 'lenguaje', 'rodado_session'].map((name) => `__Host-${name}`),
      )
      for (const cookie of given)
        assert.match(cookie, /^[\w-]+=[\w-]*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/)
    } finally {
      await secure.stop()
    }
  })

  it('303: over https a session without the __Host- prefix, which a subdomain could have set, is none', async () => {
    const secure = await startServer({ env: { PUBLIC_URL: 'https://rodado.test' } })
    try {
      await makeAccount(secure, { email: 'ana@uno.test' })
      const ana = await visitor(secure).enter('ana@uno.test')
      assert.equal((await ana.get('/cuenta')).status, 200)
      const planted = visitor(secure, ana.cookie().replace('__Host-', ''))
      assert.equal((await planted.get('/cuenta')).status, 303)
    } finally {
      await secure.stop()
    }
  })

  it('400: a wrong password and an unknown mail get the same page, and no session', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@dos.test' })
    const [wrong, unknown] = [
      await visitor(server).post('/entrar', { Email: 'ana@dos.test', Clave: 'otra cosa' }),
      await visitor(server).post('/entrar', { Email: 'bob@dos.test', Clave: 'otra cosa' }),
    ]
    assert.deepEqual([wrong.status, unknown.status], [400, 400])
    assert.equal(wrong.text.replaceAll('ana@', 'bob@'), unknown.text)
    assert.equal(wrong.headers['set-cookie'], undefined)
    assert.match(wrong.text, /role="alert"/)
    assert.ok(!wrong.text.includes('otra cosa'), 'a password is not shown again')
  })

  it('303: one mail in production and in test: the password decides', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@tres.test', nombre: 'Real' })
    await makeAccount(server, { email: 'ana@tres.test', nombre: 'Ensayo', modo: 'prueba', clave: 'clave del ensayo' })
    const [real, test] = [visitor(server), visitor(server)]
    await real.post('/entrar', { Email: 'ana@tres.test', Clave: PASSWORD })
    await test.post('/entrar', { Email: 'ana@tres.test', Clave: 'clave del ensayo' })
    assert.match((await real.get('/cuenta')).text, /Real/)
    assert.match((await test.get('/cuenta')).text, /Ensayo/)
  })

  it('303: back to the page that asked, and never to another site', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@cuatro.test' })
    const key = '0'.repeat(32)
    const to = async (volver: string) =>
      (await visitor(server).post('/entrar', { Email: 'ana@cuatro.test', Clave: PASSWORD, volver })).headers.location
    assert.equal(await to(`/conectar/${key}`), `/conectar/${key}`)
    for (const volver of [
      'https://evil.test',
      '//evil.test',
      '/\\evil.test',
      '/cuenta/../..//evil.test',
      '/v3',
      'javascript:alert(1)',
      '/cuenta\r\nx: y',
    ])
      assert.equal(await to(volver), '/cuenta', volver)
    const form = await visitor(server).get(`/entrar?volver=${encodeURIComponent('//evil.test')}`)
    assert.ok(!form.text.includes('evil.test'))
  })

  it('303: a session that was bent, forged or sealed for something else is none', async () => {
    nextDay()
    const account = await makeAccount(server, { email: 'ana@cinco.test' })
    const contents = JSON.stringify({
      accountId: account.id,
      version: account.version,
      at: Math.floor(Date.now() / 1000),
    })
    const sealed = (purpose: string) => server.seal.seal(contents, purpose).toString('base64url')
    const withCookie = (value: string) => visitor(server, `rodado_session=${value}`).get('/cuenta')
    assert.equal((await withCookie(sealed('session'))).status, 200)
    const bent = sealed('session').replace(/.(?=.{9}$)/, (one) => (one === 'A' ? 'B' : 'A'))
    for (const value of ['x', '', sealed('mail'), bent, Buffer.from(contents).toString('base64url')])
      assert.equal((await withCookie(value)).status, 303, value)
  })

  it('303: a session lasts 30 days, or 14 without use; a part that refreshes itself is no use', async () => {
    let clock = new Date('2025-03-01T12:00:00Z')
    const dated = await startServer({ clock: () => clock })
    try {
      await makeAccount(dated, { email: 'ana@uno.test' })
      const [ana, idle] = [visitor(dated), visitor(dated)]
      for (const who of [ana, idle]) {
        await who.post('/entrar', { Email: 'ana@uno.test', Clave: PASSWORD })
        assert.equal((await who.get('/cuenta')).status, 200)
      }
      clock = new Date('2025-03-14T12:00:00Z')
      assert.equal((await ana.get('/cuenta')).status, 200)
      assert.equal((await idle.get('/cuenta', { 'hx-request': 'true' })).status, 200)
      clock = new Date('2025-03-15T12:00:00Z')
      assert.equal((await idle.get('/cuenta')).status, 303)
      clock = new Date('2025-03-27T12:00:00Z')
      assert.equal((await ana.get('/cuenta')).status, 200)
      clock = new Date('2025-03-31T11:59:00Z')
      assert.equal((await ana.get('/cuenta')).status, 200)
      clock = new Date('2025-03-31T12:00:01Z')
      assert.equal((await ana.get('/cuenta')).status, 303)
    } finally {
      await dated.stop()
    }
  })

  it('429: ten wrong passwords for one account from one address, then one a minute; right ones do not count', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@seis.test' })
    const guess = (Clave: string) => visitor(server).post('/entrar', { Email: 'ANA@seis.test', Clave })
    for (let i = 0; i < 12; i++) assert.equal((await guess(PASSWORD)).status, 303)
    for (let i = 0; i < 10; i++) assert.equal((await guess('no es')).status, 400)
    const refused = await guess(PASSWORD)
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60'])
    assert.match(refused.headers['content-type'] ?? '', /^text\/html/)
    assert.match(refused.text, /Espere un momento/)
    now += 60_000
    assert.equal((await guess(PASSWORD)).status, 303)
  })

  it('429: fifty wrong attempts from one address, whatever account they are for', async () => {
    nextDay()
    const guess = (i: number) => visitor(server).post('/clave/xxxxxxxxxxxxxxxxxxxxxxxx', { Clave: `${i}` })
    for (let i = 0; i < 50; i++) assert.equal((await guess(i)).status, 404)
    assert.equal((await guess(50)).status, 429)
  })

  it('403: a form sent by another site changes nothing', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@siete.test' })
    const post = (headers: Record<string, string>) =>
      visitor(server).post('/entrar', { Email: 'ana@siete.test', Clave: PASSWORD }, headers)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: server.config.publicUrl },
    ]) {
      const refused = await post(headers)
      assert.equal(refused.status, 403, JSON.stringify(headers))
      assert.equal(refused.headers['set-cookie'], undefined)
    }
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: server.config.publicUrl },
      { origin: server.url, host: new URL(server.url).host },
      {},
    ] as Record<string, string>[])
      assert.equal((await post(headers)).status, 303, JSON.stringify(headers))
  })

  it('415, 413: only forms, and only small ones', async () => {
    nextDay()
    const json = await visitor(server).post('/entrar', '{}', { 'content-type': 'application/json' })
    assert.equal(json.status, 415)
    assert.equal((await visitor(server).post('/entrar', `Email=${'x'.repeat(70_000)}`)).status, 413)
  })

  it('200: whether or not a mail has an account, asking for a new password gets the same answer', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@ocho.test' })
    const ask = (Email: string) => visitor(server).post('/clave', { Email })
    const [known, unknown] = [await ask('Ana@ocho.test'), await ask('Bob@ocho.test')]
    assert.deepEqual([known.status, unknown.status], [200, 200])
    assert.equal(known.text.replaceAll('Ana@', 'Bob@'), unknown.text)
    assert.equal((await emailsTo('ana@ocho.test')).length, 1)
    assert.equal((await emailsTo('bob@ocho.test')).length, 0)
    assert.equal((await ask('no es un correo')).status, 400)
  })

  it('303: the link of the letter sets a password once, ends every session and signs in; its owner is told', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@nueve.test' })
    const elsewhere = visitor(server)
    await elsewhere.post('/entrar', { Email: 'ana@nueve.test', Clave: PASSWORD })
    for (let i = 0; i < 2; i++) await visitor(server).post('/clave', { Email: 'ana@nueve.test' })
    const [first, second] = await emailsTo('ana@nueve.test')
    const path = resetPathIn(first?.text)

    for (let i = 0; i < 3; i++) assert.equal((await visitor(server).get(path)).status, 200)
    assert.equal((await visitor(server).head(path)).status, 200)
    const short = await visitor(server).post(path, { Clave: 'corta' })
    assert.equal(short.status, 400)
    assert.match(short.text, /al menos 8 caracteres/)

    const ana = visitor(server)
    const done = await ana.post(path, { Clave: 'una clave nueva' })
    assert.deepEqual([done.status, done.headers.location], [303, '/cuenta'])
    assert.equal((await ana.get('/cuenta')).status, 200)
    assert.equal((await elsewhere.get('/cuenta')).status, 303)
    assert.equal((await visitor(server).post(path, { Clave: 'otra clave más' })).status, 404)
    assert.equal((await visitor(server).get(resetPathIn(second?.text))).status, 404, 'the second link ended too')
    assert.equal((await visitor(server).post('/entrar', { Email: 'ana@nueve.test', Clave: PASSWORD })).status, 400)
    assert.deepEqual(
      (await emailsTo('ana@nueve.test')).map(({ kind }) => kind),
      ['clave', 'clave', 'clave-cambiada'],
    )
  })

  it('404: an expired or unknown link leads to another one', async () => {
    nextDay()
    const account = await makeAccount(server, { email: 'ana@diez.test' })
    await visitor(server).post('/clave', { Email: 'ana@diez.test' })
    const path = resetPathIn((await emailsTo('ana@diez.test'))[0]?.text)
    await server.store.query(sql`update account_links set expires_at = now() where account_id = ${account.id}`)
    for (const dead of [path, '/clave/unknown', `/clave/${'x'.repeat(43)}`]) {
      const { status, text } = await visitor(server).get(dead)
      assert.equal(status, 404)
      assert.match(text, /Pedir otro enlace/)
    }
  })

  it('200, 429: letters asked for again and again stop, and the answer does not say for whom', async () => {
    nextDay()
    await makeAccount(server, { email: 'ana@once.test' })
    const statuses: number[] = []
    for (let i = 0; i < 11; i++)
      statuses.push((await visitor(server).post('/clave', { Email: 'ana@once.test' })).status)
    assert.deepEqual(statuses, [...Array(10).fill(200), 429])
    assert.equal((await emailsTo('ana@once.test')).length, 5)
  })

  it('every page of people is kept by no one, runs no script before they sign in, and tells no other site its address', async () => {
    for (const path of ['/entrar', '/clave', '/clave/unknown', '/cuenta']) {
      const { headers } = await visitor(server).get(path)
      assert.equal(headers['cache-control'], 'no-store', path)
      assert.equal(headers['referrer-policy'], 'same-origin')
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; .*frame-ancestors 'none'/)
      if (path !== '/cuenta') assert.doesNotMatch(headers['content-security-policy'] ?? '', /script-src/)
    }
  })

  it('405: /salir is left by a form, not by a link that somebody else may have put anywhere', async () => {
    const { status, headers } = await visitor(server).get('/salir')
    assert.deepEqual([status, headers.allow], [405, 'POST, OPTIONS'])
  })

  it('nothing personal and no token is in the log', () => {
    const log = server.logged()
    assert.ok(log.includes('/clave/:token'))
    for (const secret of ['ana@', 'Ana@', PASSWORD, 'una clave nueva']) assert.ok(!log.includes(secret), secret)
    assert.doesNotMatch(log, /\/clave\/[\w-]{20}/)
  })
})
