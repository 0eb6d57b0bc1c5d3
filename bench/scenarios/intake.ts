import { compareServers } from '../compare.ts'
import { bareInsert, listen, prepareInquiries, takeAway } from '../inquiries/intake.ts'
import type { Scenario } from '../scenario.ts'
import { BARE_INSERT } from '../server-process.ts'

const about = { name: 'intake', title: 'An inquiry received, beside the bare insert of its rows', target: 0.6 }

/**
 * POST /interno/v1/consultas, each under a key of its own, beside a bare server that puts the same inquiry, key, event,
 * delivery and count in. Deliveries and letters are carried by nobody: that is a worker's work, and they are gone afterwards.
 */
export const intake: Scenario = {
  name: about.name,
  title: about.title,
  seconds: 27,
  async measure(bench) {
    const market = await bench.market()
    await listen(bench.installation, market.app)
    return compareServers(bench, {
      about,
      environment: { ROLE: 'api' },
      usual: true,
      postgresMicros: bench.installation.postgresMicros,
      bare: async (ours) => ({ program: BARE_INSERT, ...(await bareInsert(bench.installation, market, ours.port)) }),
      prepare: async () => prepareInquiries(market),
    }).finally(() => takeAway(bench.installation, market.app))
  },
}
