import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { operationsOf } from '../../http/openapi/document.ts'
import { documentOf } from '../../http/openapi.ts'
import { plainCurl, sampleCall, signedCurl } from './call.ts'

const run = promisify(execFile)
const hasShell = ['bash', 'curl', 'openssl'].every((tool) => spawnSync(tool, ['--version']).error === undefined)
const shell = { skip: hasShell ? false : 'bash, curl and openssl are needed to run what the page shows' }

let server: TestServer
let app: TestApp
before(async () => {
  server = await startServer()
  app = await server.newApp()
})
after(() => server.stop())

const runShell = async (script: string) => {
  const env = { ...process.env, APP_KEY: app.app.appKey, APP_SECRET: app.secret }
  return (await run('bash', ['-c', script], { env })).stdout
}

test('the curl of every operation that reads is believed when pasted', shell, async () => {
  const document = documentOf(server.app)
  const reads = operationsOf(document.paths).filter(({ path, method }) => method === 'get' && path.startsWith('/v3'))
  for (const { path, method, operation } of reads) {
    const call = sampleCall(path, method, operation, document)
    const answer = await runShell(`${signedCurl(call, server.url, 'SVC-HMAC')} -s -o /dev/null -w '%{http_code}'`)
    assert.ok(Number(answer) < 500 && answer !== '401', `${path}: ${answer}`)
  }
})

test('what the page shows as the body of an operation is accepted', async () => {
  const document = documentOf(server.app)
  await makeAgencia(depsOf(server), app.app, { mail: 'ventas@agencia.example' })
  const writes = operationsOf(document.paths).filter(
    ({ path, operation }) => path.startsWith('/v3') && operation.requestBody,
  )
  for (const { path, method, operation } of writes) {
    const { target, body = '' } = sampleCall(path, method, operation, document)
    const { json } = await app.call(method.toUpperCase(), target, { body })
    // Who works in an agency is not for an example to know.
    const codes: string[] = Object.values(json.Extensions?.Codigos ?? {}).flat() as string[]
    const isAccepted = json.Status !== 400 || codes.every((code) => code === 'no-colabora')
    assert.ok(isAccepted, `${method} ${target} ${body}: ${JSON.stringify(json.Errors)}`)
  }
})

test('405: the curl of a call with a body is believed when pasted', shell, async () => {
  const body = JSON.stringify({ Nombre: "Añil d'eau" })
  const script = signedCurl({ method: 'post', target: '/v3/colores', body }, server.url, 'SVC-HMAC')
  assert.equal(await runShell(`${script} -s -o /dev/null -w '%{http_code}'`), '405')
})

test('a call without signature is plain, and its verb is named only where curl would choose another', () => {
  assert.equal(plainCurl({ method: 'get', target: '/health/live' }, 'http://x'), "curl 'http://x/health/live'")
  assert.equal(plainCurl({ method: 'post', target: '/t', body: 'a=b' }, 'http://x'), "curl 'http://x/t' \\\n  -d 'a=b'")
  assert.equal(plainCurl({ method: 'delete', target: '/t' }, 'http://x'), "curl -X DELETE 'http://x/t'")
})
