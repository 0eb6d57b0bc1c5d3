import { join } from 'node:path'
import { startClient } from '../client/process.ts'
import { bareInsert, openMarket, prepareInquiries } from '../inquiries/intake.ts'
import { install } from '../installation.ts'
import { interleave } from '../rounds.ts'
import type { Bench, Comparison, Scenario } from '../scenario.ts'
import { BARE_INSERT, startBare, startRodado } from '../server-process.ts'

const about = { name: 'intake', title: 'An inquiry received, beside the bare insert of its rows', target: 0.6 }

/**
 * POST /interno/v1/consultas beside a bare server that puts the same inquiry, event and count in. Both share a core with
 * PostgreSQL, so rates compare. The letters are written too, and carried by nobody: that is a worker's work.
 */
export const intake: Scenario = {
  name: about.name,
  title: about.title,

  async measure({ progress }: Bench): Promise<Comparison> {
    const installation = await install()
    const running: { stop(): Promise<void> }[] = []
    try {
      const market = await openMarket(installation)
      const environment = { ...installation.environment, ROLE: 'api' }
      const ours = await startRodado(environment, join(installation.folder, 'rodado.log'))
      running.push(ours)
      const { file, bodyBytes } = await bareInsert(installation, market, ours.port)
      const bare = await startBare(file, join(installation.folder, 'bare.log'), BARE_INSERT)
      running.push(bare)
      const client = startClient()
      running.push(client)
      const prepare = async () => prepareInquiries(market)
      const rounds = await interleave({ bare, ours }, client, prepare, (line) => progress(`${about.name}  ${line}`))
      return { kind: 'comparison', ...about, bodyBytes, ...rounds, ratioOf: 'rate' }
    } finally {
      for (const process of running.reverse()) await process.stop()
      await installation.remove()
    }
  },
}
