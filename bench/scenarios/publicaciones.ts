import { join } from 'node:path'
import { bearer } from '../credentials.ts'
import { install } from '../installation.ts'
import { LISTINGS, uploads } from '../listings/rows.ts'
import { type Stage, setStage } from '../listings/stage.ts'
import { busyMicros, machineCores } from '../machine.ts'
import type { Bench, Comparison, Round, Scenario } from '../scenario.ts'
import { type ServerProcess, startRodado } from '../server-process.ts'

const ROUNDS = 3
const TARGET = 0.3

/** 10,000 listings in uploads of 500, beside the bare statement with the same rows; a row is what is counted. */
export const lote: Scenario = scenario('lote', 'Upload of 10,000 new listings, 500 at a time, a row', 0)
export const loteChanged: Scenario = scenario('lote-changed', 'Upload of 10,000 changed listings, a row', 1)

function scenario(name: string, title: string, pass: 0 | 1): Scenario {
  return {
    name,
    title,
    async measure({ progress }: Bench): Promise<Comparison> {
      const installation = await install()
      const ours = await startRodado(installation.environment, join(installation.folder, 'rodado.log'))
      const stage = await setStage(installation)
      try {
        const token = (await bearer(installation, ours.port))('', 0)
        const bodies = [uploads(0), uploads(1)] as const
        const send = (mail: string, which: 0 | 1) => upload(ours.port, mail, bodies[which], token)
        const rounds: { bare: Round[]; ours: Round[] } = { bare: [], ours: [] }
        for (let round = 0; round <= ROUNDS; round++) {
          const { mail, bareId } = await stage.fresh()
          // The second pass finds what the first one left, on both sides.
          if (pass === 1) await Promise.all([send(mail, 0), stage.bare.run(bareId, 0)])
          const bare = await measure(() => stage.bare.run(bareId, pass), stage.bare.cpuMicros)
          const mine = await measure(() => send(mail, pass), ours.cpuMicros)
          progress(
            `${name}  ${round === 0 ? 'warm-up' : `round ${round}/${ROUNDS}`}  bare ${rate(bare)}, ours ${rate(mine)} rows a second`,
          )
          if (round > 0) {
            rounds.bare.push(bare)
            rounds.ours.push(mine)
          }
        }
        const bodyBytes = bodies[pass].reduce((sum, body) => sum + Buffer.byteLength(body), 0) / LISTINGS
        return { kind: 'comparison', name, title, target: TARGET, bodyBytes, ratioOf: 'rate', ...rounds }
      } finally {
        await stage.leave()
        await ours.stop()
        await installation.remove()
      }
    },
  }
}

async function upload(port: number, mail: string, bodies: string[], token: Record<string, string>): Promise<void> {
  for (const body of bodies) {
    const response = await fetch(`http://127.0.0.1:${port}/v3/publicaciones/${mail}/lote`, {
      method: 'POST',
      headers: { ...token, 'content-type': 'application/x-ndjson' },
      body,
    })
    const { Resumen } = (await response.json()) as { Resumen?: { Rechazadas: number; SinCambios: number } }
    if (!Resumen || Resumen.Rechazadas + Resumen.SinCambios > 0)
      throw new Error(`An upload was not taken as it is: ${response.status} ${JSON.stringify(Resumen)}`)
  }
}

async function measure(
  work: () => Promise<void>,
  cpu: ServerProcess['cpuMicros'] | Stage['bare']['cpuMicros'],
): Promise<Round> {
  const [machine, before, began] = [busyMicros(), await cpu(), performance.now()]
  const own = process.cpuUsage()
  await work()
  const elapsed = (performance.now() - began) * 1000
  const spent = (await cpu()) - before
  const { user, system } = process.cpuUsage(own)
  return {
    answered: LISTINGS,
    perSecond: LISTINGS / (elapsed / 1e6),
    cpuMicrosPerRequest: spent / LISTINGS,
    serverBusy: spent / elapsed,
    clientBusy: (user + system) / elapsed,
    // PostgreSQL is among them, on both sides.
    othersBusy: Math.max(0, (busyMicros() - machine - spent - user - system) / elapsed / machineCores),
  }
}

const rate = ({ perSecond }: Round) => Math.round(perSecond).toLocaleString('en')
