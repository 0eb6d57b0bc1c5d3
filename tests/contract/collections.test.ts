import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { COLLECTIONS, printCollections, readCollections } from '../../scripts/collections.ts'
import { CONTRACTS } from '../../scripts/document.ts'
import { newMail } from '../support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../support/server.ts'

const execute = promisify(execFile)

/** Requests without a body, with a query that is encoded, and with a body; what the server answers each. */
const REQUESTS = [
  { id: 'verPuntosDeEntrada', tag: 'Home', name: '', expected: [200] },
  { id: 'buscarCiudad', tag: 'Ciudades', name: '', expected: [200] },
  { id: 'invitarAgencia', tag: 'Agencias', name: '', expected: [201, 202] },
  { id: 'pedirToken', tag: 'Autenticacion', name: '', expected: [200] },
]

describe('collections', () => {
  const files = readFile(CONTRACTS.partners, 'utf8').then((text) => printCollections(JSON.parse(text)))

  it('are those of the document', async () => {
    const fresh =
      JSON.stringify(Object.entries(await readCollections()).sort()) ===
      JSON.stringify(Object.entries(await files).sort())
    assert.ok(fresh, 'contract/collections is stale. Write it anew with: npm run contract')
  })

  it('have every operation', async () => {
    const { paths } = JSON.parse(await readFile(CONTRACTS.partners, 'utf8'))
    const ids = Object.values<Record<string, { operationId?: string; summary?: string }>>(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId }) => operationId ?? [])
    const bruno = Object.keys(await files).flatMap((path) => /^bruno\/\w+\/(\w+)\.bru$/.exec(path)?.[1] ?? [])
    assert.deepEqual(bruno.filter((id) => id !== 'folder' && id !== 'local').sort(), ids.sort())
    const postman = JSON.parse((await files)['rodado.postman_collection.json'] ?? '')
    assert.equal(postman.item.flatMap(({ item }: { item: unknown[] }) => item).length, ids.length)
  })

  it('Bruno: has defaults for use without an environment, none of them secret', async () => {
    const vars = /^vars:pre-request \{\n([^}]*)\}/m.exec((await files)['bruno/collection.bru'] ?? '')?.[1] ?? ''
    for (const name of ['baseUrl', 'signaturePrefix', 'auth', 'adminMail'])
      assert.match(vars, RegExp(`^ {2}${name}: .`, 'm'))
    assert.doesNotMatch(vars, /appKey|appSecret|accessToken/)
  })

  describe('run against a server', () => {
    let folder: string
    let server: TestServer
    let app: TestApp
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rodado-collections-'))
      server = await startServer()
      app = await server.newApp()
      for (const request of REQUESTS) {
        const text = (await files)[`bruno/${request.tag}/${request.id}.bru`] ?? ''
        request.name = /^ {2}name: (.+)$/m.exec(text)?.[1] ?? ''
      }
    })
    after(async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    })
    const options = (more: Record<string, string>) =>
      Object.entries({
        baseUrl: server.url,
        appKey: app.app.appKey,
        appSecret: app.secret,
        adminMail: newMail(),
        ...more,
      }).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])

    type Run = (requests: typeof REQUESTS, more: Record<string, string>) => Promise<Ran[]>
    const newman: Run = async (requests, more) => {
      const report = join(folder, 'newman.json')
      const names = requests.flatMap(({ name }) => ['--folder', name])
      const collection = join(COLLECTIONS, 'rodado.postman_collection.json')
      const reporter = ['--reporters', 'json', '--reporter-json-export', report]
      await execute('newman', ['run', collection, ...names, ...options(more), ...reporter])
      const { executions } = JSON.parse(await readFile(report, 'utf8')).run as { executions: NewmanExecution[] }
      return executions.map(({ item, request, response }) => ({
        name: item.name,
        status: response.code,
        isSigned: request.header.some(({ key }) => key === 'x-svc-nonce'),
      }))
    }
    const bru: Run = async (requests, more) => {
      const report = join(folder, 'bru.json')
      const paths = requests.map(({ id, tag }) => `${tag}/${id}.bru`)
      const args = ['run', ...paths, '--env', 'local', ...options(more), '--reporter-json', report]
      await execute('bru', args, { cwd: join(COLLECTIONS, 'bruno') })
      const [{ results }] = JSON.parse(await readFile(report, 'utf8')) as [{ results: BrunoResult[] }]
      return results.map(({ name, request, response }) => ({
        name,
        status: response.status,
        isSigned: 'x-svc-nonce' in request.headers,
      }))
    }

    for (const [title, runner, run] of [
      ['Postman', 'newman', newman],
      ['Bruno', 'bru', bru],
    ] as const)
      describe(title, { skip: isMissing(runner) }, () => {
        it('2xx: signs requests without a body, with a query and with a body', async () => {
          const ran = await run(REQUESTS, {})
          assert.equal(ran.length, REQUESTS.length)
          for (const { name, id, expected } of REQUESTS) {
            const found = ran.find((each) => each.name === name)
            assert.ok(expected.includes(found?.status ?? 0), `${name}: ${found?.status}`)
            assert.equal(found?.isSigned, id !== 'pedirToken', name)
          }
        })

        it('2xx: or sends the token that it got', async () => {
          const both = ['pedirToken', 'buscarCiudad'].flatMap((id) => REQUESTS.filter((each) => each.id === id))
          const [, city] = await run(both, { auth: 'token' })
          assert.deepEqual([city?.status, city?.isSigned], [200, false])
        })
      })
  })
})

interface Ran {
  name: string
  status: number
  isSigned: boolean
}

/** The parts of the runners' reports that are read. */
interface NewmanExecution {
  item: { name: string }
  request: { header: { key: string }[] }
  response: { code: number }
}

interface BrunoResult {
  name: string
  request: { headers: Record<string, string> }
  response: { status: number }
}

function isMissing(runner: string): string | false {
  const packages: Record<string, string> = { newman: 'newman', bru: '@usebruno/cli' }
  return spawnSync(runner, ['--version']).error
    ? `${runner} is not installed: npm install --global ${packages[runner]}`
    : false
}
