// npm run drill:kill [-- --rounds 100]
// Kills the server, a worker or the database without warning, again and again, while events are made and delivered to a
// receiver that fails now and then: none may be lost.
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { openHouse, type Room } from './house.ts'
import { startLoad } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reckon } from './reckoning.ts'

const LONGEST_PAUSE_MS = 1_500
const ILLNESS = 0.05
/** So many deliveries are not all answered with 200 by a receiver that is ill. */
const MANY = 200

// Each of the four once, at least: the server, two workers, the database.
await drill({ rounds: { standard: 100, from: 4 } }, async ({ say, atEnd, number }) => {
  const rounds = number('rounds')
  const database = await openDatabase()
  const house = await openHouse({ database })
  atEnd(() => house.remove())
  const receiver = await openReceiver(ILLNESS)
  atEnd(() => receiver.close())

  const victims: Pick<Room, 'name' | 'kill'>[] = [
    ...[house.server, ...house.workers],
    { name: 'database', kill: () => database.kill(house.store) },
  ]

  const load = await startLoad(house, receiver.url)
  const killed = new Map<string, number>(victims.map(({ name }) => [name, 0]))
  let [acknowledged, idle] = [0, 0]
  for (let round = 1; round <= rounds; round++) {
    await pause(Math.random() * LONGEST_PAUSE_MS)
    const victim = round <= victims.length ? victims[round - 1] : anyOf(victims)
    if (!victim) throw new Error('There is nobody to kill.')
    if (load.tally.acknowledged.size === acknowledged) idle++
    acknowledged = load.tally.acknowledged.size
    await victim.kill()
    killed.set(victim.name, (killed.get(victim.name) ?? 0) + 1)
    say(`${String(round).padStart(4)}  ${victim.name.padEnd(8)}  received so far: ${receiver.times.size}`)
  }
  await load.stop()
  say('waiting for what the last kills left under a lease …')
  const faults = [...killed.values()].reduce((sum, times) => sum + times, 0)
  const done = { faults, fallen: house.fallen(), mayBreak: true }
  const { rows, failed, sum } = await reckon(house.store, load.tally, receiver, done)
  for (const [name, times] of killed) if (times === 0) failed.push(`${name} was never killed`)
  if (idle > rounds / 2) failed.push(`${idle} of ${rounds} kills came when nothing had been done since the last`)
  if (receiver.refused() === 0 && receiver.times.size > MANY) failed.push('the receiver never failed')
  const kills = [...killed].map(([name, times]): [string, number] => [`kill -9 of ${name}`, times])
  const idleRow: [string, number] = ['kills before which nothing was acknowledged', idle]
  return { rows: [...kills, idleRow, ...rows], failed, held: 'Nothing was lost.', sum }
})

function anyOf<T>(all: T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)]
}
