// npm run drill:kill [-- --rounds 100]
// Kills the server, a worker or the database without warning, again and again, while events are made and delivered to a
// receiver that fails now and then: none may be lost.
import { setTimeout as pause } from 'node:timers/promises'
import { drill } from './drill.ts'
import { openDatabase, openHouse, type Room } from './house.ts'
import { startLoad } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reckon } from './reckoning.ts'

const LONGEST_PAUSE_MS = 1_500
const ILLNESS = 0.05
const POLL_MS = 20

await drill({ rounds: { standard: 100 } }, async ({ say, atEnd, number }) => {
  const rounds = number('rounds')
  const database = await openDatabase()
  const house = await openHouse({ database })
  atEnd(() => house.remove())
  const receiver = await openReceiver(ILLNESS)
  atEnd(() => receiver.close())

  /** Whoever has the embedded store starts PostgreSQL again: here that is the drill. */
  async function killDatabase(): Promise<void> {
    const before = database.pid()
    if (before === undefined) throw new Error('PostgreSQL is not running.')
    process.kill(before, 'SIGKILL')
    while (database.pid() === before || !(await answers())) await pause(POLL_MS)
  }
  const answers = () =>
    house.store.ping().then(
      () => true,
      () => false,
    )
  const victims: Pick<Room, 'name' | 'kill'>[] = [
    ...[house.server, ...house.workers],
    { name: 'database', kill: killDatabase },
  ]

  const load = await startLoad(house, receiver.url)
  const killed = new Map<string, number>(victims.map(({ name }) => [name, 0]))
  for (let round = 1; round <= rounds; round++) {
    await pause(Math.random() * LONGEST_PAUSE_MS)
    const victim = round <= victims.length ? victims[round - 1] : anyOf(victims)
    if (!victim) throw new Error('There is nobody to kill.')
    await victim.kill()
    killed.set(victim.name, (killed.get(victim.name) ?? 0) + 1)
    say(`${String(round).padStart(4)}  ${victim.name.padEnd(8)}  received so far: ${receiver.times.size}`)
  }
  await load.stop()
  say('waiting for what the last kills left under a lease …')
  const { rows, failed, sum } = await reckon(house.store, load.tally, receiver, rounds)
  const kills = [...killed].map(([name, times]): [string, number] => [`kill -9 of ${name}`, times])
  return { rows: [...kills, ...rows], failed, held: 'Nothing was lost.', sum }
})

function anyOf<T>(all: T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)]
}
