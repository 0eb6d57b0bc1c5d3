import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, it, test } from 'node:test'
import { compiledProgram } from '../../tests/support/compiled-program.ts'
import { createDatabase } from '../../tests/support/database.ts'
import { openDatabaseProxy } from '../../tests/support/database-proxy.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { startRodado } from '../../tests/support/rodado-process.ts'
import { until } from '../../tests/support/until.ts'
import { VERSION } from '../version.ts'
import { run } from './run.ts'

interface Ran {
  code: number
  out: string
  err: string
}

/** The server as an operator starts it: a process of its own, nothing but the environment given. */
const serve = (env: Record<string, string>) =>
  spawn(process.execPath, [compiledProgram('rodado'), 'serve'], { env: { PATH: process.env.PATH ?? '', ...env } })

/** A command beside it. */
async function rodado(args: string[], env: Record<string, string>): Promise<Ran> {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const code = await run(args, { out, err, env })
  return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
}

/** For a start on a busy machine. */
const START_MS = 120_000

describe('command line on the embedded store', () => {
  let env: Record<string, string>
  let dataDir: string
  let server: ReturnType<typeof serve>
  let serverOut = ''
  let serverErr = ''
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rodado-cli-'))
    env = { DATA_DIR: dataDir, PORT: String(await freePort()) }
  })
  after(async () => {
    server?.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  const json = async (...args: string[]) => {
    const ran = await rodado([...args, '--json'], env)
    assert.equal(ran.code, 0, ran.err)
    return JSON.parse(ran.out)
  }
  const url = () => `http://127.0.0.1:${env.PORT}`
  const ready = async () => (await fetch(`${url()}/health/ready`).catch(() => undefined))?.status === 200

  it('1: before any server ran a command names what to do, and creates nothing', async () => {
    for (const args of [['app', 'list'], ['app', 'create', '--nombre', 'Demo'], ['doctor']]) {
      const ran = await rodado(args, env)
      assert.equal(ran.code, 1)
      assert.match(ran.err + ran.out, /no database in DATA_DIR .* yet\..*`rodado migrate`/)
    }
    assert.ok(!existsSync(join(dataDir, 'pg')))
  })

  it('after `migrate` it creates an app before any server ran, and the server that starts then knows it', async () => {
    assert.ok((await json('migrate')).applied.length > 20)
    const app = await json('app', 'create', '--nombre', 'Demo', '--contacto', 'dev@example.test')
    assert.deepEqual(Object.keys(app), ['AppKey', 'AppSecret', 'Nombre', 'Topics'])
    assert.match(app.AppKey, /^[0-9a-f]{32}$/)
    assert.match(app.AppSecret, /^[\w-]{43}$/)
    assert.equal(app.Topics.length, 10)

    server = serve(env)
    server.stdout.on('data', (chunk) => (serverOut += chunk))
    server.stderr.on('data', (chunk) => (serverErr += chunk))
    await until(ready, START_MS)
    const date = new Date().toUTCString()
    const signature = createHmac('sha256', app.AppSecret).update(`GET\n\n${date}\n/v3/colores`).digest('base64')
    const answer = await fetch(`${url()}/v3/colores`, {
      headers: { date, authorization: `SVC-HMAC ${app.AppKey}:${signature}` },
    })
    assert.equal(answer.status, 200)

    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.AppKey,
      client_secret: app.AppSecret,
    })
    const { access_token } = (await (await fetch(`${url()}/oauth/token`, { method: 'POST', body })).json()) as {
      access_token: string
    }
    const byToken = await fetch(`${url()}/v3/colores`, { headers: { authorization: `Bearer ${access_token}` } })
    assert.equal(byToken.status, 200)
  })

  it('without a terminal the link to the first account is in a file for its owner alone, not in a log', async () => {
    const path = join(dataDir, 'first-staff-link')
    await until(() => serverErr.includes(`The link to create it is in ${path}`))
    const link = (await readFile(path, 'utf8')).trim()
    assert.ok(link.startsWith(`${url()}/personal/`), link)
    assert.equal(((await stat(path)).mode & 0o777).toString(8), '600')
    assert.ok(!`${serverOut}${serverErr}`.includes('/personal/'))
    const page = await fetch(link)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /Cree su cuenta/)
    const made = await json('user', 'create', '--email', 'sol@mercado.test', '--nombre', 'Sol')
    assert.deepEqual([made.Email, /\/personal\/[\w-]{43}$/.test(made.Enlace)], ['sol@mercado.test', true])
    assert.equal((await fetch(link)).status, 200, 'nobody has come yet')
    const body = new URLSearchParams({ Nombre: 'Sol', Apellido: 'Vega', Clave: 'una frase larga' })
    const joined = await fetch(made.Enlace, { method: 'POST', body, redirect: 'manual' })
    assert.deepEqual([joined.status, joined.headers.get('location')], [303, '/entrar/codigo'])
    assert.equal((await fetch(link)).status, 410)
  })

  it('a second server on the same DATA_DIR is refused with a message that names it', async () => {
    const second = await rodado(['serve'], { ...env, PORT: '0' })
    assert.equal(second.code, 1)
    assert.ok(second.err.includes(dataDir), second.err)
    assert.match(second.err, /already uses DATA_DIR/)
  })

  it('beside the running server: list, rotate, topics, disable, enable, call, migrate, doctor', async () => {
    const [{ AppKey }] = await json('app', 'list')
    const { AppSecret } = await json('app', 'rotate', AppKey)
    assert.match(AppSecret, /^[\w-]{43}$/)
    assert.deepEqual((await json('app', 'topics', AppKey, '--set', 'consulta.recibida')).Topics, ['consulta.recibida'])
    assert.equal((await json('app', 'topics', AppKey, '--set', 'todos')).Topics.length, 10)

    const called = await json('call', 'GET', '/v3/colores/9')
    assert.equal(called.status, 200)
    assert.equal(called.body.Nombre, 'Azul')
    const posted = await rodado(['call', 'POST', '/v3/colores', '--body', '{"a":1}'], env)
    assert.equal(posted.code, 1)
    assert.match(posted.err, /^405/)

    assert.equal((await json('app', 'disable', AppKey)).Deshabilitada, true)
    await until(async () => (await rodado(['call', 'GET', '/v3', '--app', AppKey], env)).err.startsWith('401'))
    assert.equal((await json('app', 'enable', AppKey)).Deshabilitada, false)
    assert.deepEqual(await json('migrate'), { applied: [] })
    const findings = await json('doctor')
    assert.deepEqual(
      findings.filter(({ ok }: { ok: boolean }) => !ok),
      [],
    )
  })

  it('says what is wrong and what to do', async () => {
    const cases: [string[], number, RegExp][] = [
      [[], 2, /^$/],
      [['nothing'], 2, /no command "nothing"/],
      [['app', 'create'], 2, /--nombre is needed/],
      [['app', 'create', '--nombre', 'x', '--modo', 'y'], 2, /--modo must be produccion or prueba/],
      [['app', 'create', '--nombre', 'x', '--wat'], 2, /--wat/],
      [['app', 'rotate', 'f'.repeat(32)], 1, /no app with that AppKey/],
      [['app', 'topics', 'f'.repeat(32), '--set', 'x'], 2, /The topics are: agencia\.registrada/],
      [['call', 'GET', 'v3'], 2, /begins with \//],
    ]
    for (const [args, code, message] of cases) {
      const ran = await rodado(args, env)
      assert.equal(ran.code, code, args.join(' '))
      assert.match(ran.err, message)
    }
    const faulty = await rodado(['serve'], { ...env, PORT: 'x', COUNTRY: 'y' })
    assert.equal(faulty.code, 1)
    assert.match(faulty.err, /2 faults:\n {2}- PORT must be[^\n]+\n {2}- COUNTRY must be/)
    const other = await rodado(['call', 'GET', '/v3'], { ...env, PUBLIC_URL: 'http://127.0.0.1:9' })
    assert.match(other.err, /does not answer/)
  })

  it('0: --version says which one this is, and on what', async () => {
    for (const flag of ['--version', '-v', 'version']) {
      const { code, out, err } = await rodado([flag], {})
      assert.deepEqual([code, out, err], [0, `rodado ${VERSION} on Node ${process.versions.node}\n`, ''])
    }
  })

  it('0: --help of a command shows how it is typed, and does nothing', async () => {
    const commands = [...(await rodado(['help'], env)).out.matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name)
    assert.ok(commands.length > 15)
    for (const args of [...commands.map((name) => [name, '--help']), ['app', 'create', '-h']]) {
      const ran = await rodado(args, env)
      assert.deepEqual([ran.code, ran.err], [0, ''])
      assert.match(ran.out, new RegExp(`^Usage:\\s+rodado ${args[0]} `))
      assert.doesNotMatch(ran.out, /\{\{/)
    }
  })

  it('another MASTER_KEY is refused before anything fails half-way', async () => {
    const ran = await rodado(['app', 'list'], {
      ...env,
      MASTER_KEY: createHash('sha256').update('other').digest('hex'),
    })
    assert.equal(ran.code, 1)
    assert.match(ran.err, /MASTER_KEY is not the one/)
  })

  it('SIGTERM, also passed on once more by npm: what runs is finished, the store is closed, it ends with 0', async () => {
    const socket = connect(Number(env.PORT), '127.0.0.1') // a client in mid-request that would like to stay
    socket.write(
      'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na',
    )
    await until(() => socket.bytesWritten > 0 && !socket.pending)
    server.kill('SIGTERM')
    await until(() => serverErr.includes('finishing requests in progress'))
    server.kill('SIGTERM')
    socket.write('=b')
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1.1 400 /)
    assert.match(answer, /connection: close/i)
    const [code] = server.exitCode === null ? await once(server, 'exit') : [server.exitCode]
    assert.equal(code, 0)
    assert.ok(!(await ready()))
    assert.match(serverOut, /"msg":"request"/)
    assert.equal((await json('app', 'list')).length, 1, 'nothing is lost')
  })

  it('Ctrl-C while it starts: PostgreSQL ends with it', async () => {
    const starting = serve(env)
    const postmaster = join(dataDir, 'pg', 'postmaster.pid')
    await until(() => existsSync(postmaster))
    starting.kill('SIGINT')
    const [code] = await once(starting, 'exit')
    assert.equal(code, 0)
    assert.ok(!existsSync(postmaster), 'it takes that file with it')
  })
})

test('SIGTERM while PostgreSQL is frozen: the process ends, though its connections do not', async (t) => {
  const database = await createDatabase()
  t.after(() => database.drop())
  const proxy = await openDatabaseProxy(database.connection)
  t.after(() => proxy.close())
  const node = await startRodado(proxy.connection, randomBytes(32), {})
  t.after(() => node.kill())
  proxy.stall()
  let isEnded = false
  void node.stop().finally(() => {
    isEnded = true
  })
  await until(() => isEnded)
})
