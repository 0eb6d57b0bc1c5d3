// node --import tsx drills/test-suite.ts tests/secrets tests/stories --json
// Runs tests as a part of `npm run trust`: shows the files and failures; the last line counts the requests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { REQUESTS_FILE } from '../tests/support/requests-file.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SHOWN = /^(▶|✔|✖|ℹ (tests|pass|fail|skipped))|✖/

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
const folder = await mkdtemp(join(tmpdir(), 'rodado-suite-'))
const file = join(folder, 'requests.txt')
try {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/test.ts', ...positionals], {
    cwd: ROOT,
    env: { ...process.env, [REQUESTS_FILE]: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  for await (const line of createInterface(child.stdout)) if (SHOWN.test(line)) console.log(line)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const counted = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  const requests = counted.reduce((sum, count) => sum + Number(count), 0)
  if (values.json) console.log(JSON.stringify({ requests }))
  process.exitCode = child.exitCode ?? 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
