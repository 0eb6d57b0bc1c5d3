import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { LOOPBACK as ALLOW_LOOPBACK, hook, storeEvents, tried } from '../../tests/support/deliveries.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { readConfig } from '../config.ts'
import {
  type AllowedRange,
  type CallbackRules,
  callbackRules,
  classify as classifyAt,
  mayConnect as mayConnectAt,
  readRanges,
  refuseTarget,
} from './callback-rules.ts'

const NONE = readRanges([])
const LOOPBACK = readRanges(['127.0.0.0/8', '::1'])
const HTTPS = 443
const CONFIG = readConfig({ PORT: '0' })

const classify = (address: string, allowed: AllowedRange[]) => classifyAt(address, HTTPS, allowed)
const rulesOf = (allowed: AllowedRange[]): CallbackRules => ({ ...callbackRules(CONFIG, []), allowed })
const mayConnect = (address: string, protocol: string, allowed: AllowedRange[]) =>
  mayConnectAt(address, { protocol, port: HTTPS }, rulesOf(allowed))

const byte = fc.nat(255)
const ipv4 = fc.tuple(byte, byte, byte, byte)
const group = fc.nat(0xffff).map((number) => number.toString(16))
const hex = (...bytes: number[]) => bytes.map((number) => number.toString(16).padStart(2, '0')).join('')
const dotted = (bytes: number[]) => bytes.join('.')

/** IPv4 addresses that nobody may make us call. */
const closed: fc.Arbitrary<number[]> = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), byte, byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
  fc.constantFrom<number[][]>(
    [192, 0, 0, 192],
    [192, 0, 2, 1],
    [203, 0, 113, 9],
    [198, 51, 100, 7],
    [168, 63, 129, 16],
  ),
)

/** Every way to hide an IPv4 address in an IPv6 one. */
const DISGUISES: Record<string, (v4: number[], rest: string) => string> = {
  mapped: (v4) => `::ffff:${dotted(v4)}`,
  'mapped, in hexadecimal': ([a = 0, b = 0, c = 0, d = 0]) => `0:0:0:0:0:FFFF:${hex(a, b)}:${hex(c, d)}`,
  compatible: (v4) => `::${dotted(v4)}`,
  translated: (v4) => `::ffff:0:${dotted(v4)}`,
  NAT64: (v4) => `64:ff9b::${dotted(v4)}`,
  'NAT64 of the network': (v4, rest) => `64:ff9b:1:${rest}::${dotted(v4)}`,
  '6to4': ([a = 0, b = 0, c = 0, d = 0], rest) => `2002:${hex(a, b)}:${hex(c, d)}:${rest}::1`,
  'Teredo client': (v4) => {
    const [a = 0, b = 0, c = 0, d = 0] = v4.map((number) => number ^ 0xff)
    return `2001:0:808:808:0:ffff:${hex(a, b)}:${hex(c, d)}`
  },
  'Teredo server': ([a = 0, b = 0, c = 0, d = 0]) => `2001:0:${hex(a, b)}:${hex(c, d)}:0:ffff:f7f7:f7f7`,
  ISATAP: ([a = 0, b = 0, c = 0, d = 0], rest) => `2a00:${rest}::5efe:${hex(a, b)}:${hex(c, d)}`,
  'ISATAP, globally unique': ([a = 0, b = 0, c = 0, d = 0]) => `2a00::200:5efe:${hex(a, b)}:${hex(c, d)}`,
}

describe('an address', () => {
  it('is closed when it is private, loopback, link-local, shared, reserved or a host’s own', () => {
    fc.assert(fc.property(closed, (v4) => classify(dotted(v4), NONE) === 'blocked'))
    for (const address of ['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1'])
      assert.equal(classify(address, NONE), 'blocked', address)
    for (const address of ['2001:db8::1', '100::1', '5f00::1', '4000::1', '2001:2::1', '3fff::1', '2620:4f:8000::1'])
      assert.equal(classify(address, NONE), 'blocked', address)
  })

  it('is public where the internet is', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '200.45.0.1', '2a00:1450:4001::1', '2606:4700::1111', '2800:3f0::1'])
      assert.equal(classify(address, NONE), 'public', address)
    assert.equal(classify('::ffff:8.8.8.8', NONE), 'public', 'the same in another spelling')
    assert.equal(classify('64:ff9b::8.8.8.8', NONE), 'public', 'what DNS64 makes of every IPv4 receiver')
  })

  for (const [name, hide] of Object.entries(DISGUISES))
    it(`is not opened by a disguise: ${name}`, () => {
      fc.assert(fc.property(closed, group, (v4, rest) => classify(hide(v4, rest), NONE) === 'blocked'))
    })

  it('in disguise is never better than what it hides, whatever was opened', () => {
    const opened = [NONE, LOOPBACK, readRanges(['10.0.0.0/8', '64:ff9b:1::/48', '2002::/16', '2a00::/16', '::/96'])]
    fc.assert(
      fc.property(
        ipv4,
        group,
        fc.constantFrom(...Object.values(DISGUISES)),
        fc.constantFrom(...opened),
        (v4, rest, hide, open) => {
          if (classify(dotted(v4), open) === 'blocked') assert.equal(classify(hide(v4, rest), open), 'blocked')
        },
      ),
    )
  })

  it('is opened by the range it lies in and by no other', () => {
    assert.equal(classify('127.0.0.1', LOOPBACK), 'allowed')
    assert.equal(classify('::ffff:127.0.0.1', LOOPBACK), 'allowed')
    assert.equal(classify('::1', LOOPBACK), 'allowed')
    assert.equal(classify('10.0.0.1', LOOPBACK), 'blocked')
    assert.equal(classify('::2', LOOPBACK), 'blocked')
    assert.equal(classify('8.8.8.8', LOOPBACK), 'public')
  })

  it('is closed when it is none', () => {
    fc.assert(fc.property(fc.string(), (text) => classify(`${text}!`, LOOPBACK) === 'blocked'))
    for (const text of ['', '1', '0x7f.1', '127.1', '017700000001', 'localhost'])
      assert.equal(classify(text, LOOPBACK), 'blocked')
  })

  it('is connected to by https where it is public, by either where it was opened', () => {
    assert.ok(mayConnect('8.8.8.8', 'https:', NONE))
    assert.ok(!mayConnect('8.8.8.8', 'http:', LOOPBACK))
    assert.ok(mayConnect('127.0.0.1', 'http:', LOOPBACK))
    assert.ok(mayConnect('127.0.0.1', 'https:', LOOPBACK))
    assert.ok(!mayConnect('127.0.0.1', 'https:', NONE))
  })
})

describe('a callback', () => {
  const refusal = (text: string, opened = NONE) => refuseTarget(new URL(text), rulesOf(opened))

  it('passes by https, under any name or a public address', () => {
    for (const text of ['https://example.test/hook?a=b', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/x'])
      assert.equal(refusal(text), undefined, text)
  })

  it('is refused by another scheme, or with a user in it', () => {
    for (const text of ['http://example.test/', 'ftp://example.test/', 'file:///etc/passwd', 'data:,x'])
      assert.match(refusal(text) ?? '', /https/, text)
    assert.match(refusal('https://user@example.test/') ?? '', /usuario/)
    assert.match(refusal('https://:secret@example.test/') ?? '', /contraseña/)
  })

  it('is refused with port 0, where nobody listens; a fragment is kept, though it is never sent', () => {
    assert.equal(refusal('https://example.test/hook#parte'), undefined)
    assert.match(refusal('https://example.test:0/hook') ?? '', /puerto 0/)
  })

  it('is refused at once when it names a closed address, however it is written', () => {
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '127.0.0.1.',
      '[::1]',
      'localhost',
    ])
      assert.match(refusal(`https://${host}/`) ?? '', /privada/, host)
    for (const host of ['a.localhost', 'LOCALHOST.', '169.254.169.254', '[::ffff:a9fe:a9fe]', '0', '10.0.0.1:8080'])
      assert.match(refusal(`https://${host}/`) ?? '', /privada/, host)
    assert.match(refusal('https://１２７.０.０.１/') ?? '', /privada/, 'full-width digits')
    fc.assert(
      fc.property(closed, ([a = 0, b = 0, c = 0, d = 0]) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d
        for (const host of [number, `0x${number.toString(16)}`, `0${a.toString(8)}.${b}.${c * 256 + d}`])
          assert.match(refusal(`https://${host}/`) ?? '', /privada/)
      }),
    )
  })

  it('goes by http only into opened ranges; where a name leads is seen when it is connected to', () => {
    assert.equal(refusal('http://127.0.0.1:1234/', LOOPBACK), undefined)
    assert.equal(refusal('http://localhost:1234/', LOOPBACK), undefined)
    assert.equal(refusal('http://receiver.intranet/', LOOPBACK), undefined)
    assert.match(refusal('http://8.8.8.8/', LOOPBACK) ?? '', /https/)
    assert.match(refusal('http://10.0.0.1/', LOOPBACK) ?? '', /privada/)
    assert.match(refusal('http://receiver.intranet/', NONE) ?? '', /https/)
  })
})

describe('an allowed range', () => {
  it('with a port opens that port alone, in IPv4 and in IPv6', () => {
    const allowed = readRanges(['10.0.0.0/8:8443', '[fd00::/8]:8080', '192.168.1.7:80'])
    assert.equal(classifyAt('10.1.2.3', 8443, allowed), 'allowed')
    assert.equal(classifyAt('::ffff:10.1.2.3', 8443, allowed), 'allowed')
    assert.equal(classifyAt('10.1.2.3', 443, allowed), 'blocked')
    assert.equal(classifyAt('fd00::1', 8080, allowed), 'allowed')
    assert.equal(classifyAt('fd00::1', 8443, allowed), 'blocked')
    assert.equal(classifyAt('192.168.1.7', 80, allowed), 'allowed')
    assert.equal(refuseTarget(new URL('http://192.168.1.7/'), rulesOf(allowed)), undefined)
    assert.match(refuseTarget(new URL('https://192.168.1.7/'), rulesOf(allowed)) ?? '', /privada/)
  })

  it('that is granted to one app opens nothing to another', () => {
    const callback = new URL('http://10.1.2.3:8080/hook')
    assert.equal(refuseTarget(callback, callbackRules(CONFIG, ['10.1.2.3:8080'])), undefined)
    assert.match(refuseTarget(callback, callbackRules(CONFIG, [])) ?? '', /privada/)
  })
})

describe('our own services', () => {
  const everything = ['0.0.0.0/0', '::/0']
  const config = readConfig({
    PORT: '3000',
    METRICS_PORT: '9100',
    ALLOW_PRIVATE_CALLBACKS: everything.join(),
    DATABASE_URL: 'postgres://u:p@10.0.0.5,10.0.0.6:6432/db',
    MASTER_KEY: 'ab'.repeat(32),
    DATABASE_DIRECT_URL: 'postgres://u:p@10.0.0.9/db',
    SMTP_URL: 'smtp://u:p@10.0.0.7',
    BOUNCE_IMAP_URL: 'imaps://u:p@10.0.0.10/INBOX',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.0.0.12:4318',
    OIDC_ISSUER: 'https://10.0.0.11',
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'x',
    OIDC_GROUPS: 'x=personal',
  })
  const refusal = (text: string) => refuseTarget(new URL(text), callbackRules(config, everything))

  it('are never a target, whatever is allowed: the server, its metrics, each PostgreSQL, the mail servers, the provider', () => {
    for (const place of [
      '127.0.0.1:3000',
      '127.9.9.9:3000',
      '[::1]:9100',
      'localhost:9100',
      '0.0.0.0:3000',
      '[::]:9100',
    ])
      assert.match(refusal(`http://${place}/metrics`) ?? '', /privada/, place)
    for (const place of [
      '10.0.0.5:5432',
      '10.0.0.6:6432',
      '10.0.0.9:5432',
      '10.0.0.7:587',
      '[::ffff:10.0.0.5]:5432',
      '10.0.0.10:993',
      '10.0.0.11',
      '10.0.0.12:4318',
    ])
      assert.match(refusal(`https://${place}/`) ?? '', /privada/, place)
  })

  it('close nothing else: another port of theirs, another machine with that port', () => {
    for (const place of ['127.0.0.1:3001', '10.0.0.5:6432', '10.0.0.8:5432', '10.0.0.8:3000'])
      assert.equal(refusal(`http://${place}/`), undefined, place)
  })

  it('close no public address of a provider, which receivers may share', () => {
    const shared = { ...config, oidc: { ...(config.oidc ?? assert.fail()), issuer: 'https://8.8.4.4' } }
    assert.equal(refuseTarget(new URL('https://8.8.4.4/hook'), callbackRules(shared, [])), undefined)
  })

  it('on this machine are closed at each of its addresses', () => {
    const here = readConfig({
      DATABASE_URL: 'postgres://127.0.0.1:6000/db',
      MASTER_KEY: 'ab'.repeat(32),
      ALLOW_PRIVATE_CALLBACKS: everything.join(),
    })
    assert.match(refuseTarget(new URL('http://[::1]:6000/'), callbackRules(here, [])) ?? '', /privada/)
  })
})

const TOPIC = 'consulta.recibida'
const PATH = `/v3/appnotificaciones/${TOPIC}`

describe('a callback on a server that allows private ranges', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ worker: {}, env: ALLOW_LOOPBACK })
  })
  after(() => server.stop())

  /** What a partner reads of the first attempt at a callback that was permitted when it was configured. */
  async function attemptAt(callback: string) {
    const app = await server.newApp()
    const id = await hook(server, app, TOPIC, 'https://receptor.test/')
    await server.store.query(sql`update webhooks set callback = ${callback} where id = ${id}`)
    const ids = await storeEvents(server, app, TOPIC)
    await tried(server, ids, 1)
    const [intento] = (await app.get(`${PATH}/entregas/${ids[0]}`)).json.Intentos
    const { Momento: _at, DuracionMs: _ms, ...seen } = intento
    return { ...seen, UltimoError: (await app.get(PATH)).json.Salud.UltimoError }
  }

  it('400: the server itself, at whichever address of this machine', async () => {
    const app = await server.newApp()
    const { port } = new URL(server.url)
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost']) {
      const body = JSON.stringify({ Callback: `http://${host}:${port}/metrics` })
      const { status, json } = await app.call('POST', PATH, { body })
      assert.deepEqual([status, Object.keys(json.Errors)], [400, ['Callback']], host)
    }
  })

  it('is not delivered to the server itself, and reads like a name that does not exist', async () => {
    const own = await attemptAt(`${server.url}/health/live`)
    assert.equal(own.Status, null)
    assert.match(own.Error, /No encontramos una dirección pública del receptor/)
    assert.deepEqual(await attemptAt('https://receptor.invalid/'), own)
    assert.deepEqual(await attemptAt('https://10.1.2.3/'), own)
    assert.match(server.logged(), /"code":"blocked-address"/)
    assert.match(server.logged(), /"code":"ENOTFOUND"/)
  })
})
