import { join } from 'node:path'
import { bearer } from '../credentials.ts'
import { install } from '../installation.ts'
import { BATCHES, LISTINGS, uploads } from '../listings/rows.ts'
import { type Stage, setStage } from '../listings/stage.ts'
import { busyMicros, machineCores } from '../machine.ts'
import type { Bench, Comparison, Round, Scenario } from '../scenario.ts'
import { type ServerProcess, startRodado } from '../server-process.ts'

const ROUNDS = 5
/** Until the compiler has seen enough of it. */
const WARM_UP = 2
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
        const send = (mail: string, which: 0 | 1, batch: number) =>
          upload(ours.port, mail, bodies[which][batch] ?? '', token)
        const rounds: { bare: Round[]; ours: Round[] } = { bare: [], ours: [] }
        for (let round = -WARM_UP; round < ROUNDS; round++) {
          const { mail, bareId } = await stage.fresh()
          // The second pass finds what the first one left, on both sides.
          for (let batch = 0; pass === 1 && batch < BATCHES; batch++) {
            await stage.bare.run(bareId, 0, batch)
            await send(mail, 0, batch)
          }
          // In turns, upload by upload: what else the machine does then falls on both.
          const spent: { bare: Spent[]; ours: Spent[] } = { bare: [], ours: [] }
          for (let batch = 0; batch < BATCHES; batch++) {
            spent.bare.push(await measure(() => stage.bare.run(bareId, pass, batch), stage.bare.cpuMicros))
            spent.ours.push(await measure(() => send(mail, pass, batch), ours.cpuMicros))
          }
          const [bare, mine] = [sum(spent.bare), sum(spent.ours)]
          progress(
            `${name}  ${round < 0 ? 'warm-up' : `round ${round + 1}/${ROUNDS}`}  bare ${rate(bare)}, ours ${rate(mine)} rows a second`,
          )
          if (round < 0) continue
          rounds.bare.push(bare)
          rounds.ours.push(mine)
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

async function upload(port: number, mail: string, body: string, token: Record<string, string>): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v3/publicaciones/${mail}/lote`, {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/x-ndjson' },
    body,
  })
  const { Resumen } = (await response.json()) as { Resumen?: { Rechazadas: number; SinCambios: number } }
  if (!Resumen || Resumen.Rechazadas + Resumen.SinCambios > 0)
    throw new Error(`An upload was not taken as it is: ${response.status} ${JSON.stringify(Resumen)}`)
}

/** What one upload took; `own` is of the server or the bare statement, PostgreSQL aside. */
interface Spent {
  elapsed: number
  own: number
  client: number
  machine: number
}

async function measure(
  work: () => Promise<void>,
  cpu: ServerProcess['cpuMicros'] | Stage['bare']['cpuMicros'],
): Promise<Spent> {
  const [busy, before, client, began] = [busyMicros(), await cpu(), process.cpuUsage(), performance.now()]
  await work()
  const elapsed = (performance.now() - began) * 1000
  const { user, system } = process.cpuUsage(client)
  return { elapsed, own: (await cpu()) - before, client: user + system, machine: busyMicros() - busy }
}

function sum(uploads: Spent[]): Round {
  const total = (of: keyof Spent) => uploads.reduce((so, each) => so + each[of], 0)
  const [elapsed, own, client] = [total('elapsed'), total('own'), total('client')]
  return {
    answered: LISTINGS,
    perSecond: LISTINGS / (elapsed / 1e6),
    cpuMicrosPerRequest: own / LISTINGS,
    serverBusy: own / elapsed,
    clientBusy: client / elapsed,
    // PostgreSQL is among them, on both sides.
    othersBusy: Math.max(0, (total('machine') - own - client) / elapsed / machineCores),
  }
}

const rate = ({ perSecond }: Round) => Math.round(perSecond).toLocaleString('en')
