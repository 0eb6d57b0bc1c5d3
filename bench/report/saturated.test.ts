import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Comparison, Round, Throughput } from '../scenario.ts'
import { nodesBound, saturated } from './saturated.ts'
import { tablesOf } from './tables.ts'

const two = { cores: 2, pinned: true }
/** Cores that were busy: of Node, PostgreSQL and whoever is called; and what part of the machine others had. */
const busy = (node: number, postgres: number, clientBusy: number, othersBusy = 0): Round[] => {
  const shares = { cpuMicrosPerRequest: (node + postgres) * 100, postgresMicrosPerRequest: postgres * 100 }
  return [{ answered: 1, perSecond: 1, ...shares, serverBusy: node + postgres, clientBusy, othersBusy }]
}
const comparison = (some: Partial<Comparison>): Comparison => ({
  ...{ kind: 'comparison', name: 'backlog', title: 'Backlog', bodyBytes: 1, target: 0.6 },
  ...{ bare: busy(0.99, 0, 0.69), ours: busy(0.82, 0.38, 0.4) },
  ...some,
})

describe('what was saturated', () => {
  it('is the core of servers or client, where each has its own', () => {
    const apart = comparison({})
    assert.equal(saturated(apart, busy(0.5, 0.45, 0.1), two), 'server')
    assert.equal(saturated(apart, busy(0.5, 0.2, 0.95), two), 'client')
    assert.equal(saturated(apart, busy(0.5, 0.2, 0.5), two), 'neither')
  })

  it('is all cores or one thread where processes go anywhere; Node and PostgreSQL together are not a core', () => {
    const anywhere = comparison({ anywhere: true })
    const say = (rounds: Round[]) => saturated(anywhere, rounds, two)
    assert.equal(say(busy(0.82, 0.38, 0.4)), 'none (80 % of all cores)')
    assert.equal(say(busy(0.99, 0, 0.69)), 'server')
    assert.equal(say(busy(0.2, 0.2, 0.95)), 'client')
    assert.equal(say(busy(0.5, 0.84, 0.29, 0.1)), 'all 2 cores')
    assert.equal(saturated(anywhere, busy(0.5, 0.84, 0.29), { ...two, cores: 8 }), 'none (20 % of all cores)')
    const unpinned = { ...two, pinned: false }
    assert.equal(saturated(comparison({}), busy(0.6, 0.6, 0.1), unpinned), 'none (65 % of all cores)')
  })

  it('has a table of who kept cores busy where processes went anywhere, and none where they did not', () => {
    const titles = (result: Comparison) => tablesOf([result], two).map(({ title }) => title)
    assert.ok(!titles(comparison({})).some((title) => title.startsWith('Cores')))
    const table = tablesOf([comparison({ anywhere: true })], two).find(({ title }) => title.startsWith('Cores'))
    assert.deepEqual(table?.rows.slice(1), [
      ['backlog, bare', '0.99', '0.00', '0.69', '84 %', 'server'],
      ['backlog, ours', '0.82', '0.38', '0.40', '80 %', 'none (80 % of all cores)'],
    ])
  })

  it('of nodes is told beside what two give: their thread, all cores and by whom, the client, or nothing', () => {
    const part = (
      title: string,
      count: number,
      perSecond: number,
      [nodes, postgres, client, others = 0]: [number, number, number, number?],
      waited = 0,
    ) => ({
      ...{ title, count, perSecond: [perSecond], nodes, postgres, client, others },
      thread: { ran: nodes / count, waited },
    })
    const result: Throughput = {
      ...{ kind: 'throughput', name: 'nodes', title: 'Nodes' },
      parts: [
        part('list, one', 1, 27_843, [0.95, 0.01, 0.61]),
        part('list, two', 2, 27_808, [1.29, 0, 0.7]),
        part('page, one', 1, 500, [0.73, 0.75, 0.06]),
        part('page, two', 2, 1_000, [0.93, 0.95, 0.09]),
      ],
    }
    const [table] = tablesOf([result], two)
    assert.deepEqual(
      table?.rows.slice(1).map((row) => [row[2], row.at(-1)]),
      [
        ['1.00', "the node's thread"],
        ['1.00', 'all 2 cores: nodes 65 %, client 35 %'],
        ['1.00', 'none of these (77 % of all cores)'],
        ['2.00', 'all 2 cores: nodes 47 %, PostgreSQL 48 %, client 5 %'],
      ],
    )
    assert.equal(nodesBound(part('list, two', 2, 1, [1.9, 0, 1.3]), { cores: 8 }), "the nodes' threads")
    assert.equal(nodesBound(part('list, one', 1, 1, [0.6, 0, 0.95]), { cores: 8 }), 'the client')
    assert.equal(
      nodesBound(part('page, one', 1, 1, [0.54, 0.94, 0.07], 0.46), two),
      "the node's thread, waiting for a core 46 % of the time",
    )
    assert.equal(
      nodesBound(part('page, one', 1, 1, [0.4, 0.6, 0, 1], 0.6), two),
      'all 2 cores: nodes 20 %, PostgreSQL 30 %, others 50 %',
    )
  })
})
