import assert from 'node:assert/strict'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { describe, it } from 'node:test'
import { type Part, sharesOf } from './parts.ts'
import { flameOf, tableOf } from './report.ts'
import { stacksOf } from './stacks.ts'

type Node = [id: number, name: string, url: string, children: number[], scriptId?: string]
const at = 'file:///srv/rodado'

/** As V8 writes them: a request whose answer is written, proven by a digest, between garbage and idleness. */
const NODES: Node[] = [
  [1, '(root)', '', [2, 3, 4, 5]],
  [2, '(idle)', '', []],
  [3, '(program)', '', []],
  [4, '(garbage collector)', '', []],
  [5, 'parserOnHeadersComplete', 'node:_http_common', [6, 9, 11, 13, 14]],
  [6, 'prove', `${at}/dist/auth/signed.js`, [7]],
  [7, 'hash', 'node:internal/crypto/hash', [8]],
  [8, 'oneShotDigest', '', []],
  [9, 'writevGeneric', 'node:internal/stream_base_commons', [10]],
  [10, 'writev', '', []],
  [11, 'validate', `${at}/dist/http/validate.js`, [12]],
  [12, 'validate10', '', [], '77'],
  [13, 'parse', `${at}/node_modules/pg-protocol/dist/parser.js`, []],
  [14, 'lookup', `${at}/node_modules/find-my-way/index.js`, []],
]

const profileOf = (spent: [id: number, micros: number][]): Profiler.Profile => ({
  nodes: NODES.map(([id, functionName, url, children, scriptId]) => ({
    id,
    callFrame: { functionName, url, scriptId: scriptId ?? (url ? '5' : '0'), lineNumber: 9, columnNumber: 0 },
    children,
  })),
  startTime: 0,
  endTime: 0,
  samples: spent.map(([id]) => id),
  timeDeltas: spent.map(([, micros]) => micros),
})

const ofParts = (spent: [number, number][]) =>
  Object.fromEntries(
    Object.entries(sharesOf(stacksOf(profileOf(spent)))).flatMap(([part, share]) =>
      share > 0 ? [[part, Math.round(share * 100)]] : [],
    ),
  ) as Partial<Record<Part, number>>

describe('a profile', () => {
  it('is told by parts: files by their place, what is built in by its caller, sockets as the kernel', () => {
    const spent: [number, number][] = [3, 4, 5, 6, 8, 10, 12, 12, 13, 14].map((id) => [id, 200])
    assert.deepEqual(ofParts(spent), {
      'kernel: sockets, event loop': 20,
      'Node: HTTP, streams, ticks': 10,
      'garbage collection': 10,
      Fastify: 10,
      'validators and printers made from schemas': 20,
      'signatures, and who asks': 20,
      'SQL client: statements out, rows in': 10,
    })
  })

  it('leaves out idleness, and the time in which others had the core', () => {
    const { total } = stacksOf(
      profileOf([
        [2, 50_000],
        [6, 200],
        [13, 30_000],
      ]),
    )
    assert.equal(total, 600)
  })

  it('puts calls of the same function together, one inside the other as they were', () => {
    const root = stacksOf(
      profileOf([
        [8, 200],
        [8, 100],
        [6, 100],
      ]),
    )
    const [listening] = root.called.filter(({ total }) => total > 0)
    const [proving] = listening?.called.filter(({ total }) => total > 0) ?? []
    assert.deepEqual([listening?.name, listening?.self, listening?.total], ['parserOnHeadersComplete', 0, 400])
    assert.deepEqual([proving?.file, proving?.self, proving?.total], ['src/auth/signed.js', 100, 400])
  })

  it('of a process that works is all accounted for', async () => {
    const inspector = new Session()
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.start')
    for (let turn = 0; turn < 2_000; turn++) JSON.parse(JSON.stringify(NODES))
    const { profile } = await inspector.post('Profiler.stop')
    inspector.disconnect()
    const shares = Object.values(sharesOf(stacksOf(profile)))
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9)
  })

  it('becomes a column of whole percents, and a picture that names its functions', () => {
    const subject = { name: 'a', title: 'asked', profile: () => assert.fail('it is taken already') }
    const profile = profileOf([
      [8, 300],
      [13, 100],
    ])
    const shares = sharesOf(stacksOf(profile))
    const table = tableOf([{ ...subject, shares, nodeMicros: 40.4, postgresMicros: 0 }])
    const cell = (row: string) => table.find(([name]) => name?.includes(row))?.[1]
    assert.deepEqual(['signature', 'SQL', 'Fastify', 'µs of Node', 'µs of Post'].map(cell), [
      '75',
      '25',
      '–',
      '40',
      '–',
    ])
    const svg = flameOf(subject, { profile, count: 10, postgresMicros: 0 })
    assert.ok(svg.includes('<title>prove src/auth/signed.js:10: 75.0 %</title>'))
  })
})
