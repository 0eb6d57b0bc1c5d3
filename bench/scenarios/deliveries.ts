import { setTimeout as pause } from 'node:timers/promises'
import { type Stage, setStage } from '../deliveries/stage.ts'
import { busyMicros, machineCores } from '../machine.ts'
import type { Bench, Comparison, Durations, Round, Scenario } from '../scenario.ts'

const PAIRS = 7
const EVENTS = 30_000
const PER_TRANSACTION = 50
const WRITERS = 4
const STEADY_PER_SECOND = 100
const STEADY_SECONDS = 15

const SIDES = ['bare', 'ours'] as const
type Side = (typeof SIDES)[number]

/** A round, and what of its CPU time PostgreSQL had. */
interface Measured extends Round {
  postgresMicrosPerRequest: number
}

/**
 * In pairs, each begun by the other side than the one before, so that what else the machine does falls on both; the
 * first pair is for warming up.
 */
async function compare(
  { installation, progress }: Bench,
  about: Pick<Comparison, 'name' | 'title' | 'target'>,
  ours: (stage: Stage) => Promise<Measured>,
): Promise<Comparison> {
  const stage = await setStage(installation)
  const work: Record<Side, () => Promise<Measured>> = {
    bare: () => measure(stage, 'bare', () => stage.bare.ask(EVENTS)),
    async ours() {
      const made = await ours(stage)
      await stage.settled()
      return made
    },
  }
  const rounds: Record<Side, Round[]> = { bare: [], ours: [] }
  try {
    for (let pair = 0; pair <= PAIRS; pair++) {
      const made: Partial<Record<Side, Measured>> = {}
      for (const side of pair % 2 === 0 ? SIDES : SIDES.toReversed()) {
        const round = await work[side]()
        made[side] = round
        if (pair > 0) rounds[side].push(round)
        progress(`${about.name}  ${pair === 0 ? 'warm-up ' : `pair ${pair}/${PAIRS}`}  ${side}  ${words(round)}`)
      }
      const ratio = (made.ours?.perSecond ?? 0) / (made.bare?.perSecond ?? 0)
      progress(`${about.name}  ${pair === 0 ? 'warm-up ' : `pair ${pair}/${PAIRS}`}  ratio ${ratio.toFixed(2)}`)
    }
    return { kind: 'comparison', ...about, bodyBytes: stage.bodyBytes, ratioOf: 'rate', ...rounds }
  } finally {
    await stage.stop()
  }
}

/** The time from the beginning of the work to the last receipt, and what it cost: PostgreSQL counts as ours. */
async function measure(stage: Stage, side: Side, work: () => Promise<unknown>): Promise<Measured> {
  const { receiver } = stage
  await receiver.ask({ expected: EVENTS, timed: false })
  const spent = async () => ({
    node: await (side === 'bare' ? stage.bare : stage.rodado).cpuMicros(),
    postgres: side === 'bare' ? 0 : stage.postgresMicros(),
    machine: busyMicros(),
  })
  const receiverBefore = await receiver.cpuMicros()
  const before = await spent()
  const last = receiver.next()
  const began = performance.now()
  await work()
  await last
  const elapsedMicros = (performance.now() - began) * 1000
  const after = await spent()
  const receiverMicros = (await receiver.cpuMicros()) - receiverBefore
  const postgresMicros = after.postgres - before.postgres
  const serverMicros = after.node - before.node + postgresMicros
  const others = after.machine - before.machine - serverMicros - receiverMicros
  return {
    answered: EVENTS,
    perSecond: EVENTS / (elapsedMicros / 1e6),
    cpuMicrosPerRequest: serverMicros / EVENTS,
    postgresMicrosPerRequest: postgresMicros / EVENTS,
    serverBusy: serverMicros / elapsedMicros,
    clientBusy: receiverMicros / elapsedMicros,
    othersBusy: Math.max(0, others / elapsedMicros / machineCores),
  }
}

function words({ cpuMicrosPerRequest, postgresMicrosPerRequest, perSecond }: Measured): string {
  const micros = (value: number) => value.toFixed(1).padStart(6)
  const parts = postgresMicrosPerRequest > 0 ? ` (PostgreSQL ${micros(postgresMicrosPerRequest)})` : ''
  return `${micros(cpuMicrosPerRequest)} µs of CPU each${parts}, ${Math.round(perSecond).toLocaleString('en')} a second`
}

/** What has piled up, delivered. */
export const deliveriesBacklog: Scenario = {
  name: 'deliveries-backlog',
  title: 'Webhooks: a backlog delivered, beside a bare undici loop',
  measure: (bench) =>
    compare(bench, { name: 'deliveries-backlog', title: deliveriesBacklog.title, target: 0.5 }, async (stage) => {
      await stage.shut()
      await stage.write(EVENTS, PER_TRANSACTION, WRITERS)
      return measure(stage, 'ours', () => stage.open())
    }),
}

/** From the transaction that writes events to their receipt. */
export const deliveries: Scenario = {
  name: 'deliveries',
  title: 'Webhooks: written in transactions of 50 and delivered, beside a bare undici loop',
  measure: (bench) =>
    compare(bench, { name: 'deliveries', title: deliveries.title, target: 0.3 }, (stage) =>
      measure(stage, 'ours', () => stage.write(EVENTS, PER_TRANSACTION, WRITERS)),
    ),
}

/** How long one event takes to its receiver, when they come steadily, one a transaction. */
export const deliveryLatency: Scenario = {
  name: 'delivery-latency',
  title: `Webhooks: from the event to its receipt, at ${STEADY_PER_SECOND} a second`,

  async measure({ installation, progress }): Promise<Durations> {
    const stage = await setStage(installation)
    const parts = [50, 99].map((percent) => ({ percent, title: `p${percent}`, ms: [] as number[] }))
    try {
      for (let round = 0; round <= 3; round++) {
        const count = STEADY_PER_SECOND * (round === 0 ? 2 : STEADY_SECONDS)
        await stage.receiver.ask({ expected: count, timed: true })
        const all = stage.receiver.next<{ took: number[] }>()
        await steadily(stage, count)
        const took = (await all).took.sort((a, b) => a - b)
        const at = (percent: number) => took[Math.floor((took.length - 1) * (percent / 100))] ?? Number.NaN
        if (round > 0) for (const { percent, ms } of parts) ms.push(at(percent))
        progress(`delivery-latency  round ${round}/3  p50 ${at(50).toFixed(1)} ms, p99 ${at(99).toFixed(1)} ms`)
        await stage.settled()
      }
    } finally {
      await stage.stop()
    }
    const shown = parts.map(({ title, ms }) => ({ title, ms }))
    return { kind: 'durations', name: 'delivery-latency', title: deliveryLatency.title, parts: shown }
  },
}

/** One transaction every so often, whether or not the one before is done. */
async function steadily(stage: Stage, count: number): Promise<void> {
  const began = performance.now()
  const writing: Promise<void>[] = []
  for (let turn = 0; turn < count; turn++) {
    await pause(Math.max(0, began + (turn * 1000) / STEADY_PER_SECOND - performance.now()))
    writing.push(stage.write(1, 1, 1))
  }
  await Promise.all(writing)
}
