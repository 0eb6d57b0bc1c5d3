// npm run drill:kill [-- --rounds 100]
// Kills the server or a worker without warning, again and again, while events are made and delivered: none may be lost.
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { type House, openHouse, type Room } from './house.ts'
import { startLoad } from './load.ts'
import { openReceiver } from './receiver.ts'
import { aligned } from './table.ts'

const LONGEST_PAUSE_MS = 1_500
const LEASE_AND_MORE_MS = 90_000
const POLL_MS = 100

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write('--rounds must be a whole number from 1.\n')
  process.exit(2)
}
const say = (line: string) => process.stdout.write(`${line}\n`)

execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.js', import.meta.url))], { stdio: 'inherit' })
const house = await openHouse()
const receiver = await openReceiver()
try {
  const load = await startLoad(house, receiver.url)
  const killed = new Map<string, number>()
  for (let round = 1; round <= rounds; round++) {
    await pause(Math.random() * LONGEST_PAUSE_MS)
    const room = anyOf([house.server, ...house.workers])
    await room.kill()
    killed.set(room.name, (killed.get(room.name) ?? 0) + 1)
    say(`${String(round).padStart(4)}  ${room.name.padEnd(8)}  received so far: ${receiver.times.size}`)
  }
  await load.stop()
  say('waiting for what the last kills left under a lease …')
  const waitedMs = await untilNothingWaits(house)

  const committed = new Set((await house.store.query<{ id: string }>(sql`select id from events`)).map(({ id }) => id))
  const lost = [...committed].filter((id) => !receiver.times.has(id))
  const forgotten = [...load.acknowledged].filter((id) => !committed.has(id))
  const unknown = [...receiver.times.keys()].filter((id) => !committed.has(id))
  const repeated = [...receiver.times.values()].filter((times) => times > 1).length
  const [slowest] = await house.store.query<{ seconds: number }>(sql`
    select extract(epoch from max(settled_at - created_at))::float8 as seconds from deliveries`)
  const rows: [string, string | number][] = [
    ...[...killed].sort().map(([name, times]): [string, number] => [`kill -9 of ${name}`, times]),
    ['events committed', committed.size],
    ['of them acknowledged by an answer', load.acknowledged.size],
    ['events received', receiver.times.size],
    ['received more than once', repeated],
    ['longest from event to settled, s', (slowest?.seconds ?? 0).toFixed(1)],
    ['last leases taken over after, s', (waitedMs / 1000).toFixed(1)],
    ['acknowledged but not committed', forgotten.length],
    ['committed but not received', lost.length],
    ['received but not committed', unknown.length],
  ]
  say(`\n${aligned(rows)}\n`)
  const failed = lost.length + forgotten.length + unknown.length > 0
  say(failed ? 'LOST' : 'Nothing was lost.')
  process.exitCode = failed ? 1 : 0
} finally {
  await house.remove()
  await receiver.close()
}

function anyOf(rooms: Room[]): Room {
  const room = rooms[Math.floor(Math.random() * rooms.length)]
  if (!room) throw new Error('There is nobody to kill.')
  return room
}

/** What a dead worker held is taken over when its lease ends, within 60 s; says how long it took. */
async function untilNothingWaits({ store }: House): Promise<number> {
  const began = performance.now()
  const waiting = sql`select 1 from deliveries where estado = 'pendiente' limit 1`
  while ((await store.query(waiting)).length > 0) {
    if (performance.now() - began > LEASE_AND_MORE_MS) break // the table tells what is missing
    await pause(POLL_MS)
  }
  return performance.now() - began
}
