import { join } from 'node:path'
import { startClient } from '../client/process.ts'
import { loadInquiries, roomFor } from '../inquiries/load.ts'
import { bareScript, targetsOf } from '../inquiries/page.ts'
import { install } from '../installation.ts'
import { captureAnswers, prepareRequests } from '../requests.ts'
import { interleave } from '../rounds.ts'
import type { Bench, Comparison, Scenario } from '../scenario.ts'
import { BARE_PAGE, startBare, startRodado } from '../server-process.ts'

const INQUIRIES = 1_000_000
const about = { name: 'consultas', title: 'Page of 25 of 1,000,000 inquiries, signed', target: 0.6 }

/** A page of inquiries beside a bare server that asks PostgreSQL the same; both share a core with it, so rates compare. */
export const consultas: Scenario = {
  name: about.name,
  title: about.title,

  async measure({ progress }: Bench): Promise<Comparison> {
    const installation = await install()
    const running: { stop(): Promise<void> }[] = []
    try {
      const full = await roomFor(INQUIRIES, installation.folder)
      if (full) throw new Error(full)
      progress(`${about.name}  loading ${INQUIRIES.toLocaleString('en')} inquiries`)
      const targets = targetsOf(await loadInquiries(installation, INQUIRIES))
      const ours = await startRodado(installation.environment, join(installation.folder, 'rodado.log'))
      running.push(ours)
      const asked = { ...about, targets }
      const answers = await captureAnswers(asked, installation, ours.port)
      const script = await bareScript(installation, answers)
      const bare = await startBare(script, join(installation.folder, 'bare.log'), BARE_PAGE)
      running.push(bare)
      const client = startClient()
      running.push(client)
      const prepare = () => prepareRequests(asked, answers, installation, ours.port)
      const rounds = await interleave({ bare, ours }, client, prepare, (line) => progress(`${about.name}  ${line}`))
      const bodyBytes = answers.reduce((sum, { body }) => sum + body.length, 0) / answers.length
      return { kind: 'comparison', ...about, bodyBytes, ...rounds, ratioOf: 'rate' }
    } finally {
      for (const process of running.reverse()) await process.stop()
      await installation.remove()
    }
  },
}
