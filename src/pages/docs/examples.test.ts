import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { send } from '../../../tests/support/caller.ts'
import { freePort } from '../../../tests/support/free-port.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import { operationsOf } from '../../http/openapi/document.ts'
import { documentOf } from '../../http/openapi.ts'
import { keyOf, signatures } from '../../webhooks/sign.ts'
import { sampleCall } from './call.ts'
import { plainCurl, signedCurl } from './curl.ts'
import { receivingScript, signingScript, tokenScript } from './examples.ts'

const run = promisify(execFile)
const hasShell = ['bash', 'curl', 'openssl'].every((tool) => spawnSync(tool, ['--version']).error === undefined)
const shell = { skip: hasShell ? false : 'bash, curl and openssl are needed to run what the page shows' }

let server: TestServer
let app: TestApp
let folder: string
before(async () => {
  server = await startServer()
  app = await server.newApp()
  folder = await mkdtemp(join(tmpdir(), 'rodado-examples-'))
})
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await server.stop()
})

const environment = (of = app) => ({ ...process.env, APP_KEY: of.app.appKey, APP_SECRET: of.secret })

async function runScript(script: string, args: string[], env = environment()): Promise<string> {
  const file = join(folder, 'firmar.mjs')
  await writeFile(file, script)
  return (await run(process.execPath, [file, ...args], { env })).stdout
}

const runShell = async (script: string) => (await run('bash', ['-c', script], { env: environment() })).stdout

test('200: the script of the reference signs a call, and is short enough to paste', async () => {
  const script = signingScript(server.url, 'SVC')
  assert.match(await runScript(script, ['GET', '/v3/colores?q=rojo']), /^200 \{"_links"/)
  assert.ok(script.split('\n').filter((line) => line.trim() !== '').length <= 20)
})

test('405: a body signed by the script is believed, twice in the same second; a catalogue just takes none', async () => {
  const script = signingScript(server.url, 'SVC')
  const post = () => runScript(script, ['POST', '/v3/colores', '{"Nombre":"Añil"}'])
  assert.match(await post(), /^405 /)
  assert.match(await post(), /^405 /)
})

test('200: the script speaks with the names of the installation', async () => {
  const acme = await startServer({ env: { SIGNATURE_PREFIX: 'ACME' } })
  try {
    const env = environment(await acme.newApp())
    assert.match(await runScript(signingScript(acme.url, 'ACME'), ['GET', '/v3'], env), /^200 /)
    assert.match(await runScript(signingScript(acme.url, 'SVC'), ['GET', '/v3'], env), /^401 /)
  } finally {
    await acme.stop()
  }
})

test('200: the token of the reference is had and used as shown', shell, async () => {
  assert.match(await runShell(tokenScript(server.url)), /^\{"_links"/)
})

test('the curl of every operation that reads is believed when pasted', shell, async () => {
  const document = documentOf(server.app)
  const reads = operationsOf(document.paths).filter(({ path, method }) => method === 'get' && path.startsWith('/v3'))
  for (const { path, method, operation } of reads) {
    const call = sampleCall(path, method, operation, document)
    const answer = await runShell(`${signedCurl(call, server.url, 'SVC-HMAC')} -s -o /dev/null -w '%{http_code}'`)
    assert.ok(Number(answer) < 500 && answer !== '401', `${path}: ${answer}`)
  }
})

test('405: the curl of a call with a body is believed when pasted', shell, async () => {
  const body = JSON.stringify({ Nombre: "Añil d'eau" })
  const script = signedCurl({ method: 'post', target: '/v3/colores', body }, server.url, 'SVC-HMAC')
  assert.equal(await runShell(`${script} -s -o /dev/null -w '%{http_code}'`), '405')
})

test('the script that receives takes what we send and refuses what others do, and is short enough to paste', async () => {
  assert.ok(receivingScript.split('\n').filter((line) => line.trim() !== '').length <= 22)
  const file = join(folder, 'recibir.mjs')
  await writeFile(file, receivingScript)
  const secret = `whsec_${Buffer.from('una clave que nadie conoce').toString('base64')}`
  const port = String(await freePort())
  const receiver = spawn(process.execPath, [file], { env: { ...process.env, SECRET: secret, PORT: port } })
  try {
    let printed = ''
    receiver.stdout.on('data', (chunk) => (printed += chunk))
    const body = Buffer.from('{"Id":"01JNG3Y4Z5A6B7C8D9E0F1G2H3"}')
    const post = async (signedWith: string, seconds: number) => {
      const message = { id: '01JNG3Y4Z5A6B7C8D9E0F1G2H3', timestamp: String(seconds), topic: 'webhook.prueba', body }
      const pairs = signatures([keyOf(signedWith)], message)
      const headers = ['webhook-id', message.id, 'webhook-timestamp', message.timestamp, ...pairs.slice(0, 2)]
      const entries = Array.from({ length: headers.length / 2 }, (_, at) => headers.slice(at * 2, at * 2 + 2))
      return (
        await send(`http://127.0.0.1:${port}`, '/', { method: 'POST', headers: Object.fromEntries(entries), body })
      ).status
    }
    const now = Math.floor(Date.now() / 1000)
    await until(() => post('otra clave, que no es', now).catch(() => false))
    assert.equal(await post('otra clave, que no es', now), 401)
    assert.equal(await post(secret, now - 600), 401)
    assert.equal(await post(secret, now), 204)
    await until(() => printed.includes('01JNG3Y4Z5A6B7C8D9E0F1G2H3'))
    assert.equal(printed.match(/01JNG3Y4Z5A6B7C8D9E0F1G2H3/g)?.length, 1)
  } finally {
    receiver.kill()
  }
})

test('a call without signature is plain, and its verb is named only where curl would choose another', () => {
  assert.equal(plainCurl({ method: 'get', target: '/health/live' }, 'http://x'), "curl 'http://x/health/live'")
  assert.equal(plainCurl({ method: 'post', target: '/t', body: 'a=b' }, 'http://x'), "curl 'http://x/t' \\\n  -d 'a=b'")
  assert.equal(plainCurl({ method: 'delete', target: '/t' }, 'http://x'), "curl -X DELETE 'http://x/t'")
})
