import { join } from 'node:path'
import { bearer } from '../credentials.ts'
import { BATCHES, LISTINGS, uploads } from '../listings/rows.ts'
import { type Stage, setStage } from '../listings/stage.ts'
import { busyMicros, machineCores } from '../machine.ts'
import { type Bench, type Comparison, type Round, type Scenario, SIDES, type Side } from '../scenario.ts'
import { startRodado } from '../server-process.ts'
import { startUsual } from '../usual.ts'

const ROUNDS = 3
const TARGET = 0.3
const SHOWN = LISTINGS.toLocaleString('en')

/** Listings in uploads of 500, beside the bare statement with the same rows; a row is what is counted. */
export const lote: Scenario = scenario('lote', `Upload of ${SHOWN} new listings, 500 at a time, a row`, 0, 40)
export const loteChanged: Scenario = scenario('lote-changed', `Upload of ${SHOWN} changed listings, a row`, 1, 60)

/** Sends one upload of a pass, and how its side's CPU time is known. */
interface Sender {
  send(dealers: Dealers, pass: 0 | 1, batch: number): Promise<void>
  cpuMicros(): Promise<number>
}
type Dealers = Awaited<ReturnType<Stage['fresh']>>

function scenario(name: string, title: string, pass: 0 | 1, seconds: number): Scenario {
  return {
    name,
    title,
    seconds,
    async measure({ installation, progress }: Bench): Promise<Comparison> {
      const { postgresMicros } = installation
      installation.placePostgres('server')
      const ours = await startRodado(installation.environment, join(installation.folder, 'rodado.log'))
      const usual = await startUsual(installation)
      const stage = await setStage(installation)
      try {
        const token = (await bearer(installation, ours.port))('', 0)
        const bodies = [uploads(0), uploads(1)] as const
        const over = (side: 'ours' | 'usual', { port, cpuMicros }: typeof ours): Sender => ({
          cpuMicros,
          send: (dealers, which, batch) => upload(port, dealers[side], bodies[which][batch] ?? '', token),
        })
        const senders: Record<Side, Sender> = {
          bare: {
            cpuMicros: stage.bare.cpuMicros,
            send: ({ bareId }, which, batch) => stage.bare.run(bareId, which, batch),
          },
          usual: over('usual', usual),
          ours: over('ours', ours),
        }
        const rounds: Record<Side, Round[]> = { bare: [], usual: [], ours: [] }
        for (let round = 0; round <= ROUNDS; round++) {
          const dealers = await stage.fresh()
          // The second pass finds what the first one left, on every side.
          for (let batch = 0; pass === 1 && batch < BATCHES; batch++)
            for (const side of SIDES) await senders[side].send(dealers, 0, batch)
          // In turns, upload by upload: what else the machine does then falls on all.
          const spent: Record<Side, Spent[]> = { bare: [], usual: [], ours: [] }
          for (let batch = 0; batch < BATCHES; batch++)
            for (const side of SIDES) {
              const { send, cpuMicros } = senders[side]
              spent[side].push(await measure(() => send(dealers, pass, batch), cpuMicros, postgresMicros))
            }
          for (const side of SIDES) {
            const summed = sum(spent[side])
            if (round > 0) rounds[side].push(summed)
            progress(
              `${name}  ${round === 0 ? 'warm-up  ' : `round ${round}/${ROUNDS}`}  ${side.padEnd(5)}  ${words(summed)}`,
            )
          }
        }
        const bodyBytes = bodies[pass].reduce((sum, body) => sum + Buffer.byteLength(body), 0) / LISTINGS
        return { kind: 'comparison', name, title, target: TARGET, bodyBytes, ...rounds }
      } finally {
        await stage.leave()
        await usual.stop()
        await ours.stop()
        installation.placePostgres('anywhere')
      }
    },
  }
}

export async function upload(port: number, mail: string, body: string, token: Record<string, string>): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v3/publicaciones/${mail}/lote`, {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/x-ndjson' },
    body,
  })
  const { Resumen } = (await response.json()) as { Resumen?: { Rechazadas: number; SinCambios: number } }
  if (!Resumen || Resumen.Rechazadas + Resumen.SinCambios > 0)
    throw new Error(`An upload was not taken as it is: ${response.status} ${JSON.stringify(Resumen)}`)
}

/** What one upload took, in microseconds. */
interface Spent {
  elapsed: number
  own: number
  postgres: number
  client: number
  machine: number
}

async function measure(work: () => Promise<void>, cpu: () => Promise<number>, postgres: () => number): Promise<Spent> {
  const [busy, before, database, client, began] = [
    ...([busyMicros(), await cpu(), postgres(), process.cpuUsage()] as const),
    performance.now(),
  ]
  await work()
  const elapsed = (performance.now() - began) * 1000
  const { user, system } = process.cpuUsage(client)
  const spent = { own: (await cpu()) - before, postgres: postgres() - database }
  return { elapsed, ...spent, client: user + system, machine: busyMicros() - busy }
}

function sum(uploads: Spent[]): Round {
  const total = (of: keyof Spent) => uploads.reduce((so, each) => so + each[of], 0)
  const [elapsed, postgres, client] = [total('elapsed'), total('postgres'), total('client')]
  const spent = total('own') + postgres
  return {
    answered: LISTINGS,
    perSecond: LISTINGS / (elapsed / 1e6),
    cpuMicrosPerRequest: spent / LISTINGS,
    postgresMicrosPerRequest: postgres / LISTINGS,
    serverBusy: spent / elapsed,
    clientBusy: client / elapsed,
    othersBusy: Math.max(0, (total('machine') - spent - client) / elapsed / machineCores),
  }
}

const words = ({ perSecond, cpuMicrosPerRequest, postgresMicrosPerRequest = 0 }: Round) =>
  `${cpuMicrosPerRequest.toFixed(1)} µs of CPU a row (PostgreSQL ${postgresMicrosPerRequest.toFixed(0)}), ${Math.round(perSecond).toLocaleString('en')} a second`
