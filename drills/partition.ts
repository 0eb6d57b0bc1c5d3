// npm run drill:partition [-- --seconds 30]
// The network to the database swallows everything for a while, without a word: requests are refused clearly and at once,
// none pile up, and everything catches up afterwards.
import { setTimeout as pause } from 'node:timers/promises'
import { layCable } from '../tests/support/cable.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { openHouse } from './house.ts'
import { startLoad, type Tally } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reckon } from './reckoning.ts'

const PER_SECOND = 50
const LETTER_EVERY = 25
const BEFORE_MS = 5_000
const AFTER_MS = 5_000
/** By then the silence has been noticed (store/pulse.ts): two failed questions of 2 s. */
const NOTICED_MS = 10_000
const AT_ONCE_MS = 1_000
const LONGEST_MS = 12_000
const POLL_MS = 20
const RECOVERY_MS = 30_000

await drill({ seconds: { standard: 30, from: 12 } }, async ({ say, atEnd, number }) => {
  const database = await openDatabase()
  const cable = await layCable(database.connection)
  const { user, database: name, port } = cable.connection
  const url = `postgres://${user}@127.0.0.1:${port}/${name}`
  const house = await openHouse({ database: { ...database, url } })
  atEnd(() => cable.close())
  atEnd(() => house.remove())
  atEnd(() => cable.mend())
  const receiver = await openReceiver()
  atEnd(() => receiver.close())

  const load = await startLoad(house, receiver.url, { perSecond: PER_SECOND, letterEvery: LETTER_EVERY })
  await pause(BEFORE_MS)
  const before = load.tally.acknowledged.size
  say(`${before} events were acknowledged; now the database is unreachable for ${number('seconds')} s …`)
  const cut = performance.now()
  cable.stall()
  await pause(number('seconds') * 1_000)
  const mended = performance.now()
  cable.mend()
  say('the network is back …')
  const recovered = await firstYes(load.tally, mended)
  await pause(AFTER_MS)
  await load.stop()

  const during = load.tally.answers.filter(({ at, ms }) => at > cut && at - ms < mended)
  const refused = during.filter(({ status }) => status === 503).length
  // The silence is one fault, where somebody was refused for it.
  const done = { faults: refused > 0 ? 1 : 0, fallen: house.fallen(), letters: true }
  const { rows, failed, sum } = await reckon(house.store, load.tally, receiver, done)
  const longest = Math.max(0, ...during.map(({ ms }) => ms))
  const late = during.filter(({ at, ms }) => at - cut > NOTICED_MS && at - ms - cut > NOTICED_MS)
  const latest = Math.max(0, ...late.map(({ ms }) => ms))
  // What came in just before the network was back may find it mended.
  const others = during.filter(
    ({ status, at, ms }) => status !== 503 && at - ms > cut && !(status === 202 && at > mended),
  ).length
  const mostWaiting = PER_SECOND * (NOTICED_MS / 1_000)
  if (load.tally.mostWaiting > mostWaiting)
    failed.push(`${load.tally.mostWaiting} requests waited at once, more than come in ${NOTICED_MS / 1_000} s`)
  if (longest > LONGEST_MS) failed.push(`an answer took ${longest.toFixed(0)} ms`)
  if (late.length === 0 || latest > AT_ONCE_MS)
    failed.push(`a refusal took ${latest.toFixed(0)} ms though it was known`)
  if (others > 0) failed.push(`${others} requests of the time without a database were not answered with 503`)
  if (refused === 0) failed.push('nobody was refused: the database was not away')
  if (before === 0) failed.push('nothing was acknowledged before')
  if (recovered === undefined) failed.push('nobody was served again')
  return {
    rows: [
      ['without a database, s', number('seconds')],
      ['acknowledged before', before],
      ['refused meanwhile', refused],
      ['longest answer meanwhile, ms', longest.toFixed(0)],
      [`longest refusal after ${NOTICED_MS / 1000} s, ms`, latest.toFixed(0)],
      ['most requests waiting at once', load.tally.mostWaiting],
      ['served again after, ms', recovered?.toFixed(0) ?? 'never'],
      ...rows,
    ],
    failed,
    held: 'Refused clearly, nothing piled up, nothing was lost.',
    sum,
  }
})

/** How long after that moment the first request was granted. */
async function firstYes({ answers }: Tally, since: number): Promise<number | undefined> {
  while (performance.now() - since < RECOVERY_MS) {
    const yes = answers.find(({ at, status }) => at > since && status === 202)
    if (yes) return yes.at - since
    await pause(POLL_MS)
  }
  return undefined
}
