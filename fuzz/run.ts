// Requests made from the contract, against a server of its own: `npm run fuzz`, `npm run fuzz -- --requests 500000 --seed 7 --json`.
import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestServer } from '../tests/support/cluster.ts'
import { TEST_SERVER } from '../tests/support/database.ts'
import { campaign } from './campaign.ts'
import { openStage } from './stage.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const requests = Number(values.requests)
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed))
  throw new Error('--requests and --seed are whole numbers.')

const folder = await mkdtemp(join(tmpdir(), 'rodado-fuzz-'))
await chmod(folder, 0o711)
const cluster = await startTestServer(join(folder, 'data'))
process.env[TEST_SERVER] = JSON.stringify(cluster.server)
console.log(`seed ${seed}`)
const stage = await openStage()
const begun = performance.now()
let shown = begun
const totals = await campaign(stage, {
  requests,
  seed,
  onProgress({ requests: done }) {
    const now = performance.now()
    if (now - shown < 1000) return
    shown = now
    const rate = done / ((now - begun) / 1000)
    process.stderr.write(
      `\r${done} of ${requests}, ${Math.round(rate)}/s, ${Math.ceil((requests - done) / rate)} s left   `,
    )
  },
})
const seconds = (performance.now() - begun) / 1000
console.log(
  [...totals.byStatus]
    .sort()
    .map(([s, n]) => `${s}: ${n}`)
    .join('\n'),
)
console.log(totals.refusalsChecked, 'refusals checked')
for (const f of totals.found)
  console.log(`\n${f.kind}: ${f.says}\n  --seed ${f.seed} path ${f.path}\n  ${f.curl.slice(0, 3000)}`)
console.log(
  JSON.stringify({
    requests: totals.requests,
    faults: totals.found.length,
    perSecond: Math.round(totals.requests / seconds),
  }),
)
await stage.stop()
await cluster.stop()
await rm(folder, { recursive: true, force: true })
process.exitCode = totals.found.length > 0 ? 1 : 0
