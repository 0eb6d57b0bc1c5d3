import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Caller, callerFor } from '../../../../tests/support/caller.ts'
import { makeShop, type Shop } from '../../../../tests/support/listing.ts'
import { type RodadoProcess, startRodado } from '../../../../tests/support/rodado-process.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { type PlanContext, planRows } from './plan.ts'
import { readRows } from './rows.ts'

const SIZE = 16 * 1_048_576
const NDJSON = { 'content-type': 'application/x-ndjson' }
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=512' }

/** A body of the largest size: as many copies of a text as fit between two others. */
const filled = (before: string, text: string, after: string): string =>
  before +
  text.repeat(Math.floor((SIZE - before.length - after.length) / text.length) - 1) +
  text.replace(/,$/, '') +
  after

const unknownMembers = (count: number): string => Array.from({ length: count }, (_, at) => `"m${at}":0`).join()
const rows = (row: string): string =>
  `[${Array(500)
    .fill(row.padEnd(SIZE / 500 - 2))
    .join()}]`

interface Upload {
  name: string
  body: string
  status: number
  headers?: Record<string, string>
}

const UPLOADS: Upload[] = [
  { name: 'rows of wrong items', body: rows(`{"Fotos":[${'1,'.repeat(900)}1]}`), status: 200 },
  { name: 'rows of unknown members', body: rows(`{${unknownMembers(900)}}`), status: 200 },
  { name: 'one row of wrong items', body: filled('[{"Fotos":[', '1,', ']}]'), status: 200 },
  { name: 'one row of unknown members', body: `[{${unknownMembers(1_000_000)}}]`, status: 200 },
  { name: 'nesting', body: filled('', '[', ''), status: 400 },
  { name: 'empty rows', body: filled('[', '{},', ']'), status: 400 },
  { name: 'blank lines', body: filled('', '\n', ''), status: 200, headers: NDJSON },
]

describe('POST /v3/publicaciones/{adminMail}/lote, hostile uploads of 16 MiB', () => {
  let server: TestServer
  let rodado: RodadoProcess
  let shop: Shop
  let caller: Caller
  before(async () => {
    server = await startServer()
    const app = await server.newApp()
    shop = await makeShop(server, app)
    rodado = await startRodado(server.connection, server.masterKey, SMALL_HEAP)
    caller = callerFor(rodado.url, app.app.appKey, app.secret)
  })
  after(async () => {
    await rodado.stop()
    await server.stop()
  })

  async function upload({ name, body, headers = {} }: Upload) {
    const { status, bytes } = await caller.call('POST', `${shop.list}/lote`, { body, headers })
    assert.ok(bytes.length < 131_072, `${name}: an answer of ${bytes.length} bytes`)
    return { name, status }
  }

  it('200 or 400: a process with a heap of 512 MiB answers all of them, four at once', async () => {
    const answers = [
      ...(await Promise.all(UPLOADS.slice(0, 4).map(upload))),
      ...(await Promise.all(UPLOADS.slice(4).map(upload))),
    ]
    assert.deepEqual(
      answers,
      UPLOADS.map(({ name, status }) => ({ name, status })),
    )
    assert.equal((await caller.get(shop.list)).json.Total, 0)
  })
})

/** How often the event loop turned before the promise was settled. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    if (isOver) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  await work
  isOver = true
  return turns
}

it('other requests run while the 500 rows of an upload are read and planned', async () => {
  const bytes = Buffer.from(JSON.stringify(Array(500).fill({})))
  const reading = readRows({ bytes, isLines: false }, {})
  assert.ok((await turnsOf(reading)) >= 40)
  // Rows whose form is wrong touch nothing of the ground.
  assert.ok((await turnsOf(planRows(await reading, { details: {} } as PlanContext))) >= 40)
})
