import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApi } from '../fuzz/api.ts'
import { campaign, type Totals } from '../fuzz/campaign.ts'
import { OPERATIONS } from '../fuzz/contract.ts'
import { coverageGaps } from '../fuzz/coverage.ts'
import { openPages } from '../fuzz/pages.ts'
import { summarise } from '../fuzz/report.ts'
import type { Surface } from '../fuzz/surface.ts'
import { ROLES } from './isolation/pages.ts'

/** A fixed seed, so that a failure repeats. `npm run fuzz` sends other and more requests. */
const SEED = 20_261_115
const SHARES = { API: 512, pages: 256 }

describe('fuzz: a short run with a fixed seed', () => {
  async function explore<T>(open: () => Promise<Surface<T>>, requests: number): Promise<void> {
    const surface = await open()
    try {
      const totals = await campaign(surface, { requests, seed: SEED })
      assert.deepEqual(totals.found, [])
      assert.equal(totals.serverErrors, 0)
      assert.deepEqual(coverageGaps(surface.name, requests, totals), [])
    } finally {
      await surface.stop()
    }
  }

  it(`${SHARES.API} requests to the APIs: no 5xx, every response matches the contract, nothing half written`, () =>
    explore(openApi, SHARES.API))

  it(`${SHARES.pages} requests to pages: no 5xx, no user input as markup, no foreign record, nothing half written`, () =>
    explore(openPages, SHARES.pages))
})

const OPERATION_IDS = OPERATIONS.map(({ operationId }) => operationId)
const each = (names: readonly string[], count: number) => Object.fromEntries(names.map((name) => [name, count]))
const totalsOf = (side: 'API' | 'pages', requests: number, other: Partial<Totals> = {}): Totals => ({
  requests,
  byStatus: { 200: requests },
  found: [],
  refusals: requests / 4,
  announced: 0,
  serverErrors: 0,
  accepted: side === 'API' ? each(OPERATION_IDS, requests / 200) : each(ROLES, requests / 30),
  ...other,
})

describe('fuzz: the report of a run', () => {
  const PLANNED = { API: 45_000, pages: 5_000 }
  const run = { planned: PLANNED, seed: 7, seconds: 10, ended: true }
  const sumOf = (api: Partial<Totals> = {}, pages: Partial<Totals> = {}, how = run) =>
    summarise(
      [
        { side: 'API', totals: totalsOf('API', PLANNED.API, api) },
        { side: 'pages', totals: totalsOf('pages', PLANNED.pages, pages) },
      ],
      how,
    )

  it('no fault if nothing was found and coverage is sufficient; announced 503 are counted apart', () => {
    const { sum, lines } = sumOf({ announced: 22 }, { announced: 1 })
    assert.deepEqual(sum, {
      requests: 50_000,
      faults: 0,
      foreign: 0,
      announced: 23,
      serverErrors: 0,
      seed: 7,
      seconds: 10,
      perSecond: 5_000,
    })
    assert.match(lines.join('\n'), /503 with Retry-After +22 +1\n/)
  })

  it('every finding is a fault, and every 5xx is counted', () => {
    const found = [{ kind: 'server error' as const, message: '500', curl: '', seed: 1 }]
    const { sum, lines } = sumOf({ found, serverErrors: 31 })
    assert.deepEqual([sum.faults, sum.serverErrors, sum.foreign], [1, 31, 0])
    assert.match(lines.join('\n'), /any other 5xx +31 +0\n/)
    assert.equal(sumOf({ found: [{ kind: 'foreign', message: 'x', curl: '', seed: 1 }] }).sum.foreign, 1)
  })

  const INSUFFICIENT: [string, RegExp, () => ReturnType<typeof sumOf>][] = [
    ['a worker died', /a worker did not finish/, () => sumOf({}, {}, { ...run, ended: false })],
    ['a surface got no requests', /pages: 0 requests were sent of 5000/, () => summarise([], run)],
    ['nothing was accepted', /API: 0 requests were accepted, at least 4500/, () => sumOf({ accepted: {} })],
    ['nothing was refused', /API: 0 refusals were checked/, () => sumOf({ refusals: 0 })],
    [
      'an operation accepted too few',
      /API: verAgencia accepted 8, at least 9 are needed/,
      () => sumOf({ accepted: { ...each(OPERATION_IDS, 225), verAgencia: 8 } }),
    ],
    [
      'a role completed nothing',
      /pages: staff accepted 0, at least 10 are needed/,
      () => sumOf({}, { accepted: { ...each(ROLES, 160), staff: 0 } }),
    ],
  ]
  for (const [title, message, made] of INSUFFICIENT)
    it(`fault: ${title}`, () => {
      const { sum, lines } = made()
      assert.ok(sum.faults > 0)
      assert.match(lines.join('\n'), message)
    })

  it('a small run needs less coverage', () => {
    const few = { ...each(OPERATION_IDS.slice(0, 60), 5) }
    assert.deepEqual(coverageGaps('API', 1_000, totalsOf('API', 1_000, { accepted: few })), [])
    const fewer = { ...each(OPERATION_IDS.slice(0, 10), 30) }
    const [gap = '', ...others] = coverageGaps('API', 1_000, totalsOf('API', 1_000, { accepted: fewer }))
    const [, accepted, all, needed] = gap.match(/^(\d+) of (\d+) accepted a request, at least (\d+) are needed$/) ?? []
    assert.deepEqual([accepted, all, others], ['10', String(OPERATION_IDS.length), []])
    assert.ok(Number(needed) > 10 && Number(needed) < OPERATION_IDS.length)
    assert.deepEqual(coverageGaps('pages', 100, totalsOf('pages', 100, { accepted: { anonymous: 12 } })), [
      '1 of 7 accepted a request, at least 3 are needed',
    ])
  })
})
