import { compareServers } from '../compare.ts'
import { bareInsert, prepareInquiries, takeLettersAway } from '../inquiries/intake.ts'
import type { Scenario } from '../scenario.ts'
import { BARE_INSERT } from '../server-process.ts'

const about = { name: 'intake', title: 'An inquiry received, beside the bare insert of its rows', target: 0.6 }

/**
 * POST /interno/v1/consultas beside a bare server that puts the same inquiry, event and count in. The letters are written
 * too, and carried by nobody: that is a worker's work, and they are gone afterwards.
 */
export const intake: Scenario = {
  name: about.name,
  title: about.title,
  seconds: 27,
  async measure(bench) {
    const market = await bench.market()
    return compareServers(bench, {
      about,
      environment: { ROLE: 'api' },
      usual: true,
      asksPostgres: true,
      bare: async (ours) => ({ program: BARE_INSERT, ...(await bareInsert(bench.installation, market, ours.port)) }),
      prepare: async () => prepareInquiries(market),
    }).finally(() => takeLettersAway(bench.installation))
  },
}
