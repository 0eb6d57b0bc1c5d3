import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApi } from '../fuzz/api.ts'
import { campaign } from '../fuzz/campaign.ts'
import { openPages } from '../fuzz/pages.ts'
import type { Surface } from '../fuzz/surface.ts'

/** The same requests every time: what fails here fails again. `npm run fuzz` makes others, and many more. */
const SEED = 20_261_115
const SHARES = { API: 1000, pages: 200 }

describe('fuzz: a small share of it, the same every time', () => {
  async function explore<T>(open: () => Promise<Surface<T>>, requests: number): Promise<void> {
    const surface = await open()
    try {
      const totals = await campaign(surface, { requests, seed: SEED })
      assert.ok(totals.requests >= requests)
      assert.ok(totals.refusals > 0, 'some were refused, and looked at for what they left behind')
      assert.deepEqual(totals.found, [])
      const taken = Object.entries(totals.byStatus).filter(([status]) => /^[23]/.test(status))
      const share = taken.reduce((sum, [, count]) => sum + count, 0) / totals.requests
      assert.ok(share > 0.1, `only ${share} of the requests were taken: nobody gets in`)
    } finally {
      await surface.stop()
    }
  }

  it(`${SHARES.API} requests to the APIs: no 5xx, every answer as the contract says, nothing half written`, () =>
    explore(openApi, SHARES.API))

  it(`${SHARES.pages} visits to pages: no 5xx, nobody’s text as markup, nothing of another’s, nothing half written`, () =>
    explore(openPages, SHARES.pages))
})
