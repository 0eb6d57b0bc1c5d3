import { machineCores, machineMicros } from './machine.ts'
import type { Bench, Contender } from './scenario.ts'

/** What a contender used in one turn. */
export interface Usage {
  /** Requests, rows or deliveries that were dealt with. */
  count: number
  elapsedMicros: number
  serverMicros: number
  postgresMicros: number
  clientMicros: number
  machineMicros: number
}

export const [CPU, RATE] = ['CPU µs', 'per second']

export interface Entrant {
  name: string
  /** One turn, a fraction of a second to a few seconds. */
  turn(): Promise<Usage>
}

interface RoundOptions {
  /** Turns of each entrant in a round. */
  turns: number
  /** The warm-up ends after so many, once its least time is over, or after its most time. */
  warmUp: { count: number; leastMs: number; mostMs: number }
  /** Called between warm-up and first round. */
  whenWarm?(): void
}

/**
 * Measures the entrants in alternating turns, so that other work on the machine affects all of them. A value is what a
 * contender used in all its turns of a round.
 */
export async function runRounds(
  { rounds, quick, progress }: Bench,
  name: string,
  entrants: Entrant[],
  { turns, warmUp, whenWarm }: RoundOptions,
): Promise<Contender[]> {
  const { count, leastMs, mostMs } = quick ? { count: 1, leastMs: 0, mostMs: 1_000 } : warmUp
  for (const { name: entrant, turn } of entrants) {
    const began = performance.now()
    let answered = 0
    for (let ms = 0; ms < mostMs && (answered < count || ms < leastMs); ms = performance.now() - began)
      answered += (await turn()).count
    progress(
      `${name}  warm-up    ${entrant}  ${answered.toLocaleString('en')} in ${Math.round(performance.now() - began)} ms`,
    )
  }
  whenWarm?.()
  const contenders = entrants.map(({ name }): Contender => ({ name, columns: {} }))
  for (let round = 1; round <= rounds; round++) {
    const usages = entrants.map((): Usage[] => [])
    for (let at = 0; at < turns; at++) {
      const order = [...entrants.keys()]
      for (const index of at % 2 === 0 ? order : order.reverse())
        usages[index]?.push(await (entrants[index] as Entrant).turn())
    }
    for (const [index, contender] of contenders.entries()) {
      const columns = columnsOf(usages[index] ?? [])
      for (const [heading, value] of Object.entries(columns)) (contender.columns[heading] ??= []).push(value)
      progress(`${name}  round ${round}/${rounds}  ${contender.name}  ${describe(columns)}`)
    }
  }
  return contenders
}

/** The columns of a round: costs for each request, rates, and who was busy. */
export function columnsOf(usages: Usage[]): Record<string, number> {
  const total = (of: keyof Usage) => usages.reduce((sum, usage) => sum + usage[of], 0)
  const count = total('count')
  const elapsed = total('elapsedMicros')
  const postgres = total('postgresMicros')
  const client = total('clientMicros')
  const cpu = total('serverMicros') + postgres
  const others = Math.max(0, total('machineMicros') - cpu - client)
  return {
    [CPU]: cpu / count,
    'PostgreSQL µs': postgres / count,
    [RATE]: count / (elapsed / 1e6),
    'server busy %': (100 * cpu) / elapsed,
    'client busy %': (100 * client) / elapsed,
    'other load %': (100 * others) / elapsed / machineCores,
  }
}

const describe = (columns: Record<string, number>): string =>
  `${columns[CPU]?.toFixed(1)} µs of CPU, ${Math.round(columns[RATE] ?? 0).toLocaleString('en')} per second`

/** Measures a piece of work. The work may report its own elapsed time and the client's CPU time. */
export async function measure(
  meters: { server(): Promise<number>; postgres(): number; client?(): Promise<number> },
  work: () => Promise<{ count: number; elapsedMicros?: number; clientMicros?: number }>,
): Promise<Usage> {
  const machine = machineMicros()
  const [postgres, server, client] = [meters.postgres(), await meters.server(), (await meters.client?.()) ?? 0]
  const began = performance.now()
  const { count, elapsedMicros = (performance.now() - began) * 1000, clientMicros } = await work()
  return {
    count,
    elapsedMicros,
    serverMicros: (await meters.server()) - server,
    postgresMicros: meters.postgres() - postgres,
    clientMicros: clientMicros ?? ((await meters.client?.()) ?? 0) - client,
    machineMicros: machineMicros() - machine,
  }
}
