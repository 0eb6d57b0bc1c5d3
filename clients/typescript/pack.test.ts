import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const run = promisify(execFile)
const PACKAGE = dirname(fileURLToPath(import.meta.url))
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
const MOST_GZIPPED_BYTES = 15_000

/** A partner's first program; it must run, and the types must require every topic. */
const PROGRAM = `import { createClient, ProblemError, verifyWebhook, type WebhookEvent } from '@rodado/client'

const rodado = createClient({ baseUrl: 'https://api.example', appKey: 'a', appSecret: 'b' })
export const mails = async (): Promise<string[]> => {
  const found: string[] = []
  for await (const { AdminMail } of rodado.listarAgencias()) found.push(AdminMail)
  return found
}
export const title = async (adminMail: string): Promise<string> => (await rodado.verAgencia({ adminMail }, { as: 'ref' })).title
// @ts-expect-error: an agency has no such member
export const wrong = async () => (await rodado.verAgencia({ adminMail: 'x' })).Nombres
// @ts-expect-error: the mail is needed
export const lacking = () => rodado.verAgencia({})

export function name(event: WebhookEvent): string {
  switch (event.Topic) {
    case 'agencia.registrada':
    case 'agencia.modificada':
    case 'agencia.desasociada':
      return event.Agencia.title
    case 'consulta.recibida':
    case 'consulta.modificada':
      return event.Consulta.Auto.Marca
    case 'consulta.suprimida':
      return event.Consulta.href
    case 'publicacion.activada':
    case 'publicacion.suspendida':
    case 'publicacion.archivada':
      return event.ExternalId
    case 'webhook.prueba':
      return event.Id
    default:
      return event satisfies never
  }
}
export const verified = (request: Request, secret: string) =>
  request.arrayBuffer().then((body) => verifyWebhook(request.headers, body, secret))
console.log(typeof rodado.publicarLote, new ProblemError(404, new Headers(), {}).status)
`

/** Runs the package with web standards only: no `process`, no `Buffer`, no module of Node. */
const EDGE = `import { readFileSync } from 'node:fs'
import { createContext, SourceTextModule } from 'node:vm'

const names = ['fetch', 'Headers', 'Response', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'crypto',
  'AbortSignal', 'AbortController', 'atob', 'btoa', 'setTimeout', 'clearTimeout', 'performance']
const context = createContext(Object.fromEntries(names.map((name) => [name, globalThis[name]])))
const modules = new Map()
const load = (name) => {
  const text = readFileSync('node_modules/@rodado/client/dist/' + name, 'utf8')
  if (!modules.has(name)) modules.set(name, new SourceTextModule(text, { context }))
  return modules.get(name)
}
const entry = load('rodado.js')
await entry.link((specifier) => load(specifier.replace('./', '')))
await entry.evaluate()
const { createClient, verifyWebhook } = entry.namespace
createClient({ baseUrl: 'https://api.example', appKey: 'a', appSecret: 'b' })
await verifyWebhook(new Headers(), '', 'x').catch(({ code }) => console.log(code))
`

describe('the published package', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rodado-client-'))
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKAGE })
    const [packed = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
    const project = join(folder, 'project')
    await mkdir(project)
    await writeFile(join(project, 'package.json'), '{"type":"module","private":true}')
    await run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', join(folder, packed)], {
      cwd: project,
    })
    await writeFile(join(project, 'program.ts'), PROGRAM)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const [module, resolution] of [
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'bundler'],
  ])
    it(`type-checks and runs in an empty project (${resolution})`, async () => {
      const cwd = join(folder, 'project')
      const options = ['--strict', '--target', 'ES2022', '--lib', 'ES2022,DOM,DOM.AsyncIterable', '--types', '']
      const how = ['--module', module ?? '', '--moduleResolution', resolution ?? '', '--outDir', 'out', 'program.ts']
      await run(process.execPath, [TSC, ...options, ...how], { cwd })
      const { stdout } = await run(process.execPath, ['out/program.js'], { cwd })
      assert.equal(stdout, 'function 404\n')
    })

  it('runs with web standards only', async () => {
    await writeFile(join(folder, 'project', 'edge.mjs'), EDGE)
    const args = ['--experimental-vm-modules', '--no-warnings', 'edge.mjs']
    const { stdout } = await run(process.execPath, args, { cwd: join(folder, 'project') })
    assert.equal(stdout, 'no-signature\n')
  })

  it('has its licence, and types for tools that do not read exports (moduleResolution node10)', async () => {
    const root = join(folder, 'project', 'node_modules', '@rodado', 'client')
    const { main, types } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const files = await Promise.all([main, types].map((file) => readFile(join(root, file), 'utf8')))
    for (const text of files) assert.match(text, /createClient/)
    assert.equal(
      await readFile(join(root, 'LICENSE'), 'utf8'),
      await readFile(join(PACKAGE, '..', '..', 'LICENSE'), 'utf8'),
    )
  })

  it('has no dependencies and is small', async () => {
    const installed = join(folder, 'project', 'node_modules')
    assert.deepEqual(
      (await readdir(installed)).filter((name) => !name.startsWith('.')),
      ['@rodado'],
    )
    const dist = join(installed, '@rodado', 'client', 'dist')
    const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js'))
    const bytes = Buffer.concat(await Promise.all(scripts.map((name) => readFile(join(dist, name)))))
    const { length } = gzipSync(bytes)
    assert(length < MOST_GZIPPED_BYTES, `${length} bytes gzipped`)
  })
})
