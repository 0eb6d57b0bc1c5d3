import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createProbe } from '../cli/src/certify/probe.ts'
import { openSandbox } from '../src/sandbox/agency.ts'
import { depsOf } from './support/agencia.ts'
import { catalogueOf } from './support/catalogue.ts'
import { freePort } from './support/free-port.ts'
import { startServer, type TestApp, type TestServer } from './support/server.ts'
import { until } from './support/until.ts'

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url))
const run = promisify(execFile)
const python =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status !== 0 &&
  'there is no Python 3.9 here'

describe('examples', () => {
  let server: TestServer
  let app: TestApp
  let adminMail: string
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rodado-examples-'))
    server = await startServer({ worker: {}, env: { ALLOW_PRIVATE_CALLBACKS: '127.0.0.1' } })
    app = await server.newApp({ modo: 'prueba' })
    const { country, catalogueDir } = server.config
    const [agencia] = await openSandbox({ ...depsOf(server), catalogue: catalogueOf(country, catalogueDir) }, app.app)
    adminMail = agencia?.adminMail ?? ''
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const env = () => ({
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    RODADO_URL: server.url,
    RODADO_APP_KEY: app.app.appKey,
    RODADO_APP_SECRET: app.secret,
  })
  /** The exit code and output of a program. */
  const ended = (command: string, args: string[]) =>
    run(command, args, { cwd: folder, env: env() }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  const ask = (Cantidad: number) =>
    app.call('POST', '/v3/prueba/consultas', { body: JSON.stringify({ AdminMail: adminMail, Cantidad }) })
  const leads = async () =>
    (await readFile(join(folder, 'crm', 'leads.ndjson'), 'utf8').catch(() => '')).split('\n').filter(Boolean)

  it('crm-receiver: fits in 60 lines; gets every inquiry once, also those from before and in between', async () => {
    const program = join(EXAMPLES, 'crm-receiver', 'receiver.mjs')
    assert((await readFile(program, 'utf8')).trim().split('\n').length <= 60)
    const callback = `http://127.0.0.1:${await freePort()}/`
    const start = async (into = 'crm') => {
      const surroundings = { ...env(), RODADO_DIR: join(folder, into) }
      const child = spawn(process.execPath, [program, callback], { cwd: folder, env: surroundings })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
      await until(() => {
        if (child.exitCode !== null) throw new Error(said)
        return said.includes('ready, with')
      })
      return async () => {
        const gone = once(child, 'exit')
        child.kill()
        await gone
      }
    }
    await ask(2)
    const first = await start()
    await ask(3)
    await until(async () => (await leads()).length === 5)
    assert.equal((await fetch(callback, { method: 'POST', body: '{}' })).status, 401)
    const secret = await readFile(join(folder, 'crm', 'secret.txt'), 'utf8')
    const probe = createProbe({ receiver: callback, secret })
    const incomplete = { topic: 'consulta.recibida', id: 'x', payload: '{"Id":"x","Topic":"consulta.recibida"}' }
    assert.equal((await probe.send(incomplete)).status, 500, 'a fault of its own is no forgery')
    await first()
    await assert.rejects(start('another'), /has a webhook already[\s\S]*call DELETE/)
    await ask(4)
    const second = await start()
    await until(async () => (await leads()).length === 9)
    await ask(1)
    await until(async () => (await leads()).length === 10)
    await second()
    assert.equal(new Set((await leads()).map((line) => JSON.parse(line).Id)).size, 10)
  })

  it('multi-poster: simulates, then publishes, and reports what was refused and why', async () => {
    const program = join(EXAMPLES, 'multi-poster', 'multi-poster.mjs')
    const stock = join(EXAMPLES, 'multi-poster', 'stock.csv')
    const bare = await ended(process.execPath, [program])
    assert.equal(bare.code, 2)
    assert.match(bare.stderr, /^Usage: node multi-poster\.mjs ADMINMAIL FILE/)
    const args = [program, adminMail, stock]
    const simulated = await ended(process.execPath, args)
    assert.equal(simulated.code, 1)
    assert.match(simulated.stdout, /S-101 +creada\n/)
    assert.match(simulated.stdout, /S-104 +rechazada\n {2}Marca: /)
    assert.match(simulated.stdout, /It would be: 3 online, \d+ archived, 1 refused\n$/)
    assert.equal((await app.get(`/v3/publicaciones/${adminMail}/S-101`)).status, 404)
    const unconfirmed = await ended(process.execPath, [...args, '--publicar'])
    assert.equal(unconfirmed.code, 2, unconfirmed.stdout) // it would archive the sandbox's listings
    assert.match(unconfirmed.stderr, /confirmar/)
    await ended(process.execPath, [...args, '--confirmar', '--publicar'])
    const { json } = await app.get(`/v3/publicaciones/${adminMail}/S-102`)
    assert.deepEqual([json.Marca, json.Modelo, json.Fotos.length], ['Toyota', 'Hilux', 2])
    const again = await ended(process.execPath, [...args, '--confirmar', '--publicar'])
    assert.match(again.stdout, /S-101 +sin-cambios\n/)
  })

  it('python: signs as the vectors, calls, pages, reports refusals, verifies', { skip: python }, async () => {
    const program = join(EXAMPLES, 'python', 'rodado_client.py')
    const called = await ended('python3', [program, 'GET', `/v3/publicaciones/${adminMail}`])
    assert.equal(called.code, 0, called.stderr)
    assert(JSON.parse(called.stdout).Total > 0)
    const accented = await ended('python3', [program, 'GET', '/v3/marcas?q=ñandú%20y más'])
    assert.equal(accented.code, 0, accented.stderr)
    const invited = await ended('python3', [program, 'POST', '/v3/agencias', '{"AdminMail":"Ñ@agencia.test"}'])
    assert.match(invited.stderr, /^400 [\s\S]*AdminMail/)
    const checked = await ended('python3', ['-c', CHECKS, join(EXAMPLES, 'python'), VECTORS, adminMail])
    assert.equal(checked.code, 0, checked.stderr)
    assert.equal(checked.stdout, 'ok\n')
  })
})

const VECTORS = fileURLToPath(new URL('../contract/vectors/', import.meta.url))

const CHECKS = `
import json, os, sys
sys.path.insert(0, sys.argv[1])
from rodado_client import Rodado, verify_webhook
env = os.environ
client = Rodado(env["RODADO_URL"], env["RODADO_APP_KEY"], env["RODADO_APP_SECRET"])
assert len(list(client.entries("/v3/publicaciones/" + sys.argv[3]))) > 0

signed = json.load(open(sys.argv[2] + "signature.json"))
vector = signed["vectors"][1]
signer = Rodado("", signed["AppKey"], signed["AppSecret"])
own = {name.lower(): value for name, value in vector["headers"].items() if name.lower().startswith("x-svc-")}
made = signer.sign(vector["method"], vector["target"], vector["body"].encode(), own)
assert made["Authorization"].endswith(":" + vector["signature"]), made

hook = json.load(open(sys.argv[2] + "webhook.json"))["vectors"][0]
headers = {"webhook-id": hook["id"], "webhook-timestamp": hook["timestamp"], **hook["headers"]}
at = int(hook["timestamp"])
assert verify_webhook(headers, hook["body"].encode(), hook["secret"], now=at)["Id"] == hook["id"]
for bent in ({"now": at + 301}, {"secret": "another"}, {"body": hook["body"].encode() + b" "}):
    given = {"headers": headers, "body": hook["body"].encode(), "secret": hook["secret"], "now": at, **bent}
    try:
        verify_webhook(**given)
    except ValueError:
        continue
    raise AssertionError(bent)
print("ok")
`
