// Generates, builds and tries the clients: `npm run clients`, or `npm run clients -- python go` for some. Says which were
// skipped, and why. `npm run clients -- --generate` only generates.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startScenario } from '../clients/scenario.ts'
import { startTestServer } from '../tests/support/cluster.ts'
import { TEST_SERVER } from '../tests/support/database.ts'
import { clientDocument } from './clients/document.ts'
import { LANGUAGES } from './clients/languages.ts'
import { missingOf } from './clients/tools.ts'

/** What the package managers say without a network. */
const OFFLINE =
  /curl error 6\b|UnknownHostException|Temporary failure in name resolution|Name or service not known|no such host|EAI_AGAIN/

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const args = process.argv.slice(2)
const generateOnly = args.includes('--generate')
const chosen = args.filter((arg) => arg !== '--generate')
const unknown = chosen.filter((name) => !LANGUAGES.some((each) => each.name === name))
if (unknown.length > 0)
  throw new Error(`No client is called ${unknown}. There are: ${LANGUAGES.map(({ name }) => name)}`)

const folder = await mkdtemp(join(tmpdir(), 'rodado-clients-'))
const document = join(folder, 'openapi.json')
const contract = JSON.parse(await readFile(join(ROOT, 'contract/openapi.json'), 'utf8'))
await writeFile(document, JSON.stringify(clientDocument(contract), null, 2))

/** Starts the server of the scenario with the first language that needs it. */
let scenario: Promise<{ check: Awaited<ReturnType<typeof startScenario>>['check']; stop(): Promise<void> }> | undefined
async function start() {
  const data = join(folder, 'data')
  await mkdir(data)
  const database = await startTestServer(data)
  process.env[TEST_SERVER] = JSON.stringify(database.server)
  const server = await startScenario()
  return { check: server.check, stop: () => server.stop().then(database.stop) }
}

for (const { name, requires, generate, build, run } of LANGUAGES) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const dir = join(ROOT, 'clients', name)
  try {
    const missingGenerators = await missingOf(requires.generate)
    if (missingGenerators.length > 0) {
      console.log(`${name}: SKIPPED, there is no ${missingGenerators.join(', ')}`)
      continue
    }
    await generate(document, dir)
    if (generateOnly) {
      console.log(`${name}: generated`)
      continue
    }
    const missingRuntimes = await missingOf(requires.run)
    if (missingRuntimes.length > 0) {
      console.log(`${name}: generated and NOT RUN, there is no ${missingRuntimes.join(', ')}`)
      continue
    }
    await build(dir, folder)
    const { check } = await (scenario ??= start())
    await check((env) => run(dir, folder, env))
    console.log(`${name}: ok`)
  } catch (error) {
    const { message } = error as Error
    const [offline] = OFFLINE.exec(message.replace(/\s+/g, ' ')) ?? []
    if (offline) console.log(`${name}: SKIPPED, its libraries cannot be fetched (${offline})`)
    else {
      process.exitCode = 1
      console.error(`${name}: FAILED\n${message}`)
    }
  }
}
await (await scenario)?.stop()
await rm(folder, { recursive: true, force: true })
