import { setTimeout as pause } from 'node:timers/promises'
import { type Stage, setStage } from '../deliveries/stage.ts'
import { type Installation, install } from '../installation.ts'
import { busyMicros } from '../machine.ts'
import { describe, type Spent, sum } from '../rounds.ts'
import {
  type Bench,
  type Comparison,
  type Durations,
  type Round,
  type Scenario,
  SIDES,
  type Side,
} from '../scenario.ts'
import { withUsualIndex } from '../usual.ts'

const ROUNDS = 3
/** After the first, Node still compiles what runs often: a delivery takes a quarter more of its time. */
const WARM_UPS = 2
/** A third of a second: with turns that short the machine's moods fall on both. */
const EVENTS = 5_000
/** The usual loop takes many times as long; what one delivery costs does not depend on how many there are. */
const USUAL_EVENTS = 2_000
const PER_TRANSACTION = 50
const WRITERS = 4
const STEADY_PER_SECOND = 100
const STEADY_SECONDS = 5

/** What each side does, and how often bare and ours take turns in a round; a warm-up has a third of them. */
type Work = Record<'bare' | 'ours', Cursor> & { usual?: Cursor; turns: number }
type Cursor = (stage: Stage) => Promise<Spent>

const bare: Cursor = (stage) => measure(stage, stage.bare, EVENTS, () => stage.bare.ask(EVENTS))

/**
 * In rounds, the first ones for warming up. In each the bare loop and ours take turns, in the opposite order every other
 * time: what else the machine does comes and goes in seconds, and falls on both. The installation is its own: what is
 * delivered is thrown away.
 */
async function compare(
  { progress }: Bench,
  about: Pick<Comparison, 'name' | 'title' | 'target'>,
  work: Work,
): Promise<Comparison> {
  const installation = await install()
  const rounds: Record<Side, Round[]> = { bare: [], usual: [], ours: [] }
  try {
    const stage = await setStage(installation)
    try {
      for (let round = 1 - WARM_UPS; round <= ROUNDS; round++) {
        const spent = await oneRound(installation, stage, work, round)
        for (const side of SIDES.filter((each) => spent[each].length > 0)) {
          const made = sum(spent[side], side !== 'bare')
          if (round > 0) rounds[side].push(made)
          const when = round <= 0 ? 'warm-up  ' : `round ${round}/${ROUNDS}`
          progress(`${about.name}  ${when}  ${side.padEnd(5)}  ${describe(made)}`)
        }
      }
      const { usual, ...always } = rounds
      const made = work.usual ? rounds : always
      return { kind: 'comparison', ...about, bodyBytes: stage.bodyBytes, ratioOf: 'rate', anywhere: true, ...made }
    } finally {
      await stage.stop()
    }
  } finally {
    await installation.remove()
  }
}

async function oneRound(
  installation: Installation,
  stage: Stage,
  { turns, usual, ...work }: Work,
  round: number,
): Promise<Record<Side, Spent[]>> {
  const spent: Record<Side, Spent[]> = { bare: [], usual: [], ours: [] }
  for (let turn = 0; turn < (round > 0 ? turns : turns / 3); turn++)
    for (const side of (turn + round) % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const)) {
      spent[side].push(await work[side](stage))
      if (side === 'ours') await stage.settled()
    }
  if (!usual || round < 0) return spent // it takes its time, and waits for PostgreSQL with most of it
  spent.usual.push(await withUsualIndex(installation, 'deliveries', () => usual(stage)))
  await stage.settled()
  return spent
}

/** What it took from the beginning of the work to the last receipt. */
async function measure(
  { receiver, bare, postgresMicros }: Stage,
  sender: Pick<Stage['bare'], 'cpuMicros'>,
  count: number,
  work: () => Promise<unknown>,
): Promise<Spent> {
  await receiver.ask({ expected: count, timed: false })
  const spent = async () => ({
    serverMicros: await sender.cpuMicros(),
    postgresMicros: sender === bare ? 0 : postgresMicros(),
    clientMicros: await receiver.cpuMicros(),
    machineMicros: busyMicros(),
  })
  const before = await spent()
  const last = receiver.next()
  const began = performance.now()
  await work()
  await last
  const elapsedMicros = (performance.now() - began) * 1000
  const after = await spent()
  const since = (of: keyof typeof before) => after[of] - before[of]
  return {
    answered: count,
    elapsedMicros,
    serverMicros: since('serverMicros'),
    postgresMicros: since('postgresMicros'),
    clientMicros: since('clientMicros'),
    machineMicros: since('machineMicros'),
  }
}

/** What has piled up, delivered. */
export const deliveriesBacklog: Scenario = {
  name: 'deliveries-backlog',
  title: 'Webhooks: a backlog delivered, beside a bare undici loop',
  seconds: 75,
  measure: (bench) =>
    compare(
      bench,
      { name: 'deliveries-backlog', title: deliveriesBacklog.title, target: 0.6 },
      {
        turns: 9,
        bare,
        async usual(stage) {
          await stage.shut() // for ours; the usual loop knows nothing of it
          await stage.write(USUAL_EVENTS, PER_TRANSACTION, WRITERS)
          return measure(stage, stage.usual, USUAL_EVENTS, () => stage.usual.ask('deliver'))
        },
        async ours(stage) {
          await stage.shut()
          await stage.write(EVENTS, PER_TRANSACTION, WRITERS)
          return measure(stage, stage.rodado, EVENTS, () => stage.open())
        },
      },
    ),
}

/** From the transaction that writes events to their receipt. */
export const deliveries: Scenario = {
  name: 'deliveries',
  title: 'Webhooks: written in transactions of 50 and delivered, beside a bare undici loop',
  seconds: 45,
  measure: (bench) =>
    compare(
      bench,
      { name: 'deliveries', title: deliveries.title, target: 0.3 },
      {
        turns: 3,
        bare,
        ours: (stage) => measure(stage, stage.rodado, EVENTS, () => stage.write(EVENTS, PER_TRANSACTION, WRITERS)),
      },
    ),
}

/** How long one event takes to its receiver, when they come steadily, one a transaction. */
export const deliveryLatency: Scenario = {
  name: 'delivery-latency',
  title: `Webhooks: from the event to its receipt, at ${STEADY_PER_SECOND} a second`,

  seconds: 45,
  async measure({ progress }): Promise<Durations> {
    const installation = await install()
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
      await installation.remove()
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
