import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApi } from '../fuzz/api.ts'
import { campaign, type Totals } from '../fuzz/campaign.ts'
import { OPERATIONS } from '../fuzz/contract.ts'
import { tooLittle } from '../fuzz/enough.ts'
import { openPages } from '../fuzz/pages.ts'
import { summarise } from '../fuzz/report.ts'
import type { Surface } from '../fuzz/surface.ts'
import { ROLES } from './isolation/pages.ts'

/** The same requests every time: what fails here fails again. `npm run fuzz` makes others, and many more. */
const SEED = 20_261_115
const SHARES = { API: 1000, pages: 400 }

describe('fuzz: a small share of it, the same every time', () => {
  async function explore<T>(open: () => Promise<Surface<T>>, requests: number): Promise<void> {
    const surface = await open()
    try {
      const totals = await campaign(surface, { requests, seed: SEED })
      assert.deepEqual(totals.found, [])
      assert.equal(totals.serverErrors, 0)
      assert.deepEqual(tooLittle(surface.name, requests, totals), [])
    } finally {
      await surface.stop()
    }
  }

  it(`${SHARES.API} requests to the APIs: no 5xx, every answer as the contract says, nothing half written`, () =>
    explore(openApi, SHARES.API))

  it(`${SHARES.pages} visits to pages: no 5xx, nobody’s text as markup, nothing of another’s, nothing half written`, () =>
    explore(openPages, SHARES.pages))
})

const OPERATION_IDS = OPERATIONS.map(({ operationId }) => operationId)
const each = (names: readonly string[], count: number) => Object.fromEntries(names.map((name) => [name, count]))
const totalsOf = (side: 'API' | 'pages', requests: number, other: Partial<Totals> = {}): Totals => ({
  ...{ requests, byStatus: { 200: requests }, found: [], refusals: requests / 4, announced: 0, serverErrors: 0 },
  taken: side === 'API' ? each(OPERATION_IDS, requests / 200) : each(ROLES, requests / 30),
  ...other,
})

describe('fuzz: what a run comes to', () => {
  const ASKED = { API: 45_000, pages: 5_000 }
  const run = { asked: ASKED, seed: 7, seconds: 10, ended: true }
  const sumOf = (api: Partial<Totals> = {}, pages: Partial<Totals> = {}, how = run) =>
    summarise(
      [
        { side: 'API', totals: totalsOf('API', ASKED.API, api) },
        { side: 'pages', totals: totalsOf('pages', ASKED.pages, pages) },
      ],
      how,
    )

  it('no fault where nothing was found and enough was asked; every answer is counted, and 503 that were announced apart', () => {
    const { sum, lines } = sumOf({ announced: 22 }, { announced: 1 })
    assert.deepEqual(sum, {
      ...{ requests: 50_000, faults: 0, foreign: 0, announced: 23, serverErrors: 0 },
      ...{ seed: 7, seconds: 10, perSecond: 5_000 },
    })
    assert.match(lines.join('\n'), /503 announced, with Retry-After +22 +1\n/)
  })

  it('what was found is a fault by its kind, and each 5xx is counted, however many are alike', () => {
    const found = [{ kind: 'server error' as const, says: '500', curl: '', seed: 1 }]
    const { sum, lines } = sumOf({ found, serverErrors: 31 })
    assert.deepEqual([sum.faults, sum.serverErrors, sum.foreign], [1, 31, 0])
    assert.match(lines.join('\n'), /any other 5xx +31 +0\n/)
    assert.equal(sumOf({ found: [{ kind: 'foreign', says: 'x', curl: '', seed: 1 }] }).sum.foreign, 1)
  })

  const TOO_LITTLE: [string, RegExp, () => ReturnType<typeof sumOf>][] = [
    ['a worker died', /a worker did not come/, () => sumOf({}, {}, { ...run, ended: false })],
    ['one side was never asked', /pages: 0 requests were sent of 5000/, () => summarise([], run)],
    ['nobody got in', /API: 0 requests were taken, at least 4500/, () => sumOf({ taken: {} })],
    ['nothing was refused', /API: 0 refusals were looked at/, () => sumOf({ refusals: 0 })],
    [
      'an operation took nothing',
      /API: verAgencia took 8, at least 9 are needed/,
      () => sumOf({ taken: { ...each(OPERATION_IDS, 225), verAgencia: 8 } }),
    ],
    [
      'a role got nothing done',
      /pages: staff took 0, at least 10 are needed/,
      () => sumOf({}, { taken: { ...each(ROLES, 160), staff: 0 } }),
    ],
  ]
  for (const [title, says, made] of TOO_LITTLE)
    it(`a fault: ${title}`, () => {
      const { sum, lines } = made()
      assert.ok(sum.faults > 0)
      assert.match(lines.join('\n'), says)
    })

  it('a small run is judged by what can be asked of it', () => {
    const few = { ...each(OPERATION_IDS.slice(0, 60), 5) }
    assert.deepEqual(tooLittle('API', 1_000, totalsOf('API', 1_000, { taken: few })), [])
    const fewer = { ...each(OPERATION_IDS.slice(0, 10), 30) }
    assert.deepEqual(tooLittle('API', 1_000, totalsOf('API', 1_000, { taken: fewer })), [
      `10 of ${OPERATION_IDS.length} took anything, at least 31 are needed`,
    ])
    assert.deepEqual(tooLittle('pages', 100, totalsOf('pages', 100, { taken: { anonymous: 12 } })), [
      '1 of 7 took anything, at least 3 are needed',
    ])
  })
})
